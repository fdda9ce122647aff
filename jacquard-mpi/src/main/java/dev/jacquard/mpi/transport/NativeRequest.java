package dev.jacquard.mpi.transport;

import dev.jacquard.mpi.library.Abi;
import dev.jacquard.mpi.library.Mpi;
import dev.jacquard.mpi.library.MpiFunctions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The memory of a request, used again for one after the other.
 *
 * <p>Threads: confined to one at a time, which hands it on under a lock or through a queue.
 */
final class NativeRequest {
    private final MpiFunctions functions;
    private final Abi abi;
    private final long world;
    private final MemorySegment request;
    private final MemorySegment flag;

    NativeRequest(Mpi mpi, Arena arena) {
        functions = mpi.functions();
        abi = mpi.abi();
        world = mpi.world();
        request = arena.allocate(ValueLayout.JAVA_LONG);
        flag = arena.allocate(ValueLayout.JAVA_INT);
    }

    /** Starts to send bytes that may be stored anywhere. */
    void send(MemorySegment buffer, long bytes, int to, int tag) {
        functions.send(buffer, (int) bytes, abi.bytes(), to, tag, world, request);
    }

    /** Starts to send bytes; ends only after their receive has begun. */
    void sendMatched(MemorySegment buffer, long bytes, int to, int tag) {
        functions.sendMatched(buffer, (int) bytes, abi.bytes(), to, tag, world, request);
    }

    /** Starts to receive at most that many bytes. */
    void receive(MemorySegment buffer, long bytes, int from, int tag) {
        functions.receive(buffer, (int) bytes, abi.bytes(), from, tag, world, request);
    }

    /** Returns true if it has ended. Also makes the library progress. */
    boolean hasEnded() {
        functions.test(request, flag, abi.ignoredStatus());
        return flag.get(ValueLayout.JAVA_INT, 0) != 0;
    }

    /** Ends a receive that nothing will match. */
    void cancel() {
        functions.cancel(request);
        functions.await(request, abi.ignoredStatus());
    }
}

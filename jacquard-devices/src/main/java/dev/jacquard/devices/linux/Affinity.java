package dev.jacquard.devices.linux;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Binding.CallState;
import dev.jacquard.base.foreign.Binding.CapturesErrno;
import dev.jacquard.base.foreign.Binding.Symbol;
import dev.jacquard.base.foreign.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.BitSet;

/** The calling thread's set of processors, in the C library. Threads: any, each for itself. */
final class Affinity {
    /** For 8,192 processors, more than any machine has. */
    private static final long BYTES = 1024;
    /** The calling thread, for the C library. */
    private static final int SELF = 0;

    private final Functions functions =
            Binding.of(MethodHandles.lookup(), Functions.class).to(NativeLibrary.ofC());

    /** {@code state} takes the error's number. */
    private interface Functions {
        @Symbol("sched_getaffinity")
        @CapturesErrno
        int get(MemorySegment state, int process, long bytes, MemorySegment mask);

        @Symbol("sched_setaffinity")
        @CapturesErrno
        int set(MemorySegment state, int process, long bytes, MemorySegment mask);
    }

    /** The processors on which the calling thread may run. */
    BitSet get() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(BYTES);
            MemorySegment state = CallState.allocate(arena);
            check("sched_getaffinity", functions.get(state, SELF, BYTES, mask), state);
            return BitSet.valueOf(mask.toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /** Lets the calling thread run on these processors only. */
    void set(BitSet processors) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mask = arena.allocate(BYTES);
            byte[] bits = processors.toByteArray();
            MemorySegment.copy(bits, 0, mask, ValueLayout.JAVA_BYTE, 0, bits.length);
            MemorySegment state = CallState.allocate(arena);
            check("sched_setaffinity", functions.set(state, SELF, BYTES, mask), state);
        }
    }

    private static void check(String name, int status, MemorySegment state) {
        if (status != 0) {
            throw new IllegalStateException(name + " failed with errno " + CallState.errno(state));
        }
    }
}

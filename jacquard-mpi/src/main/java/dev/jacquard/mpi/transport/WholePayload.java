package dev.jacquard.mpi.transport;

import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.message.Payload;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A content that has come with its head, in a buffer that is used again after the delivery; copied if it waits.
 *
 * <p>Threads: {@code bytes} is replaced by the thread that polls, before any other has the content through the lock of
 * a channel.
 */
final class WholePayload implements Payload {
    private MemorySegment bytes;
    private boolean isKept;

    WholePayload(MemorySegment bytes) {
        this.bytes = bytes;
    }

    @Override
    public void receive(Elements into, Completion then) {
        RuntimeException failure = null;
        try {
            into.fill(bytes);
        } catch (RuntimeException e) { // memory whose arena was closed
            failure = e;
        }
        then.end(failure);
    }

    @Override
    public void keep() {
        if (!isKept) {
            bytes = MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE));
            isKept = true;
        }
    }

    @Override
    public void drop() {
        // the buffer is used again
    }
}

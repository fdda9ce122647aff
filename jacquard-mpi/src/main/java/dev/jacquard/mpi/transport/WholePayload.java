package dev.jacquard.mpi.transport;

import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.message.Payload;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A content that has come with its head, in a buffer that is used again after the delivery; copied if it waits.
 *
 * <p>Threads: that of a buffer is confined to the thread that polls; a copy is immutable.
 */
final class WholePayload implements Payload {
    private final MemorySegment memory;
    /** The place of the content. */
    private final long at;

    private final boolean isCopy;
    private long bytes;

    private WholePayload(MemorySegment memory, long at, boolean isCopy) {
        this.memory = memory;
        this.at = at;
        this.isCopy = isCopy;
    }

    /** A content in a buffer, after a head. */
    WholePayload(MemorySegment buffer) {
        this(buffer, Frame.HEAD, false);
    }

    /** Returns this, for a message of a number of bytes that has come to the buffer. */
    WholePayload of(long its) {
        bytes = its;
        return this;
    }

    @Override
    public void receive(Elements into, Completion then) {
        RuntimeException failure = null;
        try {
            into.fill(memory.asSlice(at, bytes));
        } catch (RuntimeException e) { // memory of a closed arena
            failure = e;
        }
        then.end(failure);
    }

    @Override
    public WholePayload keep() {
        if (isCopy) {
            return this;
        }
        byte[] copy = memory.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE);
        return new WholePayload(MemorySegment.ofArray(copy), 0, true).of(bytes);
    }

    @Override
    public void drop() {
        // the buffer is used again
    }
}

package dev.jacquard.cluster.local;

import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.message.Buffers;
import dev.jacquard.cluster.message.Payload;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The content of a message in the memory of the process: copied once, from the sender's memory to the receiver's. A
 * short one without a receive is copied, so that its sender goes on; a long one has its sender wait.
 *
 * <p>Threads: {@code kept} is written by the sender's thread, before any other has the content through the lock of a
 * channel.
 */
final class LocalPayload implements Payload {
    /** The longest content that is copied, in bytes. */
    static final long MOST_KEPT = 16 << 10;

    private final Elements elements;
    private final Completion sender;
    private final boolean keepsAll;
    private @Nullable MemorySegment kept;

    /**
     * The content of a message.
     *
     * @param sender ended when its memory can be changed
     * @param keepsAll true to copy long ones as well
     */
    LocalPayload(Elements elements, Completion sender, boolean keepsAll) {
        this.elements = elements;
        this.sender = sender;
        this.keepsAll = keepsAll;
    }

    @Override
    public LocalPayload keep() {
        if (kept == null && (keepsAll || elements.byteSize() <= MOST_KEPT)) {
            MemorySegment copy = Buffers.allocate(elements.byteSize());
            elements.copyTo(copy);
            kept = copy;
        }
        return this;
    }

    /** Returns true if the sender can go on. Called by its thread. */
    boolean isKept() {
        return kept != null;
    }

    @Override
    public void receive(Elements into, Completion then) {
        MemorySegment copy = kept;
        RuntimeException failure = null;
        try {
            if (copy != null) {
                into.fill(copy);
            } else {
                elements.copyTo(into);
            }
        } catch (RuntimeException e) { // memory of a closed arena
            failure = e;
        }
        then.end(failure);
        if (copy == null) {
            sender.end(failure);
        }
    }

    @Override
    public void drop() {
        if (kept == null) {
            sender.end(null);
        }
    }
}

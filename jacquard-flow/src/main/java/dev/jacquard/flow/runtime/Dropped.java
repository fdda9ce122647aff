package dev.jacquard.flow.runtime;

import dev.jacquard.memory.data.Handle;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An item that a queue has dropped, on its way to a copy: this settles what the item leaves, outside of all locks but
 * the copy's own.
 *
 * <p>Threads: constant.
 */
final class Dropped extends Numbered {
    /** The pool of the slot that the item has; null if it has none. */
    private final @Nullable Pool slots;

    Dropped(Object queued) {
        super(itemOf(queued), ticketOf(queued));
        this.slots = slotsOf(queued);
    }

    @Override
    @Nullable
    Pool slots() {
        return slots;
    }

    /** Releases the buffers that the item holds, if a task that it would have led to does. Called by the activation. */
    void giveBack(EmittingCopy copy, Set<Pool> releasing) throws ReflectiveOperationException {
        if (releasing.isEmpty()) {
            return;
        }
        for (Handle<?> buffer : ItemBuffers.of(item)) {
            if (buffer.loan() instanceof Lease lease && releasing.contains(lease.pool)) {
                copy.run.loans().releaseOnce(buffer, lease, copy.wakes);
            }
        }
    }
}

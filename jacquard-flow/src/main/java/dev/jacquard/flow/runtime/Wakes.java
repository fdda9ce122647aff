package dev.jacquard.flow.runtime;

import dev.jacquard.core.engine.Workers;
import dev.jacquard.core.graph.WorkerContext;
import org.jspecify.annotations.Nullable;

/**
 * Copies that were asleep, have something to do, and are to be woken once no lock is held. A copy that was taken off its
 * stage's idle list belongs to whoever took it, so its link needs no protection.
 *
 * <p>Threads: confined to its owner.
 */
final class Wakes {
    private @Nullable Copy first;

    /** Puts {@code list} in front. */
    void add(@Nullable Copy list) {
        Copy copy = list;
        while (copy != null) {
            Copy next = copy.nextWoken;
            copy.nextWoken = first;
            first = copy;
            copy = next;
        }
    }

    /** The whole list; this one is empty then. */
    @Nullable
    Copy detach() {
        Copy list = first;
        first = null;
        return list;
    }

    /** Wakes all of {@code list}, through {@code worker} where the caller is one. */
    static void fire(@Nullable Copy list, @Nullable WorkerContext worker, Workers workers) {
        Copy copy = list;
        while (copy != null) {
            Copy next = copy.nextWoken;
            copy.nextWoken = null;
            copy.wake(worker, workers);
            copy = next;
        }
    }

    /** Likewise, as the last thing that {@code worker}'s node does: it runs one of them next, without a queue between. */
    static void fireAtEnd(@Nullable Copy list, @Nullable WorkerContext worker, Workers workers) {
        if (worker == null) {
            fire(list, null, workers);
            return;
        }
        Copy copy = list;
        while (copy != null) {
            Copy next = copy.nextWoken;
            copy.nextWoken = null;
            if (copy.dedicated()) {
                copy.wake(worker, workers);
            } else {
                worker.readyAtEnd(copy);
            }
            copy = next;
        }
    }
}

package dev.jacquard.flow.runtime;

import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.PlacedNode;
import dev.jacquard.engine.work.WorkerContext;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a task as its stage sees it: it sleeps while it has nothing to do, and is woken by the thread that took it
 * off the list of sleeping copies.
 *
 * <p>Threads: the list that the copy is in guards {@link #next}; for the rest see the methods.
 */
abstract class Wakeable extends PlacedNode {
    /**
     * The next copy in the same list: the sleeping copies of a {@link Stage}, guarded by the stage, or a
     * {@link WakeList}. A copy is in one list at most.
     */
    @Nullable
    Wakeable next;

    /** The thread of a dedicated copy; null for other copies. */
    final @Nullable DedicatedThread own;

    Wakeable(@Nullable DedicatedThread own) {
        this.own = own;
    }

    /** Called by {@link Stage#pause}, under the stage's lock, before another thread may run the copy. */
    void paused() {}

    /** Returns the number of items that wait for engine tasks. Called by any thread. */
    abstract int load();

    /**
     * Makes the copy run again. The caller has taken the copy off the list of sleeping copies.
     *
     * @param atEnd true if this is one of the last actions of {@code by}'s node
     */
    final void wake(@Nullable WorkerContext by, Workers workers, boolean atEnd) {
        if (own != null) {
            own.wake();
        } else if (by == null) {
            workers.ready(this);
        } else if (atEnd) {
            by.readyAtEnd(this);
        } else {
            by.ready(this);
        }
    }

    /** Returns the copy of {@code list} with the least load, and of these the last. */
    static Wakeable leastLoaded(Wakeable list) {
        Wakeable least = list;
        for (Wakeable copy = list.next; copy != null; copy = copy.next) {
            if (copy.load() <= least.load()) {
                least = copy;
            }
        }
        return least;
    }
}

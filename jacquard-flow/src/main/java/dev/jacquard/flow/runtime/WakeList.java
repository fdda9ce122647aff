package dev.jacquard.flow.runtime;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A list of sleeping copies that have something to do, and are to be woken once no lock is held. A copy that was taken
 * off its stage's list belongs to the thread that took it off, so the link of the copy needs no protection.
 *
 * <p>Threads: one thread adds; any thread takes the whole list.
 */
final class WakeList {
    private static final VarHandle FIRST = Fields.handle(MethodHandles.lookup(), "first", Wakeable.class);

    /**
     * Changed by atomic updates alone: the release of the thread that adds pairs with the acquire of the thread that
     * takes.
     */
    @SuppressWarnings("unused") // through FIRST
    private @Nullable Wakeable first;

    /** Puts the copies of {@code list} in front. */
    void add(@Nullable Wakeable list) {
        if (list == null) {
            return;
        }
        Wakeable last = list;
        while (last.next != null) {
            last = last.next;
        }
        Wakeable before;
        do { // fails only if the list was taken: no other thread adds
            before = (Wakeable) FIRST.getOpaque(this);
            last.next = before;
        } while (!FIRST.compareAndSet(this, before, list));
    }

    /** Takes the whole list; this list is empty then. */
    @Nullable
    Wakeable detach() {
        return FIRST.getOpaque(this) == null ? null : (Wakeable) FIRST.getAndSet(this, null);
    }

    /** Wakes all copies of this list, through {@code worker} if the caller is one; the list is empty then. */
    void fire(@Nullable WorkerContext worker, Workers workers) {
        fire(detach(), worker, workers);
    }

    /** Wakes all of {@code list}, through {@code worker} if the caller is one. */
    static void fire(@Nullable Wakeable list, @Nullable WorkerContext worker, Workers workers) {
        fire(list, worker, workers, false);
    }

    /**
     * Wakes all of {@code list} as the last action of {@code worker}'s node: the worker runs one of them next, without
     * a queue in between.
     */
    static void fireAtEnd(@Nullable Wakeable list, @Nullable WorkerContext worker, Workers workers) {
        fire(list, worker, workers, true);
    }

    private static void fire(@Nullable Wakeable list, @Nullable WorkerContext worker, Workers workers, boolean atEnd) {
        Wakeable copy = list;
        while (copy != null) {
            Wakeable next = copy.next;
            copy.next = null;
            copy.wake(worker, workers, atEnd);
            copy = next;
        }
    }
}

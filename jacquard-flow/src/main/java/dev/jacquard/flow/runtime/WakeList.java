package dev.jacquard.flow.runtime;

import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A list of sleeping copies that have something to do, and are to be woken once no lock is held. A copy that was taken
 * off its stage's idle list belongs to the thread that took it off, so the link of the copy needs no protection.
 *
 * <p>Threads: one thread adds; any thread takes the whole list.
 */
final class WakeList {
    private static final VarHandle FIRST;

    static {
        try {
            FIRST = MethodHandles.lookup().findVarHandle(WakeList.class, "first", TaskInstance.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Changed by atomic updates alone: the release of the thread that adds pairs with the acquire of the thread that
     * takes.
     */
    @SuppressWarnings("unused") // through FIRST
    private @Nullable TaskInstance first;

    /** Puts the copies of {@code list} in front. */
    void add(@Nullable TaskInstance list) {
        TaskInstance copy = list;
        while (copy != null) {
            TaskInstance next = copy.nextWoken;
            TaskInstance before;
            do { // fails only if the list was taken: no other thread adds
                before = (TaskInstance) FIRST.getOpaque(this);
                copy.nextWoken = before;
            } while (!FIRST.compareAndSet(this, before, copy));
            copy = next;
        }
    }

    /** Takes the whole list; this list is empty then. */
    @Nullable
    TaskInstance detach() {
        return FIRST.getOpaque(this) == null ? null : (TaskInstance) FIRST.getAndSet(this, null);
    }

    /** Wakes all of {@code list}, through {@code worker} if the caller is one. */
    static void fire(@Nullable TaskInstance list, @Nullable WorkerContext worker, Workers workers) {
        TaskInstance copy = list;
        while (copy != null) {
            TaskInstance next = copy.nextWoken;
            copy.nextWoken = null;
            copy.wake(worker, workers);
            copy = next;
        }
    }

    /**
     * Wakes all of {@code list} as the last action of {@code worker}'s node: the worker runs one of them next, without
     * a queue in between.
     */
    static void fireAtEnd(@Nullable TaskInstance list, @Nullable WorkerContext worker, Workers workers) {
        if (worker == null) {
            fire(list, null, workers);
            return;
        }
        TaskInstance copy = list;
        while (copy != null) {
            TaskInstance next = copy.nextWoken;
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

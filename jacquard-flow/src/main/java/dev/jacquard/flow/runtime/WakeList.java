package dev.jacquard.flow.runtime;

import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Copies that were asleep, have something to do, and are to be woken once no lock is held. A copy that was taken off
 * its stage's idle list belongs to whoever took it, so its link needs no protection.
 *
 * <p>Threads: one adds; any takes the whole list.
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

    /** Changed by compare-and-set alone: release by who adds pairs with acquire by who takes. */
    @SuppressWarnings("unused") // through FIRST
    private @Nullable TaskInstance first;

    /** Puts {@code list} in front. */
    void add(@Nullable TaskInstance list) {
        TaskInstance copy = list;
        while (copy != null) {
            TaskInstance next = copy.nextWoken;
            TaskInstance before;
            do { // fails only when the list was taken: nobody else adds
                before = (TaskInstance) FIRST.getOpaque(this);
                copy.nextWoken = before;
            } while (!FIRST.compareAndSet(this, before, copy));
            copy = next;
        }
    }

    /** The whole list; this one is empty then. */
    @Nullable
    TaskInstance detach() {
        return FIRST.getOpaque(this) == null ? null : (TaskInstance) FIRST.getAndSet(this, null);
    }

    /** Wakes all of {@code list}, through {@code worker} where the caller is one. */
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
     * Likewise, as the last thing that {@code worker}'s node does: it runs one of them next, without a queue between.
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

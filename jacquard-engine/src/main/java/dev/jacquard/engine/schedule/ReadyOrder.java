package dev.jacquard.engine.schedule;

import dev.jacquard.engine.work.ReadyTask;
import org.jspecify.annotations.Nullable;

/**
 * Holds ready tasks and says which is next: the task pool.
 *
 * <p>Every task that is pushed must be returned by one pop. While it holds a task, a pop may answer null only when its
 * tasks are for other workers; it is asked again after the next push or pop. A breach of these rules ends the run with
 * a {@link PolicyException}.
 *
 * <p>Threads: any number of workers call both methods at a time, unless the policy {@linkplain Need#EXCLUSIVE_CALLS
 * needs} exclusive calls. Neither may block, nor call the session.
 *
 * <p>Source: the abstract runtime system document, section II-C5, listing 4.
 */
public interface ReadyOrder {
    /** A task is ready. */
    void push(ReadyTask task);

    /**
     * The task that {@code worker} is to run next; null when there is none for it.
     *
     * @param worker who asks: 0 to workers - 1
     */
    @Nullable
    ReadyTask pop(int worker);
}

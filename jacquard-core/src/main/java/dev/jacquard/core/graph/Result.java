package dev.jacquard.core.graph;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.data.Resource;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a submitted task. Safe for use by any thread.
 *
 * @param <T> the type of the task's result; {@code Void} when it has none
 */
public interface Result<T extends @Nullable Object> {
    /**
     * Waits for the task and returns its result (null when it has none). The thread that opened the session runs tasks
     * meanwhile.
     *
     * @throws TaskFailedException when the task failed, or was cancelled because another one did
     * @throws java.util.concurrent.CancellationException when the graph was cancelled before the task started
     * @throws WaitInterruptedException when the waiting thread is interrupted
     * @throws IllegalStateException when called from inside a task, and this one is not over
     */
    T join();

    /**
     * The result as something that other code can wait for, combine and react to. Code that depends on it runs on a thread of its
     * own, never on one that runs tasks; it completes exceptionally with what {@link #join} would throw.
     */
    CompletionStage<T> stage();

    /**
     * Splits a task that is not ready yet into sub-tasks, which {@code submission} submits, as {@link TaskContext#refine} does from
     * inside. They start when the task does.
     *
     * @throws IllegalStateException when the task is ready or running, or was not built as adjustable
     */
    void refinePending(Consumer<? super Tasks> submission);

    /**
     * Gives up an access of a task that is not ready yet, as {@link TaskContext#demote} does from inside. Takes effect when the task
     * becomes ready: later tasks that no longer conflict with it still wait for what it waits for.
     *
     * @throws IllegalStateException when the task is ready or running, or was not built as adjustable
     * @throws IllegalArgumentException when none of its accesses to {@code resource} covers {@code to}, or that one writes without
     *     reading, which only the body can give up
     */
    void demotePending(Resource resource, Access to);

    /** Where the task is now. */
    TaskState state();

    /** The task's name. */
    String name();
}

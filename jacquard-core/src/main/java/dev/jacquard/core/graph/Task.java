package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Resource;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A submitted task: its state, its result, and what may still be changed. Safe for use by any thread.
 *
 * @param <T> the type of the task's result; {@code Void} when it has none
 */
public interface Task<T extends @Nullable Object> {
    /**
     * Waits for the task and returns its result (null when it has none). The thread that opened the session runs tasks
     * meanwhile.
     *
     * @throws TaskFailedException when the task failed, or was cancelled because another one did
     * @throws java.util.concurrent.CancellationException when the graph was cancelled before the task started
     * @throws WaitInterruptedException when the waiting thread is interrupted
     * @throws IllegalStateException when called from inside a task, unless that comes {@link TaskBuilder#after after}
     *     this one, or does what is {@link TaskContext#afterwards left to do} behind it as a part of its own
     */
    T join();

    /**
     * The result as something that other code can wait for, combine and react to. Code that depends on it runs on a
     * thread of its own, never on one that runs tasks; it completes exceptionally with what {@link #join} would throw.
     */
    CompletionStage<T> stage();

    /**
     * Splits an {@linkplain TaskBuilder#adjustable adjustable} task from outside into sub-tasks, which
     * {@code submission} submits, as {@link TaskContext#refine} does from inside. They start when the task does, at
     * once when it runs. The body must not touch what they access; data is with the sub-tasks, and the body has none
     * but in {@link TaskContext#afterwards}.
     *
     * @return false, and {@code submission} is not called, when it is too late: the task is about to start, runs and
     *     has data in its hands, or its body is over
     * @throws IllegalStateException when the task was not built as adjustable, or runs a kernel on a device
     */
    boolean tryRefine(Consumer<? super Tasks> submission);

    /**
     * Gives up an access of an {@linkplain TaskBuilder#adjustable adjustable} task from outside, as
     * {@link TaskContext#demote} does from inside. Takes effect when the task becomes ready, at once when it is ready
     * or runs: later tasks that no longer conflict with it still wait for what it waits for. Of a task that runs a
     * caller gives up only what the body is known to be through with.
     *
     * @return false when it is too late: the task is about to start, will never run, or its body is over
     * @throws IllegalStateException when the task was not built as adjustable, or runs a kernel on a device, or a
     *     sub-task that is not over needs what is given up
     * @throws IllegalArgumentException when none of its accesses to {@code resource} covers {@code to}, or that one
     *     writes without reading, which only the body can give up
     */
    boolean tryDemote(Resource resource, Access to);

    /** Where the task is now. */
    TaskState state();

    /** The task's name. */
    String name();
}

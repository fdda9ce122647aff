package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Resource;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A submitted task: its state, its result, and its possible changes. Safe for use by any thread.
 *
 * @param <T> the type of the task's result; {@code Void} when it has none
 */
public interface Task<T extends @Nullable Object> {
    /**
     * Waits for the task and returns its result (null when it has none). The thread that opened the session runs tasks
     * during the wait.
     *
     * @throws TaskFailedException when the task failed, or was cancelled because another one did
     * @throws java.util.concurrent.CancellationException when the graph was cancelled before the task started
     * @throws WaitInterruptedException when the waiting thread is interrupted
     * @throws IllegalStateException when called from inside a task, unless the calling task comes
     *     {@link TaskBuilder#after after} this one, or this one is a sub-task of it and it does the work
     *     {@link TaskContext#afterwards left to do}
     */
    T join();

    /**
     * Returns the result as a stage that other code can wait for, combine and react to. Code that depends on the stage
     * runs on a background thread, never on a thread that runs tasks. The stage completes exceptionally with the
     * exception that {@link #join} would throw; where the engine has ended before its time, by a policy that threw,
     * say, at once, or, when the task runs, at its end or when the session is closed.
     */
    CompletionStage<T> stage();

    /**
     * Splits an {@linkplain TaskBuilder#adjustable adjustable} task from outside into sub-tasks, which
     * {@code submission} submits, as {@link TaskContext#refine} does from inside. The sub-tasks start when the task
     * does, or at once if the task runs. The body must not touch the resources of the sub-tasks; data is with the
     * sub-tasks, and the body has none but in {@link TaskContext#afterwards}.
     *
     * @return false, without a call of {@code submission}, when it is too late: the task is about to start, runs and
     *     uses its data, or its body is over
     * @throws IllegalStateException when the task was not built as adjustable, or runs a kernel on a device
     */
    boolean tryRefine(Consumer<? super Tasks> submission);

    /**
     * Gives up an access of an {@linkplain TaskBuilder#adjustable adjustable} task from outside, as
     * {@link TaskContext#demote} does from inside. Takes effect when the task becomes ready, or at once if the task is
     * ready or runs: later tasks that no longer conflict with the task still wait for its own predecessors. The caller
     * gives up an access of a running task only when the body is known to be through with it.
     *
     * @return false when it is too late: the task is about to start, will never run, or its body is over
     * @throws IllegalStateException when the task was not built as adjustable, or runs a kernel on a device, or a
     *     sub-task that is not over needs the access
     * @throws IllegalArgumentException when no access of the task to {@code resource} covers {@code to}, or that access
     *     writes without reading, which only the body can give up
     */
    boolean tryDemote(Resource resource, Access to);

    /** Returns the state of the task now. */
    TaskState state();

    /** Returns the name of the task. */
    String name();

    /** The members of a tag that a task comes after. */
    enum TagMembers {
        /**
         * The members submitted before the task. When there are none, the task starts at once, and the report of its
         * graph names the tag.
         */
        SO_FAR,
        /**
         * The members submitted before the task; when there are none, the first member that is submitted later. The
         * submission of a member that would itself wait for the task throws an {@link IllegalStateException}, and
         * nothing is submitted.
         */
        MAY_STILL_COME
    }
}

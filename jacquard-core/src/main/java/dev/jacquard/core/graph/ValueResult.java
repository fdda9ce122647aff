package dev.jacquard.core.graph;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of a task that has one. The task knows it only until it has run, so that a tracker that still knows the task
 * does not keep the value alive.
 */
final class ValueResult<T extends @Nullable Object> implements Result<T>, TaskBody {
    /** Nulled when it has run: the result outlives the task, and need not keep what the function captured. */
    private @Nullable TaskFunction<? extends T> function;
    /** Set by the submitter before anybody else sees this. */
    private @Nullable Task task;
    /** Written by the worker before the task is over, read after. */
    private @Nullable T value;

    ValueResult(TaskFunction<? extends T> function) {
        this.function = function;
    }

    Task ownedBy(Task itsTask) {
        task = itsTask;
        return itsTask;
    }

    @Override
    public void run(TaskContext context) throws Exception {
        TaskFunction<? extends T> once = Objects.requireNonNull(function);
        function = null;
        value = once.call(context);
    }

    @Override
    @SuppressWarnings("NullAway") // null when the function returned it
    public T join() {
        task.awaitEnd();
        return value;
    }

    @Override
    @SuppressWarnings("NullAway") // set right after construction
    public TaskState state() {
        return task.state();
    }

    @Override
    @SuppressWarnings("NullAway") // likewise
    public String name() {
        return task.name();
    }
}

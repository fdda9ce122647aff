package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Resource;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a task with a result. The task refers to this object only until it has run, so that a tracker that
 * still refers to the task does not keep the value alive.
 */
final class ValueResult<T extends @Nullable Object> implements Task<T>, TaskBody {
    /**
     * The function to run. Nulled when it will not run any more: the result outlives the task, and need not keep the
     * objects that the function captured.
     */
    private @Nullable TaskFunction<? extends T> function;
    /** The asynchronous function to begin instead; null for none. Written before the submission. */
    private @Nullable AsyncFunction<? extends T> async;
    /** The task. Set by the submitter before any other thread sees this object. */
    private @Nullable TaskNode task;
    /** The value of the result. Written by the worker before the task is over; read after. */
    private @Nullable T value;

    ValueResult(TaskFunction<? extends T> function) {
        this.function = function;
    }

    /** Returns the handle of an asynchronous task. */
    static <T extends @Nullable Object> ValueResult<T> of(AsyncFunction<? extends T> function) {
        ValueResult<T> result = new ValueResult<>(context -> {
            throw new AssertionError("an asynchronous task has no function");
        });
        result.async = function;
        return result;
    }

    TaskNode ownedBy(TaskNode itsTask) {
        task = itsTask;
        return itsTask;
    }

    @SuppressWarnings("NullAway") // set right after construction
    TaskNode task() {
        return task;
    }

    @Override
    public void run(TaskContext context) throws Exception {
        try {
            if (async == null) {
                value = Objects.requireNonNull(function).call(context);
            } else {
                begin(async, context);
            }
        } finally {
            TaskRun run = task().taskRun();
            if (run == null) {
                forget();
            } else {
                run.keepUntilOver(this);
            }
        }
    }

    /** Forgets the function, which will not run any more. */
    void forget() {
        function = null;
        async = null;
    }

    private void begin(AsyncFunction<? extends T> its, TaskContext context) throws Exception {
        CompletionStage<? extends T> stage = its.start(context);
        if (stage == null) {
            throw new IllegalStateException("asynchronous task \"" + name()
                    + "\" got null from its function:"
                    + " return a CompletionStage, a completed one if nothing remains to be done");
        }
        task().ownTaskRun().suspend(stage, result -> value = result);
    }

    @Override
    @SuppressWarnings("NullAway") // null when the function returned it
    public T join() {
        if (!task().isRecorded()) {
            TaskWait.forTask(task());
        }
        return value;
    }

    @Override
    public CompletionStage<T> stage() {
        return StageLink.of(task(), () -> value);
    }

    @Override
    public boolean tryRefine(Consumer<? super Tasks> submission) {
        return task().tryRefine(submission);
    }

    @Override
    public boolean tryDemote(Resource resource, Access to) {
        return task().tryDemote(resource, to);
    }

    @Override
    public TaskState state() {
        return task().state();
    }

    @Override
    public String name() {
        return task().name();
    }
}

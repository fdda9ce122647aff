package dev.jacquard.core.compiled;

import dev.jacquard.base.trace.Trace;
import dev.jacquard.core.execution.FailureLog;
import dev.jacquard.core.graph.Named;
import dev.jacquard.core.graph.Outcome;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.kernel.KernelBody;
import dev.jacquard.engine.work.CancelSignal;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceLostException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A task of a compiled run. While all is well, running it reads one flag, calls the body and counts the successors
 * down; all else is out of line. {@link TaskTable} has its properties.
 */
class CompiledTask extends RecordedTask implements CancelSignal {
    final RunState run;
    /** The number that the builder gave the task. */
    private final int index;

    /** The only successor, where that is a task that follows; else null. Written by the builder only. */
    private @Nullable CompiledTask sole;

    /** The worker that runs the task. Written by that worker before the body runs; seldom changes from run to run. */
    private short worker;

    CompiledTask(RunState run, KernelBody body, TaskTraits traits) {
        super(body, !traits.isUnusual());
        this.run = run;
        this.index = traits.index();
    }

    /** {@inheritDoc} Does nothing where tasks measure themselves, since some of the time they wait for others. */
    @Override
    public final void ran(long nanos) {
        if (run.limit() == null) {
            super.ran(nanos);
        }
    }

    @Override
    final TaskTraits traits() {
        return run.tasks.traits(index);
    }

    @Override
    final void releases(CompiledNode[] successors) {
        super.releases(successors);
        sole = successors.length == 1 && successors[0] instanceof CompiledTask task && task.follows() ? task : null;
    }

    /** Forgets where the task's data was. Called before the tasks of a run, and by one thread. */
    void unbind() {
        StagedStep staged = traits().staged();
        if (staged != null) {
            staged.forgetMemory();
        }
    }

    /** Runs the task. As long as the worker goes on, then runs the first task that each task makes ready. */
    @Override
    public final void run(WorkerContext context) {
        if (perform(context)) {
            CompiledNode next = countSuccessors(context, run.alone);
            if (next != null) {
                goOn(next, context);
            }
        }
    }

    /** Separate from {@link #run}, which is then short enough to be inlined into its callers. */
    private void goOn(CompiledNode first, WorkerContext context) {
        RunState its = run; // that of all tasks of the graph, read once
        boolean alone = its.alone;
        int here = context.index();
        CompiledNode next = first;
        while (next.follows()) {
            CompiledTask task = (CompiledTask) next;
            CompiledTask behind = task;
            do {
                task = behind;
                if (!context.goesOn(task.index)) {
                    task.counted(context);
                    return;
                }
                if (!task.performUsually(its, here, context)) {
                    return;
                }
                behind = task.sole;
                if (behind == null) {
                    break;
                }
            } while (behind.countDown(1, alone));
            if (behind != null) {
                return;
            }
            next = task.countSuccessors(context, alone);
            if (next == null) {
                return;
            }
        }
        next.counted(context);
    }

    @Override
    public final Node part(int step) {
        return run.tasks.task(step, this);
    }

    /**
     * Runs the body. Returns true if the caller is to count the successors down; false after a failure, or while an
     * inner graph runs.
     */
    boolean perform(WorkerContext context) {
        if (follows()) {
            return performUsually(run, context.index(), context);
        }
        reset();
        return performUnusually(context);
    }

    /** Runs a task that follows others, by worker {@code here}. */
    private boolean performUsually(RunState its, int here, WorkerContext context) {
        reset();
        if (its.flags() != 0) {
            return performUnusually(context);
        }
        if (worker != here) {
            worker = (short) here; // written only when it changes: most tasks stay on their worker
        }
        try {
            body.run(this);
            return true;
        } catch (Throwable e) {
            fail(context, e);
            return false;
        }
    }

    private boolean performUnusually(WorkerContext context) {
        TaskLimit limit = run.limit();
        if (limit == null) {
            return performWhereAllowed(context);
        }
        if (!limit.begin(this)) {
            return false; // made ready again when another task has ended
        }
        return performLimited(limit, context);
    }

    /** Runs the body of a task that may begin, and reports its end to the limit. Returns true like {@link #perform}. */
    final boolean performLimited(TaskLimit limit, WorkerContext context) {
        limit.runs(number());
        try {
            return performWhereAllowed(context);
        } finally {
            limit.end(number(), context);
        }
    }

    /** Runs the body, for which no limit has to be asked any more. Returns true like {@link #perform}. */
    boolean performWhereAllowed(WorkerContext context) {
        StagedStep staged = traits().staged();
        if (staged == null || staged.phase() != StagedStep.Phase.OVER) { // else this worker only ends the task
            worker = (short) context.index();
        }
        if (staged != null && staged.phase() != StagedStep.Phase.IDLE) {
            return goOn(context, staged, run.isCancelled()); // readied again
        }
        Outcome cause = run.outcomeOf(index);
        boolean cancelled = run.isCancelled() // read once: it may become true at any time
                && (staged == null || !staged.hasBegun()); // else a cancel comes too late
        if (staged != null && (cause != null || cancelled) && !staged.abandon()) {
            return false; // readied again when the device has done the work of the task
        }
        if (cause != null) {
            end(context, TaskState.CANCELLED, Outcome.cancelled(traits().name(), cause));
        } else if (cancelled) {
            end(context, TaskState.CANCELLED, Outcome.cancelled(traits().name(), null));
        } else if (!traits().isOpen()) {
            traits().forget();
            run.skipped();
            return true;
        } else if (traits().inner() != null) {
            tell(TaskState.RUNNING);
            traits().inner().start(context);
        } else if (staged != null && run.heldData() == null) {
            return staged.begin() && goOn(context, staged, false);
        } else {
            return over(context, call(context));
        }
        return false;
    }

    /** Reports the end of the body or of the device's work. Returns true if there was no error. */
    private boolean over(WorkerContext context, @Nullable Throwable error) {
        if (error != null) {
            fail(context, error);
        } else {
            run.finished(this);
            tell(TaskState.DONE);
        }
        return error == null;
    }

    /**
     * Goes on with a task: its data is in place, or cannot be, or its device is done.
     *
     * @param cancelled true if the run was cancelled while the task waited
     */
    private boolean goOn(WorkerContext context, StagedStep staged, boolean cancelled) {
        Throwable error;
        if (staged.phase() == StagedStep.Phase.OVER) {
            error = staged.error();
            TaskLimit limit = run.limit();
            if (error == null && limit != null && limit.isMeasured()) {
                traits().standing().ran(Math.max(1, staged.claim().workNanos()));
            }
        } else {
            error = cancelled ? null : staged.missing();
            if ((cancelled || error != null) && !staged.isSettled()) {
                return false; // readied again when the device has done its work
            }
            if (cancelled) {
                staged.giveBack();
                end(context, TaskState.CANCELLED, Outcome.cancelled(traits().name(), null));
                return false;
            }
            if (error == null && staged.launches()) {
                tell(TaskState.RUNNING);
                staged.launch();
                return false;
            }
            error = error == null ? call(context) : error;
        }
        staged.release(error == null); // before the tasks that wait for its output
        return over(context, error);
    }

    /** Runs the body; returns the exception that the body threw, or null. */
    private @Nullable Throwable call(WorkerContext context) {
        Trace trace = run.dispatcher().trace();
        boolean traced = trace.on();
        TaskLimit limit = run.limit();
        boolean measured = limit != null && limit.isMeasured();
        long start = traced || measured ? trace.nanoTime() : 0;
        Throwable error = null;
        tell(TaskState.RUNNING);
        try {
            body.run(this);
        } catch (Throwable e) {
            error = e;
        }
        if (traced || measured) {
            long end = trace.nanoTime();
            if (traced) {
                context.lane().record(traits().name(), start, end, 0);
            }
            if (measured) {
                traits().standing().ran(Math.max(1, end - start));
            }
        }
        return error;
    }

    /** Ends the task when the run of its inner graph is over. */
    void innerOver(WorkerContext context, @Nullable RuntimeException failure) {
        if (failure == null) {
            run.finished(this);
            tell(TaskState.DONE);
            releaseAll(context, run.alone);
        } else if (failure instanceof CancellationException && (run.isCancelled() || run.isSessionEnded())) {
            end(context, TaskState.CANCELLED, Outcome.cancelled(traits().name(), null));
        } else {
            fail(context, failure);
        }
    }

    private void tell(TaskState state) {
        run.tell(traits().name(), state, worker);
    }

    private void fail(WorkerContext context, Throwable error) {
        if (run.isCancelled() && FailureLog.isGivenUp(error)) {
            end(context, TaskState.CANCELLED, Outcome.interrupted(traits().name(), ""));
            return;
        }
        Throwable told = error;
        if (error instanceof DeviceLostException) {
            told = new DeviceLostException(error.getMessage() + "; tasks stay on the devices that were chosen when they"
                    + " were recorded: record the graph again, on the devices that are left");
            told.initCause(error);
        }
        end(context, TaskState.FAILED, Outcome.failed(traits().name(), told, traits().details(worker)));
    }

    /** Ends the task when it did not end well: tasks that read its output cannot run. */
    private void end(WorkerContext context, TaskState last, Outcome how) {
        traits().forget();
        tell(last);
        run.keep(index, how); // before any successor can start
        releaseAll(context, run.alone);
    }

    // ---- as the body sees the task

    @Override
    public final <T> T get(Handle<T> handle) {
        return traits().get(handle);
    }

    @Override
    public final Memory memory(View part) {
        return memory(part.data(), part.box());
    }

    @Override
    public final Memory memory(Data data) {
        return memory(data, data.box());
    }

    private Memory memory(Data data, Box part) {
        StagedStep staged = traits().staged();
        if (staged == null || !traits().accesses().has(data)) {
            throw traits().undeclared(data);
        }
        return staged.memory(data, part, run.heldData());
    }

    @Override
    public final Memory memory(String data) {
        return memory(Named.data(traits().name(), traits().accesses(), data));
    }

    @Override
    public final <T> T get(String handle, Class<T> type) {
        return traits().get(handle, type);
    }

    @Override
    public final void parallelFor(long from, long to, long grain, int helpers, RangeBody loop) throws Exception {
        TaskLimit limit = run.limit();
        int most = limit == null ? helpers : Math.min(helpers, limit.helpers(number()));
        run.dispatcher().loop(from, to, grain, most, loop, this);
    }

    @Override
    public final int worker() {
        return worker;
    }

    @Override
    public final boolean cancelled() {
        return run.isCancelled();
    }

    @Override
    public final String graphName() {
        return run.name();
    }
}

package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.AccessList;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A task of a graph: a node that waits for earlier tasks, runs a body, and releases later tasks.
 *
 * <p>{@link LinkedNode} has the edges. All other state is in this class, with the steps of every task. Steps of few
 * tasks are in {@link TaskRun}, {@link Demotions} and {@link AsyncCompletion}, which change the state through this
 * class.
 */
final class TaskNode extends RunningTask implements Tracked {
    private static final VarHandle STATE = Fields.handle(MethodHandles.lookup(), "state", byte.class);

    private final Scope scope;
    private final String name;

    /**
     * The accesses: resource and access in turn. Replaced by a demotion, under the scope's lock. Nulled by the worker
     * when the task is over: the next submission may still see the task.
     */
    private @Nullable Object @Nullable [] accesses;

    /**
     * The body to run. Written by the submitter and by the worker that makes the task ready again, and nulled like
     * {@link #accesses}.
     */
    private @Nullable TaskBody body;

    /** The run of a task that is more than a body. Written before the submission, or by the body's thread. */
    private @Nullable TaskRun taskRun;

    /**
     * The code of a {@link TaskState}, for threads that look from outside. A number, since each write of a reference
     * also costs the collector's barrier. Written opaquely by the threads that move the task on, one at a time.
     */
    @SuppressWarnings("unused") // through its VarHandle
    private byte state;

    /**
     * The worker that runs the task. Written by that worker before the body, or before the work that follows an
     * asynchronous part.
     */
    private short worker;

    TaskNode(Scope scope, String name, AccessList accesses, TaskBody body, @Nullable TaskOptions options) {
        this.scope = scope;
        this.name = name;
        this.accesses = accesses.unwrap();
        this.body = body;
        if (options != null) {
            taskRun = new TaskRun(this, options);
            place(options.place);
        }
    }

    // ---- properties

    @Override
    public String name() {
        return name;
    }

    @Override
    Scope scope() {
        return scope;
    }

    @Override
    @Nullable
    TaskRun taskRun() {
        return taskRun;
    }

    @Override
    TaskRun ownTaskRun() {
        TaskRun own = taskRun;
        if (own == null) {
            own = new TaskRun(this, TaskOptions.NONE);
            taskRun = own;
        }
        return own;
    }

    @Override
    public int worker() {
        return worker;
    }

    /** Sets the worker that runs the task. Called by that worker, before it goes on with the task. */
    void runBy(int index) {
        worker = (short) index;
    }

    TaskBody body() {
        return Objects.requireNonNull(body);
    }

    /** Replaces the body. Called by the submitter, or by the worker that makes the task ready again. */
    void replaceBody(@Nullable TaskBody rest) {
        body = rest;
    }

    @Override
    @Nullable
    AccessList accessesNow() {
        @Nullable Object[] known = accesses;
        return known == null ? null : AccessList.wrap(known);
    }

    /** Returns the accesses; null when the task has ended, and its outcome is known. Any thread. */
    @Nullable
    AccessList accessesUnlessOutcome() {
        AccessList known = accessesNow();
        VarHandle.acquireFence(); // pairs with the release fence in endAlone()
        return known;
    }

    /** Replaces the accesses by the accesses that a demotion leaves. Under the scope's lock. */
    void declare(AccessList left) {
        accesses = left.unwrap();
    }

    // ---- on the way to run

    @Override
    boolean isAdjustable() {
        return taskRun != null && taskRun.options.adjustable;
    }

    /** Counts one edge down; the last makes the task ready. {@code context} is null outside of workers. */
    void edgeGone(@Nullable WorkerContext context) {
        if (countDown()) {
            becomeReady(context);
        }
    }

    /** Makes the task ready, since its submitter knows that nothing is left to wait for. */
    void readyOutside(Dispatcher dispatcher) {
        become(TaskState.READY, null);
        dispatcher.ready(this);
    }

    private void becomeReady(@Nullable WorkerContext context) {
        if (isAdjustable()) {
            Demotions.becomeReadySmaller(this, context);
        } else {
            announce(context);
        }
    }

    /** Makes the task ready, since nothing is left to wait for. {@code context} is null outside of workers. */
    void announce(@Nullable WorkerContext context) {
        if (context == null) {
            readyOutside(scope.domain.dispatcher);
        } else {
            become(TaskState.READY, context);
            context.readyAtEnd(this);
        }
    }

    /** Reports that the task is pending. The submitter's own edge keeps the counter above 0 until {@link #edgeGone}. */
    void tellPending() {
        become(TaskState.PENDING, null);
    }

    /** Sets the state and notifies the observer. {@code context} is null outside of workers. */
    void become(TaskState next, @Nullable WorkerContext context) {
        StateObserver watch = scope.watch;
        boolean news = watch != null && (next == TaskState.PENDING || state() != next); // afterwards is not reported
        STATE.setOpaque(this, (byte) next.code());
        if (watch != null && news) {
            watch.changed(this, next, context);
        }
    }

    // ---- run

    @Override
    public void run(WorkerContext context) {
        TaskRun own = taskRun;
        if (own != null && !own.takeUnordered()) {
            context.ranNothing();
            return; // made ready again by the task that holds the resource
        }
        Outcome because = fate();
        if (because != null) {
            neverRuns(context, Outcome.cancelled(name, because));
        } else if (scope.graph.isCancelled() && (own == null || !own.hasBegun())) {
            neverRuns(context, stopped(own));
        } else if (own == null || own.isInPlace()) {
            runBody(context, Objects.requireNonNull(body));
        } else {
            context.ranNothing();
        }
    }

    /** Returns the outcome of a task that a worker takes after its graph was cancelled. */
    private Outcome stopped(@Nullable TaskRun own) {
        boolean begun = own != null && (own.tries.wereMade() || state() == TaskState.RUNNING); // has afterwards left
        return begun ? Outcome.interrupted(name, scope.graph.text()) : Outcome.stopped(name, scope.graph.text());
    }

    private void neverRuns(WorkerContext context, Outcome how) {
        if (taskRun == null) {
            end(context, TaskState.CANCELLED, how);
        } else {
            taskRun.neverRuns(context, how);
        }
    }

    private void runBody(WorkerContext context, TaskBody work) {
        worker = (short) context.index();
        become(TaskState.RUNNING, context);
        fetchLater();
        Throwable error = scope.timed() ? callTimed(context, work) : call(work);
        if (taskRun == null && error == null) {
            end(context, TaskState.DONE, null);
        } else {
            ownTaskRun().bodyOver(context, error);
        }
    }

    /** Runs the body; returns the exception of the body, or null. */
    private @Nullable Throwable call(TaskBody work) {
        try {
            if (taskRun != null) {
                taskRun.begin();
            }
            work.run(this);
            return null;
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError) {
                scope.domain.broken.endRunIn(this); // here there is room for that again
            }
            return e;
        }
    }

    private @Nullable Throwable callTimed(WorkerContext context, TaskBody work) {
        long start = context.lane().beginTask();
        Throwable error = call(work);
        scope.graph.bodyEnded(context, this, start);
        return error;
    }

    /** Notifies the links of waiting threads that the end is known. Called after {@link TaskRun#decide}. */
    void tellDecided() {
        for (Link link = laterTasks(); link != null; link = link.next) {
            link.decided();
        }
        scope.domain.dispatcher.signal();
    }

    /**
     * Ends the task after all its parts, and each task around it that has no other part left. A loop, since refined
     * tasks nest to any depth. By the worker that ended the last of the parts.
     */
    void end(WorkerContext context, TaskState last, @Nullable Outcome how) {
        TaskNode around = endAlone(context, last, how);
        while (around != null) {
            around = around.ownTaskRun().partsOver(context);
        }
    }

    /** Ends the task. Returns the refined task around it if this was the last part; null otherwise. */
    @Nullable
    TaskNode endAlone(WorkerContext context, TaskState last, @Nullable Outcome how) {
        AccessList had = how == null ? null : accessesUnlessOver();
        if (how != null) {
            scope.graph.keep(how); // before any later task is released: a graph that stops starts none of them
        }
        if (how != null || fate() != null) {
            fate(how);
        }
        if (how != null) {
            scope.domain.epochs.registerIfDeferred(this);
        }
        @Nullable List<TaskNode> granted = taskRun == null ? null : taskRun.over(how);
        if (how != null) {
            VarHandle.releaseFence(); // a thread that sees the state, or no accesses any more, sees the outcome
        }
        accesses = null;
        body = null;
        become(last, context);
        if (how != null) {
            VarHandle.fullFence(); // a thread that attaches code for failures sees the state, or the link reports that
            for (Link link = laterTasks(); link != null; link = link.next) {
                link.ends(how);
            }
        }
        // Counted before the list is closed: closing is a full fence between the count and the look for gates.
        scope.end(context, last);
        release(context, how);
        if (granted != null) {
            granted.forEach(context::ready);
        }
        if (had != null && how != null && (taskRun == null || !taskRun.poisonsNothing)) {
            Poison.leave(this, had, how);
        }
        scope.openGates(context);
        int every = scope.lookEvery;
        if (every != 0) {
            scope.looksAtEnd(context, every);
        }
        return scope instanceof Refinement inside && inside.subTaskOver(how) ? inside.parent() : null;
    }

    /**
     * Closes the list and counts the later tasks down. Of the tasks that become ready the first submitted is to run
     * next.
     */
    private void release(WorkerContext context, @Nullable Outcome how) {
        Link link = closeLinks();
        for (; link != null; link = link.next) {
            TaskNode later = link.later;
            if (later == null) {
                link.over(context);
            } else if (!link.fired) {
                if (how != null && link.carriesFailure) {
                    later.cancelBecause(link.seen(how, later));
                }
                if (later.countDown()) {
                    later.becomeReady(context);
                }
            }
        }
    }

    // ---- for threads that look from outside, while workers go on

    @Override
    public TaskState state() {
        TaskState own = TaskState.of((byte) STATE.getOpaque(this));
        return own.isOver() || !scope.domain.abandonment.isOver() || isRecorded() ? own : TaskState.CANCELLED;
    }
}

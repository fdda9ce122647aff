package dev.jacquard.core.graph;

import dev.jacquard.core.execution.FailureLog;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.residency.DataClaim;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The run of a task that is more than a body: unordered resources, data, tries, time limits, stages, sub-tasks and the
 * work left to do after these. A task with none of them has no such object until one of them comes up.
 *
 * <p>Threads: the worker that runs the task, or that ended the last of its parts; one at a time, and each sees the
 * writes of the one before. Members that other threads touch say so.
 */
final class TaskRun {
    private final TaskNode task;
    final TaskOptions options;
    /** The adjustment by other threads; null if the task is not adjustable. */
    final @Nullable Adjustment adjustment;
    /** The data; null if the task accesses none, and has none brought. */
    final @Nullable StagedData data;
    /** The tries of the body. */
    final Tries tries;

    // ---- written before the submission

    /** The earlier tasks of explicit edges. Emptied when the task is over: the task must not keep them alive. */
    List<TaskNode> after = List.of();
    /** The number of the task in the order of submission, where tasks are numbered. */
    long id = -1;
    /** The number of reports of failures before the submission, of a task with unordered resources. */
    long tellings;
    /** True if the task was recorded for a compiled graph, and never runs itself. */
    boolean recorded;
    /** True if the task poisons nothing, however it ends. Written before the end, by the thread that ends the task. */
    boolean poisonsNothing;
    /** The group of the task; null for none. */
    @Nullable
    TaskGroup group;

    // ---- the run

    /** Written by the task's thread; under the monitor of the adjustment, if there is one. */
    private RunPhase phase = RunPhase.WAITING;

    /** True if the task holds its unordered resources. Written by its worker, or before the task is readied again. */
    private boolean holds;
    /**
     * The stage that the body of this try has left; null for none. Also read by the thread that cancels it, which may
     * see the stage of the try before.
     */
    private @Nullable AsyncCompletion suspension;
    /**
     * The refinement; null if the task is not refined. Written by the body, and by a thread that refines an adjustable
     * task from outside: under the monitor of the adjustment, while the task may be adjusted.
     */
    private @Nullable Refinement refinement;
    /** The body that runs after the sub-tasks, before the task is over. */
    private @Nullable TaskBody afterwards;
    /** The state in which the body ended, while sub-tasks go on. */
    private TaskState last = TaskState.DONE;
    /** The result, which forgets its function when the task is over; null for none. */
    private @Nullable ValueResult<?> result;
    /** The reference to the task from resources that were made inside it; null before the first. By the monitor. */
    private @Nullable Maker maker;
    /**
     * The outcome, known before the code has ended, since its limit has passed; else null. Written once, by the timers'
     * thread, before it looks for links to notify; a thread that adds a link reads it after that.
     */
    private volatile @Nullable Outcome told;

    TaskRun(TaskNode task, TaskOptions options) {
        this.task = task;
        this.options = options;
        this.adjustment = options.adjustable ? new Adjustment(task) : null;
        this.data = options.planned ? new StagedData(task, options) : null;
        this.tries = new Tries(task, options);
    }

    private void to(RunPhase next) {
        TaskGroup.Phase before = phase.told;
        if (adjustment == null) {
            phase = next;
        } else {
            synchronized (adjustment) {
                phase = next;
            }
        }
        if (group != null && before != next.told) {
            group.goes(before, next.told);
        }
    }

    /** Returns the phase. By the task's thread, or under the monitor of the adjustment. */
    RunPhase phase() {
        return phase;
    }

    // ---- seen by others

    /** Returns the claim of data, from when the task is about to run until it is over; else null. */
    @Nullable
    DataClaim claim() {
        return data == null ? null : data.claim();
    }

    boolean holds() {
        return holds;
    }

    @Nullable
    AsyncCompletion suspension() {
        return suspension;
    }

    @Nullable
    Refinement refinement() {
        return refinement;
    }

    @Nullable
    Outcome told() {
        return told;
    }

    /** Decides that the task will fail with {@code how}, before its code has ended. By the timers' thread. */
    void decide(Outcome how) {
        told = how; // volatile: a thread that adds a link from here on looks itself
    }

    /** Returns the reference to the task from resources that were made inside it; null before the first. Any thread. */
    synchronized @Nullable Maker maker() {
        return maker;
    }

    /** Returns that reference, and makes it if there is none. Any thread. */
    synchronized Maker maker(@Nullable Maker around) {
        Maker known = maker;
        if (known == null) {
            known = new Maker(task, around);
            maker = known;
        }
        return known;
    }

    // ---- before the body

    /**
     * Notes that a worker has taken the task, and takes its unordered resources, if it needs any. Returns true if the
     * task has them; else the task that holds them makes it ready again.
     */
    boolean takeUnordered() {
        if (phase == RunPhase.WAITING) {
            to(RunPhase.TAKEN);
        }
        if (!options.unordered || holds) {
            return true;
        }
        // Set before the request: when it is not granted now, the task may run as soon as another worker grants it.
        holds = true;
        long rank = task.scope().domain.dispatcher.rank(task);
        return task.scope().exclusions().take(task, rank, task.declared(), new UnorderedHolder(task, tellings));
    }

    /**
     * Claims the task's data. Returns true if all data is where the task runs; else the task is made ready again once
     * it is, or cannot be.
     */
    boolean isInPlace() {
        // Readied again with its claim, or refined from outside: then sub-tasks bring their own data, and that counts.
        if (data == null || !options.staged || data.claim() != null || refinement != null) {
            return true;
        }
        to(RunPhase.STAGING);
        return data.bring(tries.keeps());
    }

    /** Returns true if the task's kernel was enqueued on a device before the task was ready, and may have run. */
    boolean hasBegun() {
        LaunchAhead ahead = data == null ? null : data.ahead();
        return ahead != null && ahead.hasBegun();
    }

    /** Ends a task without running its body, and cancels its sub-tasks. */
    void neverRuns(WorkerContext context, Outcome how) {
        if (data != null && !data.isSettled()) {
            return; // a device still works for the task
        }
        Refinement inside = refinement;
        if (inside == null) {
            task.end(context, TaskState.CANCELLED, how);
            return;
        }
        task.fate(how);
        last = TaskState.CANCELLED;
        inside.neverStart(context, how);
        if (inside.partOver()) {
            joined(context);
        }
    }

    /** Begins a try. Throws the exception with which the body is to fail. */
    void begin() throws Throwable {
        tries.begins();
        DataClaim claim = claim();
        Throwable missing = claim == null ? null : claim.failure();
        if (missing != null && !options.isGivenUp()) {
            throw missing;
        }
        if (refinement != null) {
            refinement.start();
        }
        tries.prepare();
        to(RunPhase.RUNNING); // last: from here on threads outside may refine the task
    }

    // ---- for the body

    /** Makes the task wait for {@code stage}. The value of the stage goes to {@code keeper}. */
    <T extends @Nullable Object> void suspend(CompletionStage<? extends T> stage, Consumer<? super T> keeper) {
        suspension = new AsyncCompletion(task, stage, keeper);
    }

    /** Sets the body that runs after the sub-tasks. */
    void afterwards(TaskBody rest) {
        afterwards = rest;
    }

    /** Returns the refinement, for one more block that submits. For an adjustable task under its monitor. */
    Refinement enterRefinement(boolean running) {
        Refinement inside = refinement;
        if (inside == null) {
            if (data != null) {
                data.lend();
            }
            tries.end(); // the effects of its parts cannot be taken back
            inside = new Refinement(task);
            if (running) {
                inside.startedAlready();
            }
            refinement = inside;
        }
        inside.enterBlock();
        return inside;
    }

    /** Lets {@code its} forget its function at the end of the task, and not yet. */
    void keepUntilOver(ValueResult<?> its) {
        result = its;
    }

    // ---- after the body

    void bodyOver(WorkerContext context, @Nullable Throwable error) {
        if (options.detached && error == null) {
            return; // the task may be over already
        }
        AsyncCompletion left = suspension;
        if (left != null && error == null) {
            to(RunPhase.SUSPENDED);
            left.await(tries.attempt());
        } else {
            partOver(context, tries.over(error));
        }
    }

    /** Continues a task after its stage is complete, or was given up. */
    void stageOver(WorkerContext context, @Nullable Throwable error) {
        suspension = null;
        partOver(context, tries.over(error));
    }

    /**
     * Ends a try after its body, and asynchronous part, ended with {@code thrown} or well (null), unless the time limit
     * or a cancel has decided otherwise.
     */
    private void partOver(WorkerContext context, @Nullable Throwable thrown) {
        to(RunPhase.JOINING); // first: from here on the refinement is this thread's
        Throwable error = thrown;
        Refinement inside = refinement;
        if (error != null && inside == null) {
            if (triesAgain(error)) {
                to(RunPhase.RETRYING);
                task.become(TaskState.READY, context);
                context.readyAtEnd(task);
                return;
            }
            error = tries.explain(error);
        }
        Outcome how = error == null ? null : failed(error);
        TaskState ending = how == null ? TaskState.DONE : how.isFailure() ? TaskState.FAILED : TaskState.CANCELLED;
        if (inside != null) {
            if (error instanceof VirtualMachineError && inside.hasOpenBlock()) {
                task.scope().domain.broken.by = error; // the block that submits could not even end
            }
            task.fate(how); // read after the last part has ended
            last = ending;
            Tags.bodyOver(inside, how);
            if (inside.partOver()) {
                joined(context);
            }
        } else if (afterwards != null && how == null) {
            runAfterwards(context);
        } else {
            task.end(context, ending, how);
        }
    }

    private Outcome failed(Throwable error) {
        if (task.cancelled() && FailureLog.isGivenUp(error)) {
            return Outcome.interrupted(task.name(), task.scope().graph.text());
        }
        Outcome known = told;
        return known != null && known.error() == error ? known : tries.failed(error);
    }

    private boolean triesAgain(Throwable error) {
        if (!tries.goesOn(error)) {
            return false;
        }
        if (data != null) {
            data.release(false);
        }
        afterwards = null;
        return true;
    }

    /** Ends the task after its body and sub-tasks, and each task around it that has no other part left. */
    void joined(WorkerContext context) {
        TaskNode around = partsOver(context);
        while (around != null) {
            around = around.ownTaskRun().partsOver(context);
        }
    }

    /**
     * Ends the task after its body and sub-tasks, or runs the work left to do. By the worker that ended the last of
     * them.
     *
     * @return the task around this one, if this one was its last part; else null
     */
    @Nullable
    TaskNode partsOver(WorkerContext context) {
        Refinement parts = Objects.requireNonNull(refinement);
        parts.over();
        Outcome inside = parts.failure();
        Outcome own = task.fate();
        if (afterwards != null && own == null && inside == null) {
            runAfterwards(context);
            return null;
        }
        if (own != null || inside == null) {
            return task.endAlone(context, last, own);
        }
        return inside.root() == null
                ? task.endAlone(context, TaskState.CANCELLED, Outcome.cancelled(task.name(), inside))
                : task.endAlone(context, TaskState.FAILED, Outcome.failedInside(task.name(), inside));
    }

    private void runAfterwards(WorkerContext context) {
        tries.end();
        task.replaceBody(afterwards);
        refinement = null;
        afterwards = null;
        context.readyAtEnd(task);
    }

    // ---- the end

    /**
     * Releases all that the task, which is over, holds, and forgets the objects it needed to run: its result and
     * trackers may live longer. Returns the tasks that now get its unordered resources.
     */
    List<TaskNode> over(@Nullable Outcome how) {
        boolean began = phase.compareTo(RunPhase.RUNNING) >= 0;
        to(RunPhase.OVER);
        if (data != null) {
            data.over(how == null, began);
        }
        group = null;
        afterwards = null;
        after = List.of();
        if (result != null) {
            result.forget();
            result = null;
        }
        refinement = null;
        tries.forget();
        suspension = null;
        Optional.ofNullable(maker()).ifPresent(Maker::over); // resources that were made inside live on
        return holds ? task.scope().exclusions().release(task, how == null ? null : how.poison(true)) : List.of();
    }
}

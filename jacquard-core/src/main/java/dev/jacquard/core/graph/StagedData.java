package dev.jacquard.core.graph;

import dev.jacquard.memory.residency.Continuation;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Recomputation;
import dev.jacquard.memory.residency.Staging;
import dev.jacquard.memory.residency.Staging.Footprint;
import dev.jacquard.memory.residency.Staging.PlannedAccess;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The data of one task, from the plan of its accesses to the release of its claim.
 *
 * <p>Threads: the submitter, then the threads of {@link TaskRun}.
 */
final class StagedData {
    private final TaskNode task;
    private final TaskOptions options;
    /** The way to do the task's work again; null if it is not needed, or not known. Written before the submission. */
    private @Nullable Recomputation recomputation;
    /** The launch of the kernel before the task is ready; null if it is not launched ahead. As above. */
    private @Nullable LaunchAhead ahead;
    /** The planned access to data, which other tasks see before this one runs; null for none. As above. */
    private @Nullable PlannedAccess plan;
    /** The claim, from when the task is about to run until it is over. */
    private @Nullable DataClaim claim;

    /**
     * True once sub-tasks may have the data. Written by the thread that first refines the task, read after the last
     * sub-task.
     */
    private boolean lent;

    StagedData(TaskNode task, TaskOptions options) {
        this.task = task;
        this.options = options;
    }

    /** Sets the attributes that come with the task's kernel. */
    void kernel(@Nullable Recomputation again, @Nullable LaunchAhead early) {
        recomputation = again;
        ahead = early;
    }

    /** Announces the task, which is to be submitted, to the staging. */
    PlannedAccess plan() {
        DependencyDomain domain = task.scope().domain;
        try {
            PlannedAccess made = domain.staging().plan(task.name(), options.kernel, task.declared(), options.place);
            plan = made;
            return made;
        } catch (Error e) { // memory or the stack is full: other plans would wait for this half made one
            domain.broken.by = e; // a field, since there may be no stack left for a call
            domain.broken.endRunOf(task);
            throw e;
        }
    }

    /** Returns true if the kernel may be enqueued before the task is ready. */
    boolean mayLaunchAhead() {
        return options.mayLaunchAhead();
    }

    /** Returns true if the device has so little to do that the kernel may be enqueued now. */
    boolean takesAhead() {
        return plan == null || plan.takesAhead();
    }

    @Nullable
    LaunchAhead ahead() {
        return ahead;
    }

    @Nullable
    DataClaim claim() {
        return claim;
    }

    /**
     * Claims the data for a kernel that is enqueued early, or for the task, which is about to run.
     *
     * @param keeps true if the data that the task updates must be kept for another try
     */
    DataClaim make(boolean keeps) {
        Staging staging = task.scope().domain.staging();
        Footprint declared = staging.footprint(task.declared());
        Footprint footprint = lent ? declared.behindOthers() : declared;
        DataClaim made = staging.claim(task.name(), footprint, task.place(), recomputation, keeps);
        if (options.brings) {
            made.brings();
        }
        if (plan != null) {
            plan.claimed(made);
        }
        return made;
    }

    /**
     * Claims the data for the task. Returns true if all of it is where the task runs; else the task is made ready again
     * once it is, or cannot be.
     */
    boolean bring(boolean keeps) {
        DataClaim early = ahead == null ? null : ahead.take();
        if (early == null && movesNow()) {
            task.scope().domain.dispatcher.ready(task);
            return false;
        }
        DataClaim made = early == null ? make(keeps) : early;
        claim = made; // set first: the task may be readied, and run, before begin() returns
        return made.begin(new Ready(task, options));
    }

    /** Sends the task elsewhere, if its kernel is better off there by now. */
    private boolean movesNow() {
        PlannedAccess mine = plan;
        TargetSelection route = task.ownTaskRun().tries.route();
        if (mine == null || route == null || !route.moves(mine)) {
            return false;
        }
        task.place(route.where());
        return true;
    }

    /** Makes a task ready again. */
    private record Ready(TaskNode task, TaskOptions options) implements Continuation {
        @Override
        public void run() {
            task.scope().domain.dispatcher.ready(task);
        }

        @Override
        public boolean isUnwanted() {
            return task.scope().graph.isCancelled() || options.isGivenUp();
        }
    }

    /** Reports the tasks that wait for room for their data, and the memory that is full. */
    static void eachWaiting(Staging staging, BiConsumer<TaskNode, String> told) {
        staging.eachWaiting((then, why) -> {
            if (then instanceof Ready ready) {
                told.accept(ready.task, why);
            }
        });
    }

    /**
     * Releases the claim, if there is one: the body's output so far counts, and sub-tasks bring their data themselves.
     */
    void lend() {
        lent = true;
        release(true);
    }

    /** Returns true if no device works for the task, which never runs; else it is made ready again then. */
    boolean isSettled() {
        return ahead == null
                || ahead.isSettled(claim, () -> task.scope().domain.dispatcher.ready(task));
    }

    /** Releases the claim. */
    void release(boolean well) {
        DataClaim mine = claim;
        if (mine != null) {
            claim = null;
            mine.release(well);
        }
    }

    /** Releases the claim of a task that has not begun: the data that it was to write is unchanged. */
    private void giveBack() {
        DataClaim mine = claim;
        if (mine != null) {
            claim = null;
            mine.release(false, List.of());
        }
    }

    /**
     * Releases all that the task, which is over, holds, and forgets the objects it needed to run.
     *
     * @param began true if its body was begun
     */
    void over(boolean well, boolean began) {
        if (well || began) {
            release(well);
        } else {
            giveBack();
        }
        if (ahead != null) {
            ahead.over(task);
            ahead = null;
        }
        if (plan != null) {
            plan.over();
            plan = null;
        }
        recomputation = null;
    }
}

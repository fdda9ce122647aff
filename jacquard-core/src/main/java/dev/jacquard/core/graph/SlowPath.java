package dev.jacquard.core.graph;

import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Footprint;
import dev.jacquard.memory.residency.Staging;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The steps before and after the body that only few tasks need: unordered resources, data, tries, time limits,
 * sub-tasks, the work left to do after these, and failure.
 *
 * <p>Threads: the worker that runs the task, or that ended the last of its parts; one at a time, and each sees what the
 * one before wrote.
 */
final class SlowPath {
    /** The longest chain of causes that is followed. */
    private static final int MOST_CAUSES = 16;

    private SlowPath() {}

    // ---- before the body

    /**
     * Takes the task's unordered resources. Returns true if the task has them; else the task that holds them makes it
     * ready again.
     */
    static boolean takeUnordered(TaskNode task, Extras mine) {
        // Set before the request: when it is not granted now, the task may run as soon as another worker grants it.
        mine.holds = true;
        long rank = task.scope().domain.dispatcher.rank(task);
        return task.scope().exclusions().take(task, rank, task.declared(), task::cancelBecause);
    }

    /**
     * Claims the task's data. Returns true if all data is where the task runs; else the task is made ready again once
     * it is, or cannot be.
     */
    static boolean isInPlace(TaskNode task, Extras mine) {
        if (mine.claim != null) {
            return true; // the task was readied again
        }
        if (mine.refinement != null) {
            return true; // refined from outside: sub-tasks bring their own data, and what they write must count
        }
        DependencyDomain domain = task.scope().domain;
        Staging staging = domain.staging();
        DataClaim claim = mine.ahead == null ? null : mine.ahead.take();
        if (claim == null) {
            Footprint footprint = staging.footprint(task.declared());
            claim = staging.claim(task.name(), footprint, task.place(), mine.recipe, mine.retry != null);
            if (mine.intent != null) {
                mine.intent.claimed(claim);
            }
        }
        mine.goesTo(TaskGroup.Phase.STAGING);
        mine.claim = claim; // set first: the task may be readied, and run, before begin() returns
        return claim.begin(() -> domain.dispatcher.ready(task));
    }

    /** Returns the outcome of a task that a worker takes after its graph was cancelled. */
    static Outcome stopped(TaskNode task, @Nullable Extras mine) {
        boolean tried = mine != null
                && ((mine.retry != null && mine.retry.tries() > 0) || (mine.route != null && mine.route.wasTried()));
        boolean begun = tried || task.state() == TaskState.RUNNING; // has afterwards left to do
        String graph = task.scope().graph.text();
        return begun ? Outcome.interrupted(task.name(), graph) : Outcome.stopped(task.name(), graph);
    }

    /** Ends a task whose body never runs, and cancels its sub-tasks. */
    static void neverRun(TaskNode task, WorkerContext context, Outcome how) {
        Extras mine = task.extras();
        Refinement inside = mine == null ? null : mine.refinement;
        if (mine != null && mine.ahead != null && !mine.ahead.isSettled(mine.claim, () -> readyAgain(task))) {
            return; // a device still works for the task
        }
        if (mine == null || inside == null) {
            task.end(context, TaskState.CANCELLED, how);
            return;
        }
        task.fate(how);
        mine.last = TaskState.CANCELLED;
        inside.neverStart(context, how);
        if (inside.partOver()) {
            refinementOver(task, context);
        }
    }

    private static void readyAgain(TaskNode task) {
        task.scope().domain.dispatcher.ready(task);
    }

    static void begin(TaskNode task, Extras mine) throws Throwable {
        mine.goesTo(TaskGroup.Phase.RUNNING);
        if (mine.retry != null) {
            mine.retry.begins();
        }
        Throwable missing = mine.claim == null ? null : mine.claim.failure();
        if (missing != null) {
            throw missing;
        }
        if (mine.refinement != null) {
            mine.refinement.start();
        }
        if (mine.retry != null) {
            mine.retry.prepare(task.declared());
        }
        if (mine.timeLimitNanos > 0 || mine.interruptible) {
            Attempt attempt = new Attempt(task, mine.timeLimitNanos, mine.retry == null ? 1 : mine.retry.lastTry());
            mine.attempt = attempt;
            task.scope().graph.running().begins(attempt);
            attempt.limit(task.scope().domain.dispatcher);
        }
        mine.bodyBegins();
    }

    // ---- after the body

    static void bodyOver(TaskNode task, WorkerContext context, @Nullable Throwable error) {
        Extras mine = task.extras();
        if (mine == null) {
            partOver(task, context, error, null);
        } else if (mine.detached && error == null) {
            return; // the task may be over already
        } else if (mine.stage != null && error == null) {
            AsyncCompletion.await(task, mine, mine.stage);
        } else {
            attemptOver(task, context, error, mine);
        }
    }

    /**
     * Ends a try whose body, and asynchronous part, ended with {@code error} or well (null), unless the time limit has
     * decided otherwise.
     */
    static void attemptOver(TaskNode task, WorkerContext context, @Nullable Throwable error, Extras mine) {
        partOver(task, context, triedUntil(task, mine, error), mine);
    }

    /**
     * Ends the interruptible part of a try; returns the error that counts, which may be the time limit's or a cancel's;
     * null when the try ended well.
     */
    private static @Nullable Throwable triedUntil(TaskNode task, Extras mine, @Nullable Throwable error) {
        Attempt attempt = mine.attempt;
        if (attempt == null) {
            return error;
        }
        mine.attempt = null;
        task.scope().graph.running().ends(attempt);
        return attempt.over(error);
    }

    private static void partOver(
            TaskNode task, WorkerContext context, @Nullable Throwable error, @Nullable Extras mine) {
        Refinement inside = mine == null ? null : mine.bodyOver();
        if (error != null && mine != null && inside == null) {
            if (triesAgain(task, mine, error)) {
                task.become(TaskState.READY, context);
                context.readyAtEnd(task);
                return;
            }
            error = mine.route == null ? error : mine.route.explain(error);
        }
        TaskState last = error == null ? TaskState.DONE : TaskState.FAILED;
        Outcome how = error == null ? null : failed(task, mine, error);
        if (error != null && task.scope().graph.isCancelled() && isGivenUp(error)) {
            last = TaskState.CANCELLED;
            how = Outcome.interrupted(task.name(), task.scope().graph.text());
        }
        if (mine != null && inside != null) {
            if (error instanceof VirtualMachineError && inside.hasOpenBlock()) {
                inside.lock.abandoned = true; // the block that submits could not even end
                task.scope().domain.broken.by = error;
            }
            task.fate(how); // read after the last part has ended
            mine.last = last;
            if (inside.partOver()) {
                refinementOver(task, context);
            }
        } else if (mine != null && mine.afterwards != null && how == null) {
            runAfterwards(task, context, mine);
        } else {
            task.end(context, last, how);
        }
    }

    private static Outcome failed(TaskNode task, @Nullable Extras mine, Throwable error) {
        Outcome told = mine == null ? null : mine.told;
        int tries = mine == null || mine.retry == null ? 1 : mine.retry.tries();
        return told != null && told.error() == error
                ? told
                : Outcome.failed(task.name(), error, details(task, mine, tries));
    }

    /**
     * Returns true if {@code error} says that the code was interrupted, or that something it waited for was cancelled.
     */
    private static boolean isGivenUp(Throwable error) {
        Throwable cause = error;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            if (cause instanceof CancellationException
                    || cause instanceof InterruptedException
                    || cause instanceof InterruptedIOException
                    || cause instanceof ClosedByInterruptException) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /**
     * Returns true if another try follows: first in the same place, as often as the user said, then in other places
     * where the task can run. The next try of a task whose graph is cancelled is cancelled, like every task that has
     * not started.
     */
    private static boolean triesAgain(TaskNode task, Extras mine, Throwable error) {
        boolean here = mine.retry != null && !(error instanceof DeviceLostException) && mine.retry.again(error);
        if (!here && (mine.route == null || !mine.route.goesOn(task, error))) {
            return false;
        }
        if (here) {
            mine.takeBack();
        } else {
            mine.letGo(false);
        }
        mine.afterwards = null;
        return true;
    }

    /** Returns a text with the place where the task failed, the number of tries, and its accesses. */
    static String details(TaskNode task, @Nullable Extras mine, int tries) {
        StringBuilder text = new StringBuilder("worker ").append(task.worker());
        if (mine != null && mine.retry != null) {
            text.append(" after ").append(tries).append(tries == 1 ? " try" : " tries");
        }
        String how = task.accessText();
        text.append(how.isEmpty() ? "" : " (" + how + ')');
        return text.append(task.siteText()).toString();
    }

    /**
     * Ends the parts of {@code task}, of which the body, or a block outside that submits, was the last that was not
     * over. By a worker.
     */
    static void refinementOver(TaskNode task, WorkerContext context) {
        TaskNode around = partsOver(task, context);
        while (around != null) {
            around = partsOver(around, context);
        }
    }

    /**
     * Ends a refined task whose body and sub-tasks are all over, or runs what is left to do. By the worker that ended
     * the last of them.
     *
     * @return the task around {@code task}, if {@code task} was its last part; else null
     */
    static @Nullable TaskNode partsOver(TaskNode task, WorkerContext context) {
        Extras mine = Objects.requireNonNull(task.extras());
        Refinement parts = Objects.requireNonNull(mine.refinement);
        parts.over();
        Outcome inside = parts.failure();
        Outcome own = task.fate();
        if (mine.afterwards != null && own == null && inside == null) {
            runAfterwards(task, context, mine);
            return null;
        }
        if (own != null || inside == null) {
            return task.endAlone(context, mine.last, own);
        }
        return task.endAlone(
                context,
                inside.root() == null ? TaskState.CANCELLED : TaskState.FAILED,
                Outcome.cancelled(task.name(), inside));
    }

    private static void runAfterwards(TaskNode task, WorkerContext context, Extras mine) {
        if (mine.retry != null) {
            mine.retry.end();
        }
        task.replaceBody(mine.again());
        context.readyAtEnd(task);
    }

    /**
     * Returns true if the body may run again; {@code result} is then told later when it will not. Called by the body,
     * at its end.
     */
    static boolean mayRunAgain(TaskNode task, ValueResult<?> result) {
        Extras mine = task.extras();
        if (mine != null) {
            mine.result = result;
        }
        return mine != null || task.isRecorded();
    }

    /** Releases everything that a task which is over holds; returns the tasks that now get its unordered resources. */
    static List<TaskNode> letGo(TaskNode task, Extras mine, @Nullable Outcome how) {
        mine.goesTo(TaskGroup.Phase.ELSEWHERE);
        mine.letGo(how == null);
        if (mine.ahead != null) {
            mine.ahead.over(task);
        }
        if (mine.intent != null) {
            mine.intent.over();
        }
        mine.forget();
        return mine.holds ? task.scope().exclusions().release(task, how) : List.of();
    }
}

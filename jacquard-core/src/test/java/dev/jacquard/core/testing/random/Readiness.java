package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.TaskState;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The tasks that are pending at a moment, held against those that have to wait: a task is pending exactly when it has
 * to wait for an earlier one that is not over. Exact where nothing happens meanwhile, so for programs that are played.
 *
 * <p>What the contracts leave open counts as neither: user code that works on data itself, recorded runs, what fills
 * data before the first task, and tasks that gave something up when it may have been too late.
 */
final class Readiness {
    private static final Set<Job.Kind> TASKS = Set.of(
            Job.Kind.BODY,
            Job.Kind.CALL,
            Job.Kind.PLAIN_KERNEL,
            Job.Kind.KERNEL,
            Job.Kind.ASYNC,
            Job.Kind.DRIVER,
            Job.Kind.LOOK,
            Job.Kind.COMPILED);

    private enum Cause {
        NONE,
        PERHAPS,
        SURELY
    }

    private final Program program;
    private final Trial trial;

    Readiness(Program program, Trial trial) {
        this.program = program;
        this.trial = trial;
    }

    void check() {
        check(trial.submissions());
        program.all().map(trial::of).filter(its -> its.entered.get() > 0).forEach(its -> {
            check(its.job.inside().stream().map(trial::of).toList());
            check(its.job.subs().stream().map(trial::of).toList());
            check(its.job.more().stream().map(trial::of).toList());
        });
    }

    /** Tasks of one level, in the order in which they were submitted. */
    private void check(List<Seen> level) {
        for (int at = 0; at < level.size(); at++) {
            Seen its = level.get(at);
            if (isTask(its) && its.refusal == null && its.result != null) {
                check(its, level.subList(0, at));
            }
        }
    }

    private void check(Seen its, List<Seen> earlier) {
        boolean pending = its.state() == TaskState.PENDING;
        Seen cause = null;
        boolean perhaps = program.setting().edges() != 0 || its.held || its.job.isEarly() || mayBePending(its.job);
        for (Seen each : earlier) {
            Cause now = cause(each, its);
            perhaps |= now == Cause.PERHAPS;
            cause = now == Cause.SURELY ? each : cause;
        }
        if (pending && cause == null && !perhaps) {
            trial.bodies().violation(Violation.Kind.READY, its + " is pending, and need not wait for any task");
        } else if (!pending && cause != null) {
            trial.bodies()
                    .violation(Violation.Kind.READY, its + " is " + its.state() + ", and has to wait for " + cause);
        }
    }

    private static boolean isTask(Seen its) {
        return TASKS.contains(its.job.kind());
    }

    /**
     * Returns whether what is no task of the program may hold it up: data is filled or freed by others. One that its
     * submitter, in a window, begins within the submission is not ready while it waits for its locks, or data.
     */
    private boolean mayBePending(Job job) {
        boolean begun = program.setting().windows()[job.graph()] > 0;
        for (Touch touch : job.touches()) {
            Store.Kind kind = program.stores().get(touch.store()).kind();
            boolean freed = kind == Store.Kind.DATA && program.setting().frees();
            if (freed || (begun && kind != Store.Kind.HANDLE) || !trial.world().isFilled(touch.store())) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code later} has to wait for {@code earlier}. */
    private Cause cause(Seen earlier, Seen later) {
        boolean known = isTask(earlier) && earlier.result != null;
        if (earlier.refusal != null || (known && earlier.state().isOver())) {
            return Cause.NONE;
        }
        if (isTied(earlier.job, later)) {
            return known ? Cause.SURELY : Cause.PERHAPS;
        }
        List<Touch> touches = later.job.touches();
        if (!conflict(earlier.job.touches(), touches)) {
            return Cause.NONE;
        }
        boolean pending = earlier.state() == TaskState.PENDING;
        boolean surely = pending || conflict(left(earlier), touches);
        if (!surely) {
            return earlier.entered.get() > 0 && !mayKeep(earlier)
                    ? Cause.NONE
                    : Cause.PERHAPS; // one that is to be cancelled gives nothing up
        }
        return known ? Cause.SURELY : Cause.PERHAPS;
    }

    /** The accesses that {@code its}, which is not pending, still has. */
    private static List<Touch> left(Seen its) {
        Job job = its.job;
        List<Touch> start = Job.demoted(job.touches(), job.early().subList(0, its.early.get()));
        return Job.demoted(Job.demoted(start, job.demotions().subList(0, its.gaveUp)), its.behind);
    }

    /** Returns true if {@code its} may have given nothing up, since one of its sub-tasks had failed. */
    private boolean mayKeep(Seen its) {
        boolean gaveUpBehind = its.job.course().turned() || !its.behind.isEmpty();
        return gaveUpBehind
                && Stream.concat(its.job.inside().stream(), its.job.subs().stream())
                        .map(trial::of)
                        .anyMatch(Seen::endedBadly);
    }

    private static boolean isTied(Job earlier, Seen later) {
        Job.Ties ties = later.job.ties();
        boolean sameGraph = earlier.graph() == later.job.graph();
        boolean barrier = earlier.ties().barrier() || ties.barrier();
        boolean tagged =
                ties.afterTag() > 0 && ties.afterTag() == earlier.ties().tag();
        return (sameGraph && (barrier || tagged)) || later.after.contains(earlier.id());
    }

    /** Whether tasks with such touches must not run side by side, in the order of their submission. */
    private boolean conflict(List<Touch> some, List<Touch> others) {
        for (Touch one : some) {
            for (Touch other : others) {
                if (!program.stores().get(one.store()).kind().isUnordered()
                        && one.how().conflicts(other.how())
                        && program.meet(one, other)) {
                    return true;
                }
            }
        }
        return false;
    }
}

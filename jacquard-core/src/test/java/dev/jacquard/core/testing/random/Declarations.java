package dev.jacquard.core.testing.random;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.testing.random.Job.Kind;
import dev.jacquard.core.testing.random.Job.Where;
import dev.jacquard.core.testing.random.Job.Where.Main;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What tasks declare besides their accesses: where they run, what they come behind, how they end. Threads: submitters.
 */
final class Declarations {
    private final Program program;
    private final List<ExecutionTarget> devices;
    private final Map<Integer, Seen> seen;

    Declarations(Program program, List<ExecutionTarget> devices, Map<Integer, Seen> seen) {
        this.program = program;
        this.devices = devices;
        this.seen = seen;
    }

    void make(TaskBuilder task, Seen its) {
        Job job = its.job;
        ties(task, its);
        if (job.where().main() == Main.BEFORE) {
            task.flag(Flag.MAIN_THREAD);
        }
        switch (job.where().target()) {
            case Where.ANYWHERE, Where.DEVICES -> {}
            case Where.HOST -> task.on(ExecutionTarget.HOST);
            case Where.OTHERS -> task.on(Setting.OTHERS);
            default ->
                task.on(
                        devices.isEmpty()
                                ? ExecutionTarget.HOST
                                : devices.get(job.where().target() % devices.size()));
        }
        if (job.where().main() == Main.AFTER) {
            task.flag(Flag.MAIN_THREAD);
        }
        if (job.fate().retries() > 0) {
            task.retries(job.fate().retries());
        }
        if (job.fate().limit()) {
            task.timeLimit(Duration.ofNanos(Bodies.LIMIT_NANOS));
        }
        if (job.isAdjusted()) {
            task.adjustable();
        }
        hint(task, job);
    }

    private static void hint(TaskBuilder task, Job job) {
        Job.Manner manner = job.manner();
        if (manner.affinity() >= 0) {
            task.affinity(manner.affinity());
        }
        if (manner.flag() > 0) {
            task.flag(Flag.named("flag " + manner.flag()));
        }
        if (manner.interruptible() && job.kind() == Kind.ASYNC) {
            task.abandonable();
        } else if (manner.interruptible()) {
            task.interruptible();
        }
    }

    private void ties(TaskBuilder task, Seen its) {
        Job job = its.job;
        List<Integer> after = new ArrayList<>();
        for (int earlier : job.ties().after()) {
            Seen known = seen.get(earlier);
            Task<?> result = known == null ? null : known.result;
            if (result != null) {
                task.after(result);
                after.add(earlier);
            }
        }
        its.after = after;
        if (job.ties().tag() > 0) {
            task.tag("tag " + job.ties().tag());
        }
        if (job.ties().afterTag() > 0) {
            boolean mayStillCome = job.isEarly() && program.late() != null;
            task.afterTag(
                    "tag " + job.ties().afterTag(),
                    mayStillCome ? Task.TagMembers.MAY_STILL_COME : Task.TagMembers.SO_FAR);
        }
        if (job.ties().barrier()) {
            task.flag(Flag.SYNCHRONIZING);
        }
        if (job.ties().priority() != 0) {
            task.priority(job.ties().priority());
        }
    }
}

package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.TaskContext;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The bodies that give up what their tasks declare. Threads: those that run tasks. */
final class GivingUp {
    private final Bodies bodies;
    private final Program program;
    private final World world;
    private final Marks marks;
    private final Pace pace;

    GivingUp(Bodies bodies, Program program, World world, Marks marks, Pace pace) {
        this.bodies = bodies;
        this.program = program;
        this.world = world;
        this.marks = marks;
        this.pace = pace;
    }

    /** Demotes the task, step by step, and works on what is left; returns that. */
    List<Touch> inTurn(Seen its, List<Touch> first, TaskContext context) {
        Job job = its.job;
        List<Touch> left = job.atStart();
        List<Touch> held = first;
        int step = 0;
        for (Touch to : job.demotions()) {
            step++;
            left = Job.demoted(left, List.of(to));
            marks.exit(held);
            bodies.enter(its, left);
            held = left;
            its.gaveUp = step;
            context.demote(world.resource(to.store()), world.access(to));
            pace.mayLinger(job);
            if (job.course().late()) {
                bodies.work(Judge.late(job, step), left, context);
            }
        }
        return held;
    }

    /**
     * Demotes the task behind the submission of its sub-tasks, which may refuse it while they need what it gives up.
     */
    void behind(Seen its, TaskContext context) {
        behind(
                its,
                context,
                to -> its.job.subs().stream()
                        .flatMap(sub -> sub.touches().stream())
                        .anyMatch(touch -> program.isRelated(touch.store(), to.store())));
    }

    /** Gives up what was refused before, as the sub-tasks are over. */
    void afterwards(Seen its, TaskContext context) {
        behind(its, context, to -> false);
    }

    private void behind(Seen its, TaskContext context, Predicate<Touch> needed) {
        Set<Integer> refused = new HashSet<>(); // of which less cannot be given up before
        for (Touch to : its.job.behind()) {
            pace.mayLinger(its.job);
            if (its.behind.contains(to) || refused.contains(to.store())) {
                continue;
            }
            try {
                context.demote(world.resource(to.store()), world.access(to));
                its.gaveUp(to);
            } catch (IllegalStateException e) {
                refused.add(to.store());
                if (!needed.test(to)) {
                    bodies.violation(Violation.Kind.ERROR, its + " may give up " + to + ", and was refused it: " + e);
                }
            }
        }
    }
}

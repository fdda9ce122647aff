package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.Tasks;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The bodies that refine their tasks, and what they leave to do behind the sub-tasks. Threads: those that run tasks.
 */
final class Refining {
    private final Bodies bodies;
    private final Marks marks;
    private final Pace pace;
    private final GivingUp givingUp;
    private final Inside inside;
    /** Submits sub-tasks. */
    private final BiConsumer<Tasks, Job> submission;

    Refining(
            Bodies bodies,
            Marks marks,
            Pace pace,
            GivingUp givingUp,
            Inside inside,
            BiConsumer<Tasks, Job> submission) {
        this.bodies = bodies;
        this.marks = marks;
        this.pace = pace;
        this.givingUp = givingUp;
        this.inside = inside;
        this.submission = submission;
    }

    /** Submits the sub-tasks, if there are any, which take over what the task holds; returns what is left. */
    List<Touch> split(Seen its, List<Touch> held, TaskContext context) {
        Job job = its.job;
        if (job.subs().isEmpty()) {
            return held;
        }
        marks.exit(held);
        if (job.course().afterwards()) {
            context.afterwards(rest -> rest(its, rest));
        }
        boolean before = inside.beginsEarly(its);
        if (before) {
            inside.begin(its);
        }
        context.refine(sub -> {
            if (!before) {
                inside.begin(its);
            }
            inside.submit(its, sub, 0);
            job.subs().forEach(one -> submission.accept(sub, one));
            inside.submit(its, sub, 1);
        });
        inside.outside(its);
        givingUp.behind(its, context);
        return List.of();
    }

    private void rest(Seen its, TaskContext context) {
        bodies.checkPlace(its);
        List<Touch> left = its.job.afterwards();
        bodies.goOn(its, left);
        bodies.work(~its.job.id(), left, context);
        givingUp.afterwards(its, context);
        pace.pause(its.job);
        if (its.job.more().isEmpty() && !inside.hasAfterwards(its)) {
            bodies.end(its, left);
        } else {
            marks.exit(left);
            context.refine(sub -> {
                its.job.more().forEach(one -> submission.accept(sub, one));
                inside.afterwards(its, sub);
            });
            bodies.end(its, List.of());
        }
    }
}

package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.Tasks;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Refines and demotes tasks from outside. Threads: those that submit them. */
final class Adjusting {
    private final World world;
    private final Bodies bodies;
    private final Pace pace;
    /** Submits sub-tasks. */
    private final BiConsumer<Tasks, Job> submission;

    Adjusting(World world, Bodies bodies, Pace pace, BiConsumer<Tasks, Job> submission) {
        this.world = world;
        this.bodies = bodies;
        this.pace = pace;
        this.submission = submission;
    }

    /** Refines and demotes the task of {@code its}. By its submitter. */
    void adjust(Seen its, Task<?> result) {
        Job job = its.job;
        Consumer<Tasks> inside = sub -> {
            its.adjusted = true;
            its.held = true;
            pace.pause(job);
            job.inside().forEach(one -> submission.accept(sub, one));
            its.held = false;
        };
        if (!job.inside().isEmpty() && job.course().turned()) {
            attempt(its, () -> result.tryRefine(inside));
        }
        for (Touch to : job.early()) {
            attempt(its, () -> {
                if (result.tryDemote(world.resource(to.store()), world.access(to))) {
                    its.early.incrementAndGet();
                }
            });
        }
        if (!job.inside().isEmpty() && !job.course().turned()) {
            attempt(its, () -> result.tryRefine(inside));
        }
    }

    /** It may be too late for that, which is told by an answer. */
    private void attempt(Seen its, Runnable adjustment) {
        try {
            adjustment.run();
        } catch (IllegalStateException | IllegalArgumentException e) {
            bodies.violation(Violation.Kind.ERROR, its + " could not be adjusted: " + e);
        }
    }
}

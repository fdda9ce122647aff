package dev.jacquard.core.testing.random;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The course of a task's accesses.
 *
 * @param early demotions from outside
 * @param inside sub-tasks from outside
 * @param turned whether those from outside come before the demotions
 * @param demotions by its body, in turn
 * @param late whether it works on what is left behind each of them
 * @param subs sub-tasks by its body, behind the demotions; of compiled ones the tasks
 * @param behind demotions by its body, in turn, behind the sub-tasks, which may still need what is given up
 * @param afterwards whether work is left to do behind the sub-tasks, and then what is left of the demotions
 * @param more sub-tasks by that work, of what is left in the end
 * @param spawned what its body submits to the graphs
 */
record Course(
        List<Touch> early,
        List<Job> inside,
        boolean turned,
        List<Touch> demotions,
        boolean late,
        List<Job> subs,
        List<Touch> behind,
        boolean afterwards,
        List<Job> more,
        List<Job> spawned) {
    static final Course NONE = of(List.of());

    static Course of(List<Job> subs) {
        return new Course(
                List.of(),
                List.of(),
                false,
                List.of(),
                false,
                List.copyOf(subs),
                List.of(),
                false,
                List.of(),
                List.of());
    }

    /** Without the jobs of {@code ids}. */
    Course without(Set<Integer> ids) {
        return with(jobs -> Job.without(jobs, ids));
    }

    /** With other jobs inside. */
    Course with(UnaryOperator<List<Job>> others) {
        return new Course(
                early,
                others.apply(inside),
                turned,
                demotions,
                late,
                others.apply(subs),
                behind,
                afterwards,
                others.apply(more),
                others.apply(spawned));
    }
}

package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskGroup;
import dev.jacquard.core.graph.TaskState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A group of tasks for each graph, and when it is told that they are over. Tasks join by the submitter whose turn it
 * is.
 */
final class Groups {
    private static final int MOST_SUPPRESSED = 15;

    private final List<Group> all = new ArrayList<>();

    /** One of them. */
    private record Group(TaskGroup group, List<Seen> members, AtomicInteger told, AtomicInteger early) {}

    Groups(TaskGraph[] graphs) {
        for (TaskGraph graph : graphs) {
            all.add(new Group(graph.group(), new ArrayList<>(), new AtomicInteger(), new AtomicInteger()));
        }
    }

    /** The group that {@code its} joins. */
    TaskGroup join(Seen its) {
        Group joined = all.get(its.job.graph());
        joined.members.add(its);
        return joined.group;
    }

    /** Nothing joins any more. By the opener. */
    void end() {
        for (Group each : all) {
            each.group.whenOver(() -> {
                each.told.incrementAndGet();
                if (each.members.stream()
                        .anyMatch(its -> its.refusal == null && !its.state().isOver())) {
                    each.early.incrementAndGet();
                }
            });
        }
    }

    /** All is over: says what groups were told that they should not have been. */
    void verify(Bodies bodies) {
        for (Group each : all) {
            if (each.told.get() != 1 || each.early.get() != 0) {
                bodies.violation(
                        Violation.Kind.STATE,
                        "a group was told " + each.told + " times that it is over, " + each.early + " times early");
            }
            boolean well = each.members.stream().allMatch(its -> its.refusal != null || its.state() == TaskState.DONE);
            if (well != (each.group.failure() == null)) {
                bodies.violation(
                        Violation.Kind.STATE,
                        "a group of " + each.members + " says of its failure: " + each.group.failure());
            }
            each.members.forEach(its -> requireTold(bodies, each.group, its));
        }
    }

    /** A failure of a member is among those that its group tells, as far as these are not too many. */
    private static void requireTold(Bodies bodies, TaskGroup group, Seen its) {
        Throwable error = Told.root(Told.ending(its));
        RuntimeException told = group.failure();
        if (error == null || told == null || told.getSuppressed().length == MOST_SUPPRESSED) {
            return;
        }
        if (Stream.concat(Stream.of(told), Arrays.stream(told.getSuppressed()))
                .noneMatch(each -> each.getCause() == error)) {
            bodies.violation(Violation.Kind.STATE, "the group of " + its + " says nothing of its end" + its.why());
        }
    }
}

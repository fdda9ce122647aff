package dev.jacquard.core.testing.random;

import dev.jacquard.core.testing.random.Job.Kind;
import dev.jacquard.core.testing.random.Job.Ties;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The histories of the graphs of a session that keeps them: each task is in its graph's, and where two of a graph
 * conflict a path leads from the one that was submitted first to the other. When all is over. Confined to one thread.
 */
final class Histories {
    private static final Set<Kind> TASKS =
            EnumSet.of(Kind.BODY, Kind.CALL, Kind.PLAIN_KERNEL, Kind.KERNEL, Kind.ASYNC, Kind.DRIVER, Kind.LOOK);

    private final Program program;
    private final Bodies bodies;
    private final Map<String, Long> ids = new HashMap<>();
    private final Map<Long, Set<Long>> later = new HashMap<>();

    private Histories(Program program, Bodies bodies, GraphSnapshot history) {
        this.program = program;
        this.bodies = bodies;
        history.tasks().forEach(task -> ids.put(task.name(), task.id()));
        history.edges()
                .forEach(edge -> later.computeIfAbsent(edge.earlier(), any -> new HashSet<>())
                        .add(edge.later()));
    }

    static void verify(Program program, Trial trial) {
        List<Seen> all = trial.submissions();
        for (int i = 0; i < trial.graphs().length; i++) {
            GraphSnapshot history = trial.graphs()[i].history().dependencyGraph();
            new Histories(program, trial.bodies(), history).verify(all, i);
        }
    }

    private void verify(List<Seen> all, int graph) {
        for (int i = 0; i < all.size(); i++) {
            Job job = all.get(i).job;
            if (isIn(all.get(i), graph)) {
                Long id = ids.get("t" + job.id());
                if (id == null) {
                    tell("t" + job.id() + " is not in the history of its graph");
                    return;
                }
                verify(all.get(i), behind(id), all.subList(i + 1, all.size()), graph);
            }
        }
    }

    /**
     * Looks for the paths from {@code first}. A task that is in no history, or gives rights up, may come between it and
     * later ones: these need no path then.
     */
    private void verify(Seen first, Set<Long> behind, List<Seen> later, int graph) {
        Job job = first.job;
        List<Touch> left = new ArrayList<>(job.touches());
        for (Seen its : later) {
            if (isIn(its, graph)) {
                boolean meet = isTied(first, its)
                        || left.stream()
                                .anyMatch(one -> its.job.touches().stream().anyMatch(two -> conflict(one, two)));
                if (meet && !behind.contains(ids.getOrDefault("t" + its.job.id(), -1L))) {
                    tell("no path of the history leads from t" + job.id() + " to t" + its.job.id());
                }
            } else {
                left.removeIf(one -> its.job
                        .all()
                        .flatMap(inner -> inner.touches().stream())
                        .anyMatch(two -> program.isRelated(one.store(), two.store())));
            }
        }
    }

    private static boolean isIn(Seen its, int graph) {
        return its.job.graph() == graph
                && its.refusal == null
                && TASKS.contains(its.job.kind())
                && its.job.early().isEmpty()
                && its.job.demotions().isEmpty()
                && its.job.behind().isEmpty();
    }

    private void tell(String what) {
        bodies.violation(Violation.Kind.STATE, what);
    }

    /** Returns all to which a path leads. */
    private Set<Long> behind(long first) {
        Set<Long> found = new HashSet<>();
        Deque<Long> toFollow = new ArrayDeque<>(List.of(first));
        for (Long at = toFollow.poll(); at != null; at = toFollow.poll()) {
            for (long next : later.getOrDefault(at, Set.of())) {
                if (found.add(next)) {
                    toFollow.add(next);
                }
            }
        }
        return found;
    }

    /** Says no of tasks that threads submit side by side. */
    private boolean isTied(Seen first, Seen later) {
        boolean inTurn =
                !first.spawned && !later.spawned && !program.setting().racing() && program.composition() == null;
        Ties its = later.job.ties();
        return inTurn
                && (first.job.ties().barrier()
                        || its.barrier()
                        || later.after.contains(first.job.id())
                        || (its.afterTag() > 0
                                && its.afterTag() == first.job.ties().tag()));
    }

    private boolean conflict(Touch one, Touch other) {
        return !one.how().isUnordered()
                && !other.how().isUnordered()
                && one.how().conflicts(other.how())
                && program.meet(one, other);
    }
}

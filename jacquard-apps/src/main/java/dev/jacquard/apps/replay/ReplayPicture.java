package dev.jacquard.apps.replay;

import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The graph of a program, for drawing and analysis: edges as the accesses demand them and as a policy added them,
 * states and workers as a run had them. Tasks that exclude each other without order have no edge.
 *
 * <p>Confined to one call.
 */
final class ReplayPicture {
    private static final double NANOS_PER_MICRO = 1e3;

    private final GraphSnapshot.Builder graph;
    private final ResourceTree tree;
    private final AccessRights rights;
    private final Map<String, TaskResult> results = new HashMap<>();
    /** By name: the names of a program's tasks are unique. */
    private final Map<String, Long> ids = new HashMap<>();

    private long nextId;

    /**
     * A task and an access of it that later ones may conflict with.
     *
     * @param task its place in the level
     * @param access the access
     */
    private record Entry(int task, AccessSpec access) {}

    private ReplayPicture(String name, TaskProgram program, ReplayResult result) {
        this.graph = GraphSnapshot.builder(name);
        this.tree = new ResourceTree(program.resources());
        this.rights = new AccessRights(tree);
        result.allTasks().forEach(task -> results.put(task.name(), task));
    }

    /**
     * The graph of {@code program}, called {@code name}, with the outcomes of its tasks and the edges that the policy
     * added in {@code run}.
     */
    static GraphSnapshot of(String name, TaskProgram program, Replay.Run run) {
        ReplayPicture picture = new ReplayPicture(name, program, run.result());
        picture.level(program.tasks(), GraphSnapshot.Task.NONE);
        run.graph().ifPresent(picture::addPolicys);
        return picture.graph.build();
    }

    private void addPolicys(GraphSnapshot engines) {
        for (GraphSnapshot.Edge edge : engines.edges()) {
            if (edge.kind() == Kind.POLICY) {
                graph.edge(idOf(engines.task(edge.earlier())), idOf(engines.task(edge.later())), Kind.POLICY);
            }
        }
    }

    private long idOf(GraphSnapshot.Task task) {
        return Objects.requireNonNull(ids.get(task.name()));
    }

    private void level(List<TaskSpec> tasks, long parent) {
        long[] ids = new long[tasks.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = nextId++;
            this.ids.put(tasks.get(i).name(), ids[i]);
            graph.task(task(tasks.get(i), ids[i], parent));
            level(tasks.get(i).refine(), ids[i]);
        }
        Set<Integer> sinks = new HashSet<>(); // since the last barrier: entries that nothing waits for yet
        List<Entry> live = new ArrayList<>();
        int barrier = -1;
        for (int i = 0; i < ids.length; i++) {
            TaskSpec task = tasks.get(i);
            Set<Integer> before = edges(tasks, i, ids, live);
            int behind = barrier;
            if (barrier >= 0 && before.stream().noneMatch(earlier -> earlier >= behind)) {
                graph.edge(ids[barrier], ids[i], Kind.BARRIER);
                before.add(barrier);
            }
            sinks.removeAll(before);
            if (task.has(TaskFlag.SYNCHRONIZING)) {
                for (int sink : sinks) {
                    graph.edge(ids[sink], ids[i], Kind.BARRIER);
                }
                sinks.clear();
                live.clear();
                barrier = i;
            }
            sinks.add(i);
        }
    }

    /** Adds the edges to task {@code later} from tasks before it, and returns these. */
    private Set<Integer> edges(List<TaskSpec> tasks, int later, long[] ids, List<Entry> live) {
        TaskSpec task = tasks.get(later);
        Set<Integer> before = new HashSet<>();
        for (int i = 0; i < later && !task.after().isEmpty(); i++) {
            if (task.after().contains(tasks.get(i).name())) {
                graph.edge(ids[i], ids[later], Kind.EXPLICIT);
                before.add(i);
            }
        }
        Set<String> known = new HashSet<>();
        for (AccessSpec access : task.accesses()) {
            if (tree.isUnordered(access.resource())) {
                continue;
            }
            live.removeIf(entry -> {
                if (entry.task == later || !rights.conflict(entry.access, access)) {
                    return false;
                }
                if (known.add(entry.task + " " + access.resource())) {
                    graph.edge(ids[entry.task], ids[later], Kind.IMPLICIT, access.resource());
                }
                before.add(entry.task);
                return rights.covers(access, entry.access); // all that conflicts with it conflicts with this one, too
            });
            live.add(new Entry(later, access));
        }
        return before;
    }

    private GraphSnapshot.Task task(TaskSpec spec, long id, long parent) {
        TaskResult result = Objects.requireNonNull(results.get(spec.name()));
        Execution ran = result.execution();
        return new GraphSnapshot.Task(
                id,
                spec.name(),
                result.state().text().toUpperCase(Locale.ROOT),
                (long) (spec.micros() * NANOS_PER_MICRO),
                parent,
                spec.priority(),
                spec.flags().stream().sorted().map(TaskFlag::text).toList(),
                ran == null ? GraphSnapshot.Task.NONE : worker(ran.worker()),
                spec.accesses().stream().map(AccessSpec::toString).collect(Collectors.joining(", ")));
    }

    private static int worker(String name) {
        return name.equals(Execution.MAIN) ? 0 : Integer.parseInt(name.substring(1));
    }
}

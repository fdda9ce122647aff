package dev.jacquard.apps.replay;

import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
    private final LevelEdges edges;
    private final Map<String, TaskResult> results = new HashMap<>();
    /** By name: the names of a program's tasks are unique. */
    private final Map<String, Long> ids = new HashMap<>();

    private long nextId;

    private ReplayPicture(String name, TaskProgram program, ReplayResult result) {
        this.graph = GraphSnapshot.builder(name);
        this.edges = new LevelEdges(new ResourceTree(program.resources()), false);
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
        edges.of(tasks, (earlier, later, kind, label) -> graph.edge(ids[earlier], ids[later], kind, label));
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

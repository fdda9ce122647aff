package dev.jacquard.core.compiled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.drawing.GraphDrawing;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.insight.analysis.GraphAnalysis;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Edge;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The properties of compiled tasks that policies and snapshots see. */
@Timeout(180)
class StandingTest {
    private final List<String> ran = new ArrayList<>();

    private static Session session(String policy) {
        return Session.builder().workers(1).policy(Policies.named(policy)).open();
    }

    @Test
    void theUsersPriorityComesFirst() {
        try (Session session = session("priority")) {
            CompiledGraph graph = session.record("graph", recorder -> {
                for (int i = 0; i < 5; i++) {
                    String name = "p" + i;
                    recorder.task(name).priority(i).run(context -> ran.add(name));
                }
            });
            graph.run();
            assertEquals(List.of("p4", "p3", "p2", "p1", "p0"), ran);
        }
    }

    /** Two chains; the head of one has many consumers besides. */
    @Test
    void withoutTimesTasksGoByDepthAndConsumers() {
        try (Session session = session("priority")) {
            CompiledGraphBuilder builder = session.compile("graph");
            int few = builder.task("few", context -> ran.add("few"));
            int many = builder.task("many", context -> ran.add("many"));
            int deep = builder.task("deep", context -> ran.add("deep"));
            builder.edge(few, deep, true);
            for (int i = 0; i < 4; i++) {
                builder.edge(many, builder.task("after", context -> ran.add("after")), true);
            }
            int last = builder.task("last", context -> ran.add("last"));
            builder.edge(deep, last, true);
            builder.build().run();
            assertEquals(List.of("many", "few", "deep", "after", "after", "after", "after", "last"), ran);
        }
    }

    /** The times of tasks of one name differ: each has its own. */
    @Test
    void thenTasksGoByTheirOwnTimes() {
        AtomicLong now = new AtomicLong();
        Clock clock = now::get;
        try (Session session = Session.builder()
                .workers(1)
                .clock(clock)
                .policy(Policies.named("priority"))
                .open()) {
            CompiledGraphBuilder builder = session.compile("graph");
            for (int i = 0; i < 4; i++) {
                int length = i;
                builder.task("same", context -> {
                    ran.add("t" + length);
                    now.addAndGet(1_000L * (1 + length));
                });
            }
            CompiledGraph graph = builder.build();
            graph.run();
            graph.run();
            ran.clear();
            graph.run();
            assertEquals(List.of("t3", "t2", "t1", "t0"), ran);
            assertEquals(
                    List.of(1_000L, 2_000L, 3_000L, 4_000L),
                    graph.snapshot().tasks().stream()
                            .map(GraphSnapshot.Task::weightNanos)
                            .toList());
            assertEquals(10_000, GraphAnalysis.of(graph.snapshot()).tau1());
        }
    }

    private static void step(Tasks graph, Handle<int[]> x, Handle<int[]> y) {
        var first = graph.task("first").writes(x).priority(3).flag(Flag.named("hot"));
        var one = first.run(context -> {});
        graph.task("second").reads(x).updates(y).run(context -> {});
        graph.task("third").reads(y).tag("tagged").run(context -> {});
        graph.task("fourth").after(one).run(context -> {});
        graph.task("fifth").afterTag("tagged").run(context -> {});
        graph.task("barrier").flag(Flag.SYNCHRONIZING).run(context -> {});
        graph.task("sixth").writes(x).run(context -> {});
    }

    /** A snapshot is what the same submissions to a live graph give, but for what its run adds. */
    @Test
    void aSnapshotIsThatOfALiveGraph() {
        try (Session session = Session.builder().workers(1).keepGraphs().open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            TaskGraph live = session.graph();
            step(live, x, y);
            GraphSnapshot before = live.history();
            GraphSnapshot compiled =
                    session.record("graph", recorder -> step(recorder, x, y)).snapshot();
            live.await();
            assertEquals(before.tasks().stream().map(task -> task.withState("")).toList(), compiled.tasks());
            assertEquals(sorted(before), sorted(compiled));
            assertTrue(GraphDrawing.of(compiled).toSvg().contains("second"));
            assertEquals(
                    GraphAnalysis.of(before).depth(), GraphAnalysis.of(compiled).depth());
        }
    }

    private static List<String> sorted(GraphSnapshot graph) {
        return graph.edges().stream().map(Edge::toString).distinct().sorted().toList();
    }

    /** Each reason once, however many edges there are from one task. */
    @Test
    void anEdgeHasAllItsReasons() {
        int readers = 200;
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            GraphSnapshot snapshot = session.record("graph", recorder -> {
                        var writer = recorder.task("writer").writes(x).writes(y).tag("tagged");
                        var written = writer.run(context -> {});
                        for (int i = 0; i < readers; i++) {
                            recorder.task("reader").reads(x).run(context -> {});
                        }
                        recorder.task("both").reads(y).updates(x).after(written).run(context -> {});
                        recorder.task("tag").afterTag("tagged").reads(x).run(context -> {});
                    })
                    .snapshot();
            List<String> expected = new ArrayList<>();
            for (long i = 1; i <= readers; i++) {
                expected.add(new Edge(0, i, Kind.IMPLICIT, "x").toString());
                expected.add(new Edge(i, readers + 1, Kind.IMPLICIT, "x").toString());
            }
            expected.add(new Edge(0, readers + 1, Kind.IMPLICIT, "x").toString());
            expected.add(new Edge(0, readers + 1, Kind.IMPLICIT, "y").toString());
            expected.add(new Edge(0, readers + 1, Kind.EXPLICIT, "").toString());
            expected.add(new Edge(0, readers + 2, Kind.TAG, "tag tagged").toString());
            expected.add(new Edge(readers + 1, readers + 2, Kind.IMPLICIT, "x").toString());
            assertEquals(expected.stream().sorted().toList(), sorted(snapshot));
            assertEquals(snapshot.edges().size(), sorted(snapshot).size());
        }
    }

    @Test
    void innerGraphsAreSubTasks() {
        try (Session session = Session.open()) {
            CompiledGraphBuilder small = session.compile("inner").whenBusy(CompiledGraph.OverlapRule.QUEUE);
            small.edge(small.task("a", context -> {}), small.task("b", context -> {}), true);
            CompiledGraph inner = small.build();
            CompiledGraphBuilder builder = session.compile("outer");
            int before = builder.task("before", context -> {});
            int one = builder.graph("one", inner);
            int two = builder.graph("two", inner);
            builder.edge(before, one, true);
            builder.edge(one, two, true);
            GraphSnapshot snapshot = builder.build().snapshot();
            assertEquals(
                    List.of("before", "one", "a", "b", "two", "a", "b"),
                    snapshot.tasks().stream().map(GraphSnapshot.Task::name).toList());
            assertEquals(
                    List.of(-1L, -1L, 1L, 1L, -1L, 4L, 4L),
                    snapshot.tasks().stream().map(GraphSnapshot.Task::parent).toList());
            assertTrue(snapshot.edges().contains(new Edge(5, 6, Kind.EXPLICIT, "")), snapshot.edges()::toString);
            assertTrue(snapshot.edges().contains(new Edge(1, 4, Kind.EXPLICIT, "")), snapshot.edges()::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo", "priority", "minimum-load", "pinned", "round-robin"})
    void allPoliciesRunCompiledGraphs(String policy) {
        try (Session session =
                Session.builder().workers(2).policy(Policies.named(policy)).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            CompiledGraph graph = session.record("graph", recorder -> {
                for (int i = 0; i < 100; i++) {
                    recorder.task("t").updates(x).affinity(1).priority(-i).run(context -> context.get(x)[0]++);
                }
            });
            for (int run = 0; run < 5; run++) {
                graph.run();
            }
            assertEquals(500, x.value()[0]);
        }
    }
}

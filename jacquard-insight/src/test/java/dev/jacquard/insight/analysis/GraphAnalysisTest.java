package dev.jacquard.insight.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;
import dev.jacquard.insight.analysis.GraphAnalysis.WidthStep;
import dev.jacquard.insight.analysis.GraphSnapshot.Edge;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import dev.jacquard.insight.analysis.GraphSnapshot.Task;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GraphAnalysisTest {
    /** The expressions document, section 3.1.12 and figure 3.15. */
    @Test
    void analysesTheWorkedExampleAsTheDocumentDoes() {
        GraphAnalysis analysis = GraphAnalysis.of(Graphs.workedExample());
        assertEquals(5, analysis.tau1());
        assertEquals(4, analysis.tauInfinity());
        assertEquals(1.25, analysis.speedup());
        assertEquals(0.25, analysis.parallelism(), 1e-12);
        assertEquals(new ThreadSplit(2, 6), analysis.split(8));
        assertEquals(4, analysis.depth());
        assertEquals(4, analysis.criticalPath().size());
        assertEquals(2, analysis.maximumWidth());
        assertEquals(
                List.of(new WidthStep(0, 1), new WidthStep(1, 2), new WidthStep(2, 1), new WidthStep(4, 0)),
                analysis.width());
        assertEquals(2, analysis.consumersOf(0));
        assertEquals(2, analysis.depthOf(3));
    }

    @Test
    void aChainHasNoParallelismAndAFieldOfTasksHasAll() {
        GraphSnapshot.Builder chain = GraphSnapshot.builder("chain").task(0, "t");
        GraphSnapshot.Builder field = GraphSnapshot.builder("field").task(0, "t");
        for (int i = 1; i < 50; i++) {
            chain.task(i, "t").edge(i - 1, i, Kind.EXPLICIT);
            field.task(i, "t");
        }
        GraphAnalysis one = GraphAnalysis.of(chain.build());
        assertEquals(0, one.parallelism());
        assertEquals(50, one.depth());
        assertEquals(new ThreadSplit(1, 7), one.split(8));
        GraphAnalysis all = GraphAnalysis.of(field.build());
        assertEquals(1, all.parallelism(), 1e-12);
        assertEquals(50, all.maximumWidth());
        assertEquals(new ThreadSplit(8, 0), all.split(8));
    }

    @Test
    void graphsOfOneTaskAndOfNoneAreAnalysedToo() {
        GraphAnalysis none = GraphAnalysis.of(GraphSnapshot.builder("none").build());
        assertEquals(0, none.tauInfinity());
        assertEquals(1, none.speedup());
        assertEquals(0, none.parallelism());
        assertEquals(0, none.depth());
        assertEquals(List.of(), none.criticalPath());
        assertEquals(List.of(), none.width());
        assertEquals(new ThreadSplit(1, 3), none.split(4));
        GraphAnalysis one =
                GraphAnalysis.of(GraphSnapshot.builder("one").task(9, "a").build());
        assertEquals(1, one.tau1());
        assertEquals(0, one.parallelism());
        assertEquals(List.of(9L), one.criticalPath());
    }

    @Test
    void aRefinedTaskLastsUntilItsSubTasksAreOver() {
        GraphAnalysis analysis = GraphAnalysis.of(GraphSnapshot.builder("refined")
                .task(Task.of(0, "parent").withWeight(2))
                .task(Task.of(1, "after").withWeight(10))
                .task(Task.of(2, "sub").withParent(0).withWeight(4))
                .task(Task.of(3, "sub").withParent(0).withWeight(3))
                .edge(0, 1, Kind.IMPLICIT, "a")
                .edge(2, 3, Kind.IMPLICIT, "a.x")
                .build());
        assertEquals(19, analysis.tau1());
        assertEquals(17, analysis.tauInfinity());
        assertEquals(List.of(2L, 3L, 1L), analysis.criticalPath());
        assertEquals(7, analysis.earliestStartOf(1));
        assertEquals(2, analysis.depthOf(1));
        assertEquals(2, analysis.maximumWidth());
    }

    @Test
    void unknownWeightsCountAsTheMeanOfTheOthers() {
        GraphAnalysis analysis = GraphAnalysis.of(GraphSnapshot.builder("partly measured")
                .task(Task.of(0, "a").withWeight(100))
                .task(Task.of(1, "b").withWeight(300))
                .task(Task.of(2, "c"))
                .build());
        assertTrue(analysis.isMeasured());
        assertEquals(200, analysis.weightOf(2));
        assertEquals(600, analysis.tau1());
    }

    @Test
    void tasksThatWaitForEachOtherThroughSubTasksAreRefused() {
        GraphSnapshot knot = GraphSnapshot.builder("knot")
                .task(0, "parent")
                .task(1, "after")
                .task(Task.of(2, "sub").withParent(0))
                .edge(0, 1, Kind.EXPLICIT)
                .edge(1, 2, Kind.EXPLICIT)
                .build();
        String message = String.valueOf(assertThrows(IllegalArgumentException.class, () -> GraphAnalysis.of(knot))
                .getMessage());
        assertTrue(message.contains("task 1 \"after\" can never start"), message);
    }

    @Test
    void weightsThatNoLongHoldsAreRefused() {
        GraphSnapshot graph = GraphSnapshot.builder("long")
                .task(Task.of(0, "a").withWeight(Long.MAX_VALUE))
                .task(Task.of(1, "b").withWeight(1))
                .build();
        assertThrows(IllegalArgumentException.class, () -> GraphAnalysis.of(graph));
        assertThrows(
                IllegalArgumentException.class,
                () -> GraphAnalysis.of(Graphs.workedExample()).split(0));
    }

    @Test
    void agreesWithAllPathsOfSmallGraphs() {
        for (int seed = 0; seed < 3_000; seed++) {
            compare(Graphs.random(seed, 9, false), "seed " + seed);
        }
    }

    @Test
    void agreesWithAllPathsOfSmallRefinedGraphs() {
        for (int seed = 0; seed < 3_000; seed++) {
            compare(Graphs.random(seed, 9, true), "seed " + seed);
        }
    }

    @Test
    void aHundredThousandTasksTakeNoTime() {
        GraphAnalysis analysis =
                assertTimeoutPreemptively(Duration.ofSeconds(20), () -> GraphAnalysis.of(Graphs.layered(1_000, 100)));
        assertEquals(1_000, analysis.depth());
        assertEquals(100, analysis.maximumWidth());
        assertEquals(100, analysis.speedup());
    }

    private static void compare(GraphSnapshot graph, String why) {
        GraphAnalysis analysis = GraphAnalysis.of(graph);
        Slow slow = new Slow(graph, analysis);
        long end = 0;
        long sum = 0;
        for (Task task : graph.tasks()) {
            long id = task.id();
            assertEquals(slow.start(id), analysis.earliestStartOf(id), why);
            assertEquals(slow.depth(id), analysis.depthOf(id), why);
            assertEquals(slow.consumers(id).size(), analysis.consumersOf(id), why);
            end = Math.max(end, slow.end(id));
            sum += analysis.weightOf(id);
        }
        assertEquals(end, analysis.tauInfinity(), why);
        assertEquals(sum, analysis.tau1(), why);
        assertTrue(analysis.parallelism() >= 0 && analysis.parallelism() <= 1 + 1e-12, why);
        assertTrue(analysis.split(1_000).tasks() <= Math.max(1, analysis.maximumWidth()), why);
        comparePath(analysis, slow, why);
        compareWidth(analysis, why);
    }

    /** The path is as long as it must be, and none of its tasks starts before the one before it has ended. */
    private static void comparePath(GraphAnalysis analysis, Slow slow, String why) {
        long now = 0;
        for (long id : analysis.criticalPath()) {
            assertEquals(now, slow.start(id), why);
            now += analysis.weightOf(id);
        }
        assertEquals(analysis.tauInfinity(), now, why);
        if (!analysis.criticalPath().isEmpty()) {
            assertTrue(slow.consumers(analysis.criticalPath().getLast()).isEmpty(), why);
        }
    }

    private static void compareWidth(GraphAnalysis analysis, String why) {
        int step = 0;
        int expected = 0;
        for (long time = 0; time <= analysis.tauInfinity(); time++) {
            int running = 0;
            for (Task task : analysis.graph().tasks()) {
                long start = analysis.earliestStartOf(task.id());
                running += start <= time && time < start + analysis.weightOf(task.id()) ? 1 : 0;
            }
            if (step < analysis.width().size() && analysis.width().get(step).time() == time) {
                expected = analysis.width().get(step++).running();
            }
            assertEquals(running, expected, why);
        }
        assertEquals(analysis.width().size(), step, why);
        assertEquals(0, expected, why);
    }

    /** The definitions, followed literally along every path. */
    private static final class Slow {
        private final GraphSnapshot graph;
        private final GraphAnalysis weights;
        private final Map<Long, Long> starts = new HashMap<>();

        Slow(GraphSnapshot graph, GraphAnalysis weights) {
            this.graph = graph;
            this.weights = weights;
        }

        long start(long id) {
            Long known = starts.get(id);
            if (known != null) {
                return known;
            }
            Task task = graph.task(id);
            long start = task.hasParent() ? start(task.parent()) : 0;
            for (Edge edge : graph.edges()) {
                start = edge.later() == id ? Math.max(start, end(edge.earlier())) : start;
            }
            starts.put(id, start);
            return start;
        }

        long end(long id) {
            long end = start(id) + weights.weightOf(id);
            for (Task sub : graph.tasks()) {
                end = sub.parent() == id ? Math.max(end, end(sub.id())) : end;
            }
            return end;
        }

        int depth(long id) {
            Task task = graph.task(id);
            int depth = task.hasParent() ? depth(task.parent()) : 0;
            for (Edge edge : graph.edges()) {
                depth = edge.later() == id ? Math.max(depth, deepest(edge.earlier()) + 1) : depth;
            }
            return depth;
        }

        private int deepest(long id) {
            int deepest = depth(id);
            for (Task sub : graph.tasks()) {
                deepest = sub.parent() == id ? Math.max(deepest, deepest(sub.id())) : deepest;
            }
            return deepest;
        }

        Set<Long> consumers(long id) {
            Set<Long> consumers = new HashSet<>();
            for (Edge edge : graph.edges()) {
                if (edge.earlier() == id) {
                    consumers.add(edge.later());
                }
            }
            return consumers;
        }
    }
}

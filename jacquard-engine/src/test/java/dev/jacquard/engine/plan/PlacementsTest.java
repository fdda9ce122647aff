package dev.jacquard.engine.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Properties of every placement, on random graphs. */
class PlacementsTest {
    private static final Map<String, GraphPlacement> ALL = new TreeMap<>(Map.of(
            "heft", GraphPlacement.heft(),
            "cpop", GraphPlacement.cpop(),
            "peft", GraphPlacement.peft(),
            "hybrid", GraphPlacement.hybrid(),
            "search", GraphPlacement.search()));
    private static final GraphPlacement.Limits SHORT = new GraphPlacement.Limits(7, 20_000);

    /** A random graph: some costs and sizes 0, some tasks that cannot run everywhere, edges twice, shared memories. */
    private static WorkGraph random(long seed, int mostTasks, int mostPlaces) {
        SplittableRandom random = new SplittableRandom(seed);
        int tasks = random.nextInt(mostTasks + 1);
        int places = 1 + random.nextInt(mostPlaces);
        boolean isWhole = random.nextBoolean();
        WorkGraph.Builder builder = new WorkGraph.Builder(
                IntStream.range(0, places).mapToObj(i -> "P" + i).toList());
        for (int from = 0; from < places; from++) {
            for (int to = 0; to < places; to++) {
                if (random.nextInt(3) > 0) {
                    builder.link(from, to, random.nextInt(3), isWhole ? random.nextInt(3) : random.nextDouble());
                }
            }
        }
        boolean isEqual = random.nextInt(4) == 0;
        for (int task = 0; task < tasks; task++) {
            double[] costs = new double[places];
            for (int place = 0; place < places; place++) {
                double cost = isWhole ? random.nextInt(8) : 8 * random.nextDouble();
                boolean runs = place == task % places || random.nextInt(6) > 0;
                costs[place] = isEqual ? costs[0] : runs ? cost : Double.POSITIVE_INFINITY;
            }
            if (isEqual) {
                Arrays.fill(costs, random.nextInt(8));
            }
            builder.task("t" + task, costs);
        }
        for (int to = 1; to < tasks; to++) {
            for (int edges = random.nextInt(4); edges > 0; edges--) {
                builder.edge(random.nextInt(to), to, isWhole ? random.nextInt(6) : 6 * random.nextDouble());
            }
        }
        return builder.build();
    }

    /** Returns the length of the shortest plan: every sequence of the tasks, at every place. */
    private static double shortest(WorkGraph graph, boolean[] isPlaced, int[] places, double[] ends, double[] free) {
        double least = Double.POSITIVE_INFINITY;
        boolean isDone = true;
        for (int task = 0; task < graph.tasks(); task++) {
            boolean isReady = !isPlaced[task];
            isDone &= isPlaced[task];
            for (int edge : graph.in(task)) {
                isReady &= isPlaced[graph.from(edge)];
            }
            for (int place = 0; isReady && place < graph.places(); place++) {
                if (graph.canRun(task, place)) {
                    double start = free[place];
                    for (int edge : graph.in(task)) {
                        start = Math.max(
                                start, ends[graph.from(edge)] + graph.copy(edge, places[graph.from(edge)], place));
                    }
                    double before = free[place];
                    isPlaced[task] = true;
                    places[task] = place;
                    ends[task] = start + graph.cost(task, place);
                    free[place] = ends[task];
                    least = Math.min(least, shortest(graph, isPlaced, places, ends, free));
                    free[place] = before;
                    isPlaced[task] = false;
                }
            }
        }
        return isDone ? Arrays.stream(free).max().orElse(0) : least;
    }

    private static double shortest(WorkGraph graph) {
        int tasks = graph.tasks();
        return shortest(graph, new boolean[tasks], new int[tasks], new double[tasks], new double[graph.places()]);
    }

    @Test
    void plansHaveNoProblemAndNoneIsShorterThanTheBound() {
        for (long seed = 0; seed < 400; seed++) {
            WorkGraph graph = random(seed, 40, 5);
            double bound = 0;
            double least = Double.POSITIVE_INFINITY;
            for (Map.Entry<String, GraphPlacement> placement : ALL.entrySet()) {
                String message = placement.getKey() + ", seed " + seed;
                Plan plan = placement.getValue().plan(graph, SHORT);
                assertNull(plan.problem(graph), message);
                bound = Math.max(bound, plan.bound());
                least = Math.min(least, plan.makespan());
            }
            assertTrue(bound <= least * (1 + 1e-9), "seed " + seed + ": a bound of " + bound + " over " + least);
            assertEquals(least, GraphPlacement.search().plan(graph, SHORT).makespan(), 1e-9, "search, seed " + seed);
        }
    }

    @Test
    void theSameSeedMakesTheSamePlan() {
        for (long seed = 0; seed < 40; seed++) {
            for (Map.Entry<String, GraphPlacement> placement : ALL.entrySet()) {
                String message = placement.getKey() + ", seed " + seed;
                Plan one = placement.getValue().plan(random(seed, 40, 5), SHORT);
                Plan other = placement.getValue().plan(random(seed, 40, 5), SHORT);
                assertArrayEquals(one.places(), other.places(), message);
                assertArrayEquals(one.starts(), other.starts(), message);
                assertArrayEquals(one.ends(), other.ends(), message);
                assertEquals(one.bound(), other.bound(), message);
            }
        }
    }

    @Test
    void smallGraphsAgreeWithTheShortestOfAllPlans() {
        for (long seed = 0; seed < 300; seed++) {
            WorkGraph graph = random(seed, 5, 3);
            double shortest = shortest(graph);
            for (Map.Entry<String, GraphPlacement> placement : ALL.entrySet()) {
                String message = placement.getKey() + ", seed " + seed;
                Plan plan = placement.getValue().plan(graph, GraphPlacement.Limits.DEFAULT);
                assertTrue(plan.makespan() >= shortest * (1 - 1e-9), message);
                assertTrue(plan.bound() <= shortest * (1 + 1e-9), message);
            }
            Plan searched = GraphPlacement.search().plan(graph, GraphPlacement.Limits.DEFAULT);
            assertEquals(shortest, searched.makespan(), 1e-9, "search, seed " + seed);
            assertTrue(searched.isProved(), "search, seed " + seed);
        }
    }

    @Test
    void withoutBudgetSearchReturnsThePlanThatItBeginsWith() {
        for (long seed = 0; seed < 200; seed++) {
            WorkGraph graph = random(seed, 40, 5);
            double begin = GraphPlacement.search()
                    .plan(graph, new GraphPlacement.Limits(1, 0))
                    .makespan();
            for (Map.Entry<String, GraphPlacement> other : ALL.entrySet()) {
                boolean isSearch = other.getKey().equals("search");
                double its =
                        isSearch ? begin : other.getValue().plan(graph, SHORT).makespan();
                assertTrue(begin <= its * (1 + 1e-9), other.getKey() + ", seed " + seed);
            }
        }
    }

    @Test
    void aTaskGoesIntoAGapThatIsLongEnough() {
        WorkGraph.Builder builder =
                new WorkGraph.Builder(List.of("fast", "far")).link(1, 0, 0, 1).link(0, 1, 0, 1);
        int first = builder.task("first", Double.POSITIVE_INFINITY, 4);
        int last = builder.task("last", 10, Double.POSITIVE_INFINITY);
        int between = builder.task("between", 3, Double.POSITIVE_INFINITY);
        WorkGraph graph = builder.edge(first, last, 1).build();
        Plan plan = GraphPlacement.heft().plan(graph, SHORT);
        assertEquals(5, plan.starts()[last]);
        assertEquals(0, plan.starts()[between]);
        assertEquals(15, plan.makespan());
        assertTrue(plan.isProved());
    }

    private static WorkGraph.Builder apart() {
        WorkGraph.Builder builder = new WorkGraph.Builder(List.of("host", "gpu0", "gpu1"));
        for (int[] pair : new int[][] {{0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 2}, {2, 1}}) {
            builder.link(pair[0], pair[1], 1, 0);
        }
        return builder;
    }

    @Test
    void hybridKeepsAPathOnOneDevice() {
        WorkGraph.Builder builder = apart();
        for (int path = 0; path < 2; path++) {
            for (int i = 0; i < 4; i++) {
                int task = builder.task("p" + path + "-" + i, 20, 2, 2);
                if (i > 0) {
                    builder.edge(task - 1, task, 8);
                }
            }
        }
        int[] places = GraphPlacement.hybrid().plan(builder.build(), SHORT).places();
        assertArrayEquals(new int[] {1, 1, 1, 1, 2, 2, 2, 2}, places);
    }

    @Test
    void neitherInputsNorSecondEdgesEndAPathOfHybrid() {
        WorkGraph.Builder builder = apart();
        int input = builder.task("data", 0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
        int one = builder.task("one", 900, 100, 300);
        int two = builder.task("two", 900, 300, 100);
        int three = builder.task("three", 900, 100, 290);
        WorkGraph graph = builder.edge(input, one, 1)
                .edge(one, two, 1)
                .edge(one, two, 2)
                .edge(input, three, 1)
                .edge(two, three, 1)
                .build();
        Plan plan = GraphPlacement.hybrid().plan(graph, SHORT);
        assertArrayEquals(new int[] {0, 1, 1, 1}, plan.places());
        assertEquals(501, plan.makespan());
    }

    /** Of tasks one after the other on a host and one device, each is where all end first. */
    @Test
    void theHostIsNoDeviceOfHybrid() {
        WorkGraph.Builder builder =
                new WorkGraph.Builder(List.of("host", "gpu")).link(0, 1, 1, 0).link(1, 0, 1, 0);
        double[][] costs = {{50, 2}, {2, 50}, {50, 2}, {2, 50}};
        for (int task = 0; task < costs.length; task++) {
            builder.task("t" + task, costs[task]);
            if (task > 0) {
                builder.edge(task - 1, task, 8);
            }
        }
        Plan plan = GraphPlacement.hybrid().plan(builder.build(), SHORT);
        assertArrayEquals(new int[] {1, 0, 1, 0}, plan.places());
        assertEquals(11, plan.makespan());
    }

    @Test
    void thousandsOfTasksAreFewPlacedTasksEach() {
        SplittableRandom random = new SplittableRandom(3);
        WorkGraph.Builder builder = new WorkGraph.Builder(
                IntStream.range(0, 16).mapToObj(i -> "P" + i).toList());
        for (int task = 0; task < 10_000; task++) {
            builder.task("t" + task, random.doubles(16, 1, 100).toArray());
            for (int edges = task == 0 ? 0 : 3; edges > 0; edges--) {
                builder.edge(Math.max(0, task - 1 - random.nextInt(200)), task, 0);
            }
        }
        WorkGraph graph = builder.build();
        for (Map.Entry<String, GraphPlacement> placement : ALL.entrySet()) {
            Plan plan = placement.getValue().plan(graph, SHORT);
            assertNull(plan.problem(graph), placement.getKey());
        }
    }

    @Test
    void graphsWithoutTasksHaveEmptyPlans() {
        WorkGraph graph =
                new WorkGraph.Builder(List.of("a", "b")).link(0, 1, 1, 1).build();
        for (Map.Entry<String, GraphPlacement> placement : ALL.entrySet()) {
            Plan plan = placement.getValue().plan(graph, SHORT);
            assertEquals(0, plan.makespan(), placement.getKey());
            assertTrue(plan.isProved(), placement.getKey());
        }
    }

    @Test
    void anAdversaryFindsGraphsThatListSchedulingPlansBadly() {
        GraphPlacement.Limits limits = new GraphPlacement.Limits(1, 60_000);
        for (GraphPlacement placement :
                List.of(GraphPlacement.heft(), GraphPlacement.cpop(), GraphPlacement.peft(), GraphPlacement.hybrid())) {
            WorkGraph graph = placement.worstCase(limits);
            Plan plan = placement.plan(graph, limits);
            double shortest = shortest(graph);
            String message = placement.getClass().getSimpleName() + ": " + plan.makespan() + " for " + shortest;
            assertNull(plan.problem(graph), message);
            assertTrue(plan.makespan() >= 5 * shortest, message);
            assertEquals(
                    plan.makespan(),
                    placement.plan(placement.worstCase(limits), limits).makespan(),
                    "the same seed, the same graph");
        }
    }
}

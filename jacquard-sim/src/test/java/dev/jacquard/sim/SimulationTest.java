package dev.jacquard.sim;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.engine.plan.GraphPlacement;
import dev.jacquard.engine.plan.GraphPlacement.Limits;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs that are computed by hand, and the rules of every run. */
class SimulationTest {
    private static final double INFINITE = Double.POSITIVE_INFINITY;

    static List<Policy> policies() {
        return Policies.all();
    }

    private static SimulatedRun run(WorkGraph graph, String policy) {
        return Simulation.run(graph, Simulation.Options.of(Policies.named(policy), graph.places()));
    }

    /** Three tasks of 2, 3 and 4 without edges, and one of 1 after the first two. */
    private static WorkGraph small(int workers) {
        WorkGraph.Builder graph = equal(workers);
        int a = add(graph, "a", 2, workers);
        int b = add(graph, "b", 3, workers);
        add(graph, "c", 4, workers);
        int d = add(graph, "d", 1, workers);
        return graph.edge(a, d, 0).edge(b, d, 0).build();
    }

    private static WorkGraph.Builder equal(int workers) {
        return new WorkGraph.Builder(
                IntStream.range(0, workers).mapToObj(worker -> "w" + worker).toList());
    }

    private static int add(WorkGraph.Builder graph, String name, double time, int workers) {
        double[] costs = new double[workers];
        Arrays.fill(costs, time);
        return graph.task(name, costs);
    }

    @Test
    void fifoTakesTheTaskThatWasReadyFirst() {
        SimulatedRun run = run(small(2), "fifo");
        assertArrayEquals(new double[] {0, 0, 2, 3}, run.schedule().starts());
        assertArrayEquals(new double[] {2, 3, 6, 4}, run.schedule().ends());
        assertArrayEquals(new int[] {0, 1, 0, 1}, run.schedule().places());
        assertEquals(6, run.makespan());
        assertEquals(6, run.bound());
        assertTrue(run.isProved());
        assertEquals(10.0 / 6, run.speedup());
        assertEquals(4, run.criticalPath());
        assertEquals(List.of(1, 3), run.criticalTasks());
    }

    @Test
    void sequentialRunsOneTaskAtATime() {
        SimulatedRun run = run(small(3), "sequential");
        assertArrayEquals(new double[] {0, 2, 5, 9}, run.schedule().starts());
        assertEquals(1, run.speedup());
    }

    @Test
    void prioritiesOfUsersComeFirst() {
        SimulatedRun run = Simulation.run(
                small(1), Simulation.Options.of(Policies.named("priority"), 1).withPriorities(new int[] {0, 1, 2, 0}));
        assertArrayEquals(new double[] {7, 4, 0, 9}, run.schedule().starts());
    }

    @Test
    void workersStealTheOldestTask() {
        SimulatedRun run = run(small(2), "stealing");
        assertArrayEquals(new double[] {0, 2, 0, 5}, run.schedule().starts()); // worker 0 has c, the newest; 1 has a
        assertArrayEquals(new int[] {1, 1, 0, 1}, run.schedule().places());
    }

    @Test
    void theFirstTaskThatAnEndMakesReadyRunsNextOnTheSameWorker() {
        WorkGraph.Builder graph = equal(2);
        int first = add(graph, "first", 1, 2);
        for (String name : List.of("x", "y", "z")) {
            graph.edge(first, add(graph, name, 5, 2), 0);
        }
        SimulatedRun run = run(graph.build(), "stealing");
        assertArrayEquals(new int[] {0, 0, 0, 1}, run.schedule().places()); // the thief takes the oldest: z
        assertArrayEquals(new double[] {0, 1, 6, 1}, run.schedule().starts());
    }

    @Test
    void aTaskWaitsForItsDataAndDevicesFetchAhead() {
        WorkGraph.Builder graph =
                new WorkGraph.Builder(List.of("host", "gpu")).link(0, 1, 1, 0.5).link(1, 0, 1, 0.5);
        int made = graph.task("made", 2, INFINITE);
        int other = graph.task("other", 2, INFINITE);
        int kernel = graph.task("kernel", INFINITE, 10);
        int second = graph.task("second", INFINITE, 10);
        graph.edge(made, kernel, 8).edge(made, second, 8).edge(other, second, 0);
        SimulatedRun run = Simulation.run(graph.build(), Simulation.Options.of(Policies.named("fifo"), 1));
        assertEquals(2 + 1 + 4, run.schedule().starts()[kernel]);
        assertEquals(17, run.schedule().starts()[second]); // its data came while the kernel ran
        assertEquals(27, run.makespan());
    }

    @Test
    void aLinkCarriesOneCopyAtATimeAndLatenciesOverlap() {
        WorkGraph.Builder graph =
                new WorkGraph.Builder(List.of("host", "one")).link(0, 1, 3, 1).link(1, 0, 3, 1);
        int made = graph.task("made", 2, INFINITE);
        int first = graph.task("first", INFINITE, 0);
        int last = graph.task("last", INFINITE, 0);
        WorkGraph built = graph.edge(made, first, 10).edge(made, last, 10).build();
        Simulation.Options options = Simulation.Options.of(Policies.named("fifo"), 1);
        SimulatedRun shared = Simulation.run(built, options);
        assertEquals(2 + 10 + 3, shared.schedule().starts()[first]);
        assertEquals(2 + 20 + 3, shared.schedule().starts()[last]);
        SimulatedRun free = Simulation.run(built, options.withFreeLinks());
        assertEquals(2 + 10 + 3, free.schedule().starts()[last]);
    }

    @Test
    void aTaskGoesWhereItEndsFirst() {
        WorkGraph.Builder graph = new WorkGraph.Builder(List.of("host", "slow", "quick"));
        graph.task("kernel", INFINITE, 9, 3);
        graph.task("another", INFINITE, 9, 3);
        graph.task("third", INFINITE, 9, 3);
        graph.task("fourth", INFINITE, 9, 3);
        SimulatedRun run = Simulation.run(graph.build(), Simulation.Options.of(Policies.named("fifo"), 1));
        assertArrayEquals(new int[] {2, 2, 1, 2}, run.schedule().places()); // of equal ends the emptier place
        assertEquals(9, run.makespan());
        assertTrue(
                run.why(3).getFirst().contains("runs on quick from 6 to 9"),
                () -> run.why(3).toString());
        assertTrue(
                run.why(3).toString().contains("slow: free at 9"),
                () -> run.why(3).toString());
    }

    @Test
    void theHostIsAPlaceOfKernelsWhereThePolicyWeighsIt() {
        WorkGraph.Builder graph = new WorkGraph.Builder(List.of("host", "gpu"));
        graph.task("small", 3, 10);
        graph.task("large", 20, 10);
        WorkGraph built = graph.build();
        SimulatedRun weighed = Simulation.run(built, Simulation.Options.of(Policies.named("earliest-finish"), 1));
        assertArrayEquals(new int[] {0, 1}, weighed.schedule().places());
        SimulatedRun devices = Simulation.run(built, Simulation.Options.of(Policies.named("fifo"), 1));
        assertArrayEquals(new int[] {1, 1}, devices.schedule().places());
    }

    @Test
    void policiesLearnTheTimesOfNames() {
        WorkGraph.Builder graph = equal(1);
        int first = add(graph, "long", 9, 1);
        int other = add(graph, "short", 1, 1);
        int both = add(graph, "both", 1, 1);
        int shorter = add(graph, "short", 1, 1);
        int longer = add(graph, "long", 9, 1);
        graph.edge(first, both, 0).edge(other, both, 0).edge(both, shorter, 0).edge(both, longer, 0);
        Simulation.Options options = Simulation.Options.of(Policies.named("priority"), 1);
        SimulatedRun run = Simulation.run(graph.build(), options.withLearnedTimes());
        assertTrue(run.schedule().starts()[longer] < run.schedule().starts()[shorter], "the longer one first");
    }

    @ParameterizedTest
    @MethodSource("policies")
    void aRunIsASchedule(Policy policy) {
        for (int seed = 0; seed < 60; seed++) {
            int places = 1 + seed % 5;
            WorkGraph graph = seed % 2 == 0 ? RandomGraphs.equal(seed, places) : RandomGraphs.unequal(seed, places);
            Simulation.Options options =
                    Simulation.Options.of(policy, 1 + seed % places).withLimits(new Limits(seed, 2_000));
            options = seed % 3 == 0 ? options.withLearnedTimes() : options;
            SimulatedRun run = Simulation.run(graph, options);
            String what = policy.name() + ", seed " + seed;
            assertNull(run.schedule().problem(graph), what);
            assertTrue(run.makespan() >= run.bound() * (1 - 1e-9), what + ": below its bound");
            double sum = 0;
            for (int task = 0; task < graph.tasks(); task++) {
                sum += graph.cost(task, run.schedule().places()[task]);
                for (int edge : graph.in(task)) {
                    int[] at = run.schedule().places();
                    sum += graph.copy(edge, at[graph.from(edge)], at[task]);
                }
            }
            assertTrue(run.makespan() <= sum * (1 + 1e-9), what + ": longer than one task at a time");
            assertArrayEquals(
                    run.schedule().starts(),
                    Simulation.run(graph, options).schedule().starts(),
                    what);
            for (int task = 0; task < graph.tasks(); task++) {
                assertFalse(run.why(task).isEmpty());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void theBoundIsThatOfTheGraph(Policy policy) {
        for (int seed = 0; seed < 20; seed++) {
            WorkGraph graph = RandomGraphs.unequal(seed, 1 + seed % 4);
            Simulation.Options options =
                    Simulation.Options.of(policy, graph.places()).withLimits(new Limits(seed, 500));
            double bound = Simulation.run(graph, options).bound();
            if (policy.graphPlacement() == null) {
                assertEquals(graph.bound(), bound);
            } else {
                assertTrue(bound >= graph.bound(), "a plan may prove more");
            }
            double ofDrawn = Noise.drawn(graph, 0.4, seed).bound();
            assertEquals(ofDrawn, Simulation.run(graph, options.withNoise(0.4)).bound(), "of the drawn times");
        }
    }

    @Test
    void noiseIsTheSameForAllPolicies() {
        WorkGraph graph = small(2);
        Simulation.Options noisy =
                Simulation.Options.of(Policies.named("fifo"), 2).withNoise(0.3);
        SimulatedRun fifo = Simulation.run(graph, noisy);
        SimulatedRun again = Simulation.run(graph, noisy);
        SimulatedRun other = Simulation.run(
                graph, Simulation.Options.of(Policies.named("stealing"), 2).withNoise(0.3));
        SimulatedRun seeded = Simulation.run(graph, noisy.withLimits(new Limits(2, 0)));
        assertEquals(fifo.makespan(), again.makespan());
        assertNotEquals(fifo.makespan(), seeded.makespan());
        assertEquals(fifo.sequential(), other.sequential());
        assertNotEquals(10, fifo.sequential());
        assertTrue(fifo.makespan() >= fifo.bound());
    }

    /** A policy with the given parts. */
    private record Given(
            @Nullable ReadyOrder order,
            Set<Need> needs,
            @Nullable GraphPlacement graphPlacement) implements Policy {
        Given(ReadyOrder order) {
            this(order, Set.of(Need.NO_INLINE_SUCCESSORS), null);
        }

        @Override
        public String name() {
            return "given";
        }

        @Override
        public void submitted(ReadyTask task, Edges edges) {
            if (last != null) {
                edges.after(last);
            }
            last = task;
        }

        private static @Nullable ReadyTask last;
    }

    private abstract static class Listed implements ReadyOrder {
        final List<ReadyTask> tasks = new ArrayList<>();

        @Override
        public void push(ReadyTask task) {
            tasks.add(task);
        }
    }

    @Test
    void breachesOfTheContractAreExplained() {
        Listed keeper = new Listed() {
            @Override
            public @Nullable ReadyTask pop(int worker) {
                return tasks.size() > 3 ? tasks.removeLast() : null;
            }
        };
        assertMentions(breach(keeper), "policy \"given\" keeps 3 ready tasks back: all workers are idle");
        Listed twice = new Listed() {
            @Override
            public ReadyTask pop(int worker) {
                return tasks.getFirst();
            }
        };
        assertMentions(breach(twice), "returned task \"a\", which was taken out before");
        Listed thrower = new Listed() {
            @Override
            public ReadyTask pop(int worker) {
                throw new IllegalStateException("no more");
            }
        };
        assertMentions(breach(thrower), "threw from pop", "no more");
        GraphPlacement wrong = (graph, limits) -> new Plan(new int[4], new double[4], new double[] {2, 3, 4, 1}, 0);
        Policy planner = new Given(null, Set.of(), wrong);
        PolicyException plan =
                assertThrows(PolicyException.class, () -> Simulation.run(small(2), Simulation.Options.of(planner, 2)));
        assertMentions(plan, "policy \"given\" made a plan that does not hold: ");
    }

    private static PolicyException breach(ReadyOrder order) {
        return assertThrows(
                PolicyException.class, () -> Simulation.run(small(2), Simulation.Options.of(new Given(order), 2)));
    }

    @Test
    void anOrderIsAskedAgainAfterEachPop() {
        Listed other = new Listed() {
            private int asked;

            @Override
            public @Nullable ReadyTask pop(int worker) {
                return worker == 0 && asked++ == 0 ? null : tasks.isEmpty() ? null : tasks.removeFirst();
            }
        };
        SimulatedRun run = Simulation.run(small(2), Simulation.Options.of(new Given(other), 2));
        assertArrayEquals(new int[] {1, 0}, Arrays.copyOf(run.schedule().places(), 2));
    }

    @Test
    void aPolicyAddsEdges() {
        Given.last = null;
        Listed fifo = new Listed() {
            @Override
            public @Nullable ReadyTask pop(int worker) {
                return tasks.isEmpty() ? null : tasks.removeFirst();
            }
        };
        Policy chain = new Given(fifo, Set.of(Need.SUBMISSIONS, Need.NO_INLINE_SUCCESSORS), null);
        SimulatedRun run = Simulation.run(small(2), Simulation.Options.of(chain, 2));
        assertArrayEquals(new double[] {0, 2, 5, 9}, run.schedule().starts());
    }

    @Test
    void plansRunWithTheTimesOfTheRun() {
        WorkGraph.Builder graph =
                new WorkGraph.Builder(List.of("x", "y")).link(0, 1, 0, 1).link(1, 0, 0, 1);
        int a = graph.task("a", 2, 2);
        int b = graph.task("b", 3, 3);
        int c = graph.task("c", 1, 1);
        WorkGraph built = graph.edge(a, b, 4).edge(a, c, 4).build();
        GraphPlacement here =
                (its, limits) -> new Plan(new int[] {0, 1, 1}, new double[] {0, 6, 9}, new double[] {2, 9, 10}, 5);
        Policy planner = new Given(null, Set.of(), here);
        SimulatedRun free =
                Simulation.run(built, Simulation.Options.of(planner, 2).withFreeLinks());
        assertArrayEquals(new double[] {0, 6, 9}, free.schedule().starts());
        assertEquals(5, free.bound());
        SimulatedRun shared = Simulation.run(built, Simulation.Options.of(planner, 2));
        assertArrayEquals(new double[] {0, 6, 10}, shared.schedule().starts()); // the second copy waits for the link
    }

    @Test
    void optionsMustFit() {
        WorkGraph graph = small(2);
        Policy fifo = Policies.named("fifo");
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class, () -> Simulation.run(graph, Simulation.Options.of(fifo, 3))),
                "3 workers of the host, and the graph has 2 places");
        assertThrows(IllegalArgumentException.class, () -> Simulation.Options.of(fifo, 0));
        assertThrows(
                IllegalArgumentException.class,
                () -> Simulation.Options.of(fifo, 1).withNoise(Double.NaN));
        assertThrows(
                IllegalArgumentException.class,
                () -> Simulation.run(graph, Simulation.Options.of(fifo, 2).withPriorities(new int[1])));
        assertEquals(0, run(equal(2).build(), "fifo").makespan());
        assertEquals(1, run(equal(2).build(), "fifo").speedup());
    }
}

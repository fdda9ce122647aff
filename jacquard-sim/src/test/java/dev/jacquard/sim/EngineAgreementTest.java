package dev.jacquard.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.jacquard.engine.VirtualWorkers;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.PlacedNode;
import dev.jacquard.engine.work.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator against the workers of the engine under virtual time: each task starts and ends at the same moment. */
class EngineAgreementTest {
    private static final int GRAPHS =
            Integer.getInteger("jacquard.graphs", Boolean.getBoolean("jacquard.stress") ? 300 : 80);

    /** The policies of which every ready task passes through the order. */
    static List<Policy> policies() {
        return Policies.all().stream()
                .filter(policy -> policy.graphPlacement() == null)
                .filter(policy -> policy.needs().contains(Need.NO_INLINE_SUCCESSORS))
                .toList();
    }

    /** Those that let a task run next through no order, or have no order. */
    static List<Policy> inliningPolicies() {
        return Policies.all().stream()
                .filter(policy -> policy.graphPlacement() == null)
                .filter(policy -> !policy.needs().contains(Need.NO_INLINE_SUCCESSORS))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void tasksStartAndEndWhenTheEnginesDo(Policy policy) {
        for (int seed = 0; seed < GRAPHS; seed++) {
            int workers = 1 + seed % 8;
            agree(policy, seed, workers, RandomGraphs.equal(seed, workers));
        }
    }

    /** Tasks that take so long that a worker looks at the clock between any two. */
    @ParameterizedTest
    @MethodSource("inliningPolicies")
    void longTasksStartAndEndWhenTheEnginesDo(Policy policy) {
        for (int seed = 0; seed < GRAPHS; seed++) {
            int workers = 1 + seed % 8;
            agree(policy, seed, workers, RandomGraphs.rooted(seed, workers));
        }
    }

    private static void agree(Policy policy, int seed, int workers, WorkGraph graph) {
        int[] priorities =
                IntStream.range(0, graph.tasks()).map(task -> task % 3).toArray();
        SimulatedRun run = Simulation.run(
                graph, Simulation.Options.of(policy, workers).withLearnedTimes().withPriorities(priorities));
        Played engine;
        try (VirtualWorkers virtual = new VirtualWorkers(workers, policy)) {
            engine = new Played(graph, priorities, virtual);
            engine.play();
        }
        String what = policy.name() + ", seed " + seed + ", " + workers + " workers: ";
        assertArrayEquals(engine.starts, run.schedule().starts(), what + "starts");
        assertArrayEquals(engine.ends, run.schedule().ends(), what + "ends");
        assertArrayEquals(engine.workers, run.schedule().places(), what + "workers");
    }

    /** A graph as nodes of an engine. */
    private static final class Played {
        private final WorkGraph graph;
        private final VirtualWorkers virtual;
        private final List<Task> tasks = new ArrayList<>();
        private final double[] starts;
        private final double[] ends;
        private final int[] workers;

        Played(WorkGraph graph, int[] priorities, VirtualWorkers virtual) {
            this.graph = graph;
            this.virtual = virtual;
            this.starts = new double[graph.tasks()];
            this.ends = new double[graph.tasks()];
            this.workers = new int[graph.tasks()];
            for (int task = 0; task < graph.tasks(); task++) {
                int depth = 0;
                for (int edge : graph.in(task)) {
                    depth = Math.max(depth, tasks.get(graph.from(edge)).depth + 1);
                }
                tasks.add(new Task(task, depth, priorities[task]));
            }
        }

        void play() {
            virtual.run(tasks.stream().filter(task -> task.pending == 0).toList());
        }

        private final class Task extends PlacedNode {
            private final int number;
            private final int depth;
            private final int priority;
            private int pending;

            Task(int number, int depth, int priority) {
                this.number = number;
                this.depth = depth;
                this.priority = priority;
                this.pending = graph.in(number).length;
            }

            @Override
            public void run(WorkerContext worker) {
                workers[number] = worker.index();
                starts[number] = virtual.now();
                virtual.spend((long) graph.cost(number, 0));
                ends[number] = virtual.now();
                int[] edges = graph.out(number);
                for (int i = edges.length - 1; i >= 0; i--) { // as graphs do: the first submitted is to run next
                    Task later = tasks.get(graph.to(edges[i]));
                    if (--later.pending == 0) {
                        Node node = later;
                        worker.readyAtEnd(node);
                    }
                }
            }

            @Override
            public String name() {
                return graph.name(number);
            }

            @Override
            public long id() {
                return number;
            }

            @Override
            public int depth() {
                return depth;
            }

            @Override
            public int consumers() {
                return graph.out(number).length;
            }

            @Override
            public int priority() {
                return priority;
            }
        }
    }
}

package dev.jacquard.sim;

import dev.jacquard.engine.plan.WorkGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Graphs that seeds draw. */
final class RandomGraphs {
    private RandomGraphs() {}

    /** Returns a graph of up to 60 tasks for equal workers that share a memory; many times are equal, some are 0. */
    static WorkGraph equal(long seed, int workers) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> places = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            places.add("w" + worker);
        }
        WorkGraph.Builder graph = new WorkGraph.Builder(places);
        int tasks = 1 + random.nextInt(60);
        int most = random.nextBoolean() ? 5 : 1_000_000;
        for (int task = 0; task < tasks; task++) {
            double[] costs = new double[workers];
            Arrays.fill(costs, random.nextInt(most));
            graph.task("kind " + random.nextInt(6), costs);
        }
        edges(graph, tasks, random, 1);
        return graph.build();
    }

    /**
     * Returns a graph of up to 60 tasks of 0.2 to 10 ms, in nanoseconds, for equal workers; all are after the first.
     */
    static WorkGraph rooted(long seed, int workers) {
        SplittableRandom random = new SplittableRandom(seed);
        WorkGraph.Builder graph = new WorkGraph.Builder(
                IntStream.range(0, workers).mapToObj(worker -> "w" + worker).toList());
        int tasks = 1 + random.nextInt(60);
        for (int task = 0; task < tasks; task++) {
            double[] costs = new double[workers];
            Arrays.fill(costs, random.nextInt(200_000, 10_000_000));
            graph.task("kind " + random.nextInt(6), costs);
            if (task > 0) {
                graph.edge(0, task, 0);
            }
        }
        edges(graph, tasks, random, 1);
        return graph.build();
    }

    /** Returns a graph of up to 40 tasks for places with other times and memories, some of which cannot run some. */
    static WorkGraph unequal(long seed, int places) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> names = new ArrayList<>();
        for (int place = 0; place < places; place++) {
            names.add("p" + place);
        }
        WorkGraph.Builder graph = new WorkGraph.Builder(names);
        for (int from = 0; from < places; from++) {
            for (int to = 0; to < places; to++) {
                graph.link(from, to, random.nextInt(3), random.nextInt(2) * 0.5);
            }
        }
        int tasks = 1 + random.nextInt(40);
        for (int task = 0; task < tasks; task++) {
            double[] costs = new double[places];
            for (int place = 0; place < places; place++) {
                boolean none = place > 0 && random.nextInt(5) == 0;
                costs[place] = none ? Double.POSITIVE_INFINITY : 1 + random.nextInt(20);
            }
            graph.task("t" + task, costs);
        }
        edges(graph, tasks, random, 20);
        return graph.build();
    }

    private static void edges(WorkGraph.Builder graph, int tasks, SplittableRandom random, int size) {
        double density = random.nextDouble() * 0.3;
        for (int to = 1; to < tasks; to++) {
            for (int from = 0; from < to; from++) {
                if (random.nextDouble() < density) {
                    graph.edge(from, to, random.nextInt(size));
                }
            }
        }
    }
}

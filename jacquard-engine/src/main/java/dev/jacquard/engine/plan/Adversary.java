package dev.jacquard.engine.plan;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Searches the small graph on which a placement is worst against the shortest plan: 3 to 5 tasks on 2 to 4 places of
 * different kinds, with costs of 1 to 100 and copies of 0.01 to 100. Each edge has data and each link takes time, so
 * that tables with bandwidths can hold the graph.
 *
 * <p>A walk changes one number, edge or task at a time, and goes on with graphs that are as bad or a little better.
 * Each graph is held against the shortest of all its plans.
 *
 * <p>Source: Coleman and Krishnamachari, PISA: an adversarial approach to comparing task graph scheduling algorithms
 * (2024), for the search by annealing.
 *
 * <p>Threads: confined to one.
 */
final class Adversary {
    private static final int WALKS = 4;
    /** The part of a ratio that a step may lose at the begin of a walk. */
    private static final double THRESHOLD = 0.3;
    /** The tasks that may be placed to prove the shortest plan of one graph. */
    private static final long PROOF = 50_000;

    private final GraphPlacement placement;
    private final GraphPlacement.Limits limits;
    private final SplittableRandom random;
    private long placed;

    Adversary(GraphPlacement placement, GraphPlacement.Limits limits) {
        this.placement = placement;
        this.limits = limits;
        random = new SplittableRandom(limits.seed());
    }

    WorkGraph search() {
        Genes worst = new Genes(3, 2, random);
        double most = ratio(worst.graph());
        for (int walk = 1; walk <= WALKS; walk++) {
            long begin = placed;
            long end = limits.budget() / WALKS * walk;
            Genes genes = new Genes(3 + random.nextInt(3), 2 + random.nextInt(3), random);
            double ratio = ratio(genes.graph());
            while (placed < end) {
                double threshold = THRESHOLD * ratio * (end - placed) / Math.max(1, end - begin);
                Genes changed = genes.changed(random);
                double its = ratio(changed.graph());
                if (its >= ratio - threshold) {
                    genes = changed;
                    ratio = its;
                }
                if (its > most) {
                    most = its;
                    worst = changed;
                }
            }
        }
        return worst.graph();
    }

    /** Returns how much longer the plan of a graph is than the shortest; 0 if that is not proved. */
    private double ratio(WorkGraph graph) {
        Plan plan = placement.plan(graph, limits);
        Exact exact = new Exact(graph, plan);
        Plan shortest = exact.search(PROOF);
        placed += graph.tasks() + exact.placed();
        return shortest.isProved() ? plan.makespan() / shortest.makespan() : 0;
    }

    /** The numbers of a graph. */
    private static final class Genes {
        private static final int MOST_COST = 100;
        /** The reciprocals of their reciprocals are the same numbers. */
        private static final double[] BANDWIDTHS = {100, 10, 5, 2, 1, 0.5, 0.2, 0.1};

        private final double[][] costs;
        private final boolean[][] edges;
        private final double[][] sizes;
        private final double[][] links;

        private Genes(int tasks, int places) {
            costs = new double[tasks][places];
            edges = new boolean[tasks][tasks];
            sizes = new double[tasks][tasks];
            links = new double[places][places];
        }

        Genes(int tasks, int places, SplittableRandom random) {
            this(tasks, places);
            for (int task = 0; task < tasks; task++) {
                for (int place = 0; place < places; place++) {
                    costs[task][place] = cost(random);
                }
                for (int to = task + 1; to < tasks; to++) {
                    edges[task][to] = random.nextInt(2) == 0;
                    sizes[task][to] = size(random);
                }
            }
            for (int from = 0; from < places; from++) {
                for (int to = 0; to < places; to++) {
                    links[from][to] = perUnit(random);
                }
            }
        }

        /** Returns a cost of 1 to 100; half of them are 10 at most. */
        private static double cost(SplittableRandom random) {
            return 1 + random.nextInt(random.nextBoolean() ? 10 : MOST_COST);
        }

        private static double size(SplittableRandom random) {
            return 1 + random.nextInt(10);
        }

        private static double perUnit(SplittableRandom random) {
            return 1 / BANDWIDTHS[random.nextInt(BANDWIDTHS.length)];
        }

        /** Returns a copy with one change or two. */
        Genes changed(SplittableRandom random) {
            Genes copy = new Genes(costs.length, links.length);
            for (int task = 0; task < costs.length; task++) {
                System.arraycopy(costs[task], 0, copy.costs[task], 0, links.length);
                System.arraycopy(edges[task], 0, copy.edges[task], 0, costs.length);
                System.arraycopy(sizes[task], 0, copy.sizes[task], 0, costs.length);
            }
            for (int place = 0; place < links.length; place++) {
                System.arraycopy(links[place], 0, copy.links[place], 0, links.length);
            }
            for (int changes = random.nextInt(2); changes >= 0; changes--) {
                copy.change(random);
            }
            return copy;
        }

        private void change(SplittableRandom random) {
            int task = random.nextInt(costs.length);
            int other = random.nextInt(costs.length);
            int place = random.nextInt(links.length);
            switch (random.nextInt(4)) {
                case 0 -> costs[task][place] = cost(random);
                case 1 -> edges[Math.min(task, other)][Math.max(task, other)] ^= task != other;
                case 2 -> sizes[Math.min(task, other)][Math.max(task, other)] = size(random);
                default -> links[place][random.nextInt(links.length)] = perUnit(random);
            }
        }

        WorkGraph graph() {
            WorkGraph.Builder builder = new WorkGraph.Builder(
                    IntStream.range(0, links.length).mapToObj(i -> "P" + i).toList());
            for (int from = 0; from < links.length; from++) {
                for (int to = 0; to < links.length; to++) {
                    builder.link(from, to, 0, links[from][to]);
                }
            }
            for (int task = 0; task < costs.length; task++) {
                builder.task("T" + task, costs[task]);
            }
            for (int from = 0; from < costs.length; from++) {
                for (int to = from + 1; to < costs.length; to++) {
                    if (edges[from][to]) {
                        builder.edge(from, to, sizes[from][to]);
                    }
                }
            }
            return builder.build();
        }
    }
}

package dev.jacquard.cluster.partition;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Our partitioner. Balance comes first: no part exceeds a load that is known to be possible, if a partition is found
 * that keeps to it; then the smallest cut counts. Random choices come from fixed seeds, so that every rank and every
 * machine has the same answer.
 *
 * <pre>
 *  graph --Balance: packed by weight--> first candidate; its heaviest load is the limit
 *        --Bisection, recursive--> parts --Balance--> parts --PartsRefinement--> candidate, for each of several seeds
 *  best candidate --PartsRefinement, on coarser graphs too--> candidate
 *  best candidate --BranchAndBound, if the graph is small--> answer
 * </pre>
 *
 * <p>Source of the refinement on coarser graphs within the parts: P. Sanders, C. Schulz: Engineering multilevel graph
 * partitioning algorithms, ESA 2011.
 */
final class Multilevel implements Partitioner {
    /** Vertices and arcs that all runs look at together, about: bounds the time of graphs of middling size. */
    private static final long WORK = 50_000;

    private static final int MOST_RUNS = 24;

    @Override
    public String name() {
        return "jacquard";
    }

    @Override
    public Optional<int[]> partition(WeightedGraph graph, int parts) {
        Partition.requireParts(parts);
        if (parts == 1) {
            return Optional.of(new int[graph.vertices()]);
        }
        if (parts >= graph.vertices()) {
            return Optional.of(IntStream.range(0, graph.vertices()).toArray());
        }
        return Optional.of(new Search(graph, parts).run());
    }

    /** The search for one partition; confined to the calling thread. */
    private static final class Search {
        private final WeightedGraph graph;
        private final int parts;
        /** The load of the heaviest part that is light enough, whether or not it is possible. */
        private final long wanted;
        /** The load up to which parts are filled: the wanted one, or the least one that is known to be possible. */
        private final long limit;

        private int[] best;
        /**
         * The rating of {@link #best}: heaviest load, at least the limit; cut; heaviest load. The least one is best.
         */
        private long[] rating;

        Search(WeightedGraph graph, int parts) {
            this.graph = graph;
            this.parts = parts;
            this.wanted = Balance.limit(graph, parts);
            this.best = Balance.packed(graph, parts, wanted);
            Balance.fill(graph, best, parts);
            this.limit = Math.max(wanted, heaviest(loads(best)));
            this.rating = rating(best);
        }

        int[] run() {
            if (graph.edges() > 0) {
                long runs = Math.clamp(WORK / graph.size(), 1, MOST_RUNS);
                int[] packed = best;
                for (int run = 0; run < runs; run++) {
                    SeededRandom random = new SeededRandom(run);
                    consider(refined(Bisection.recursive(graph, parts, limit, random), random));
                }
                if (best == packed) {
                    consider(refined(packed.clone(), new SeededRandom(runs)));
                }
                improve();
            }
            if (graph.vertices() <= BranchAndBound.MOST_VERTICES) {
                return BranchAndBound.best(graph, parts, wanted, best);
            }
            return best;
        }

        private int[] refined(int[] partOf, SeededRandom random) {
            long[] loads = loads(partOf);
            Balance.even(graph, partOf, loads, limit);
            PartsRefinement.refine(graph, partOf, loads, limit, random);
            Balance.even(graph, partOf, loads, limit);
            Balance.fill(graph, partOf, parts);
            return partOf;
        }

        /** Refines the best candidate on coarser graphs too. */
        private void improve() {
            int[] partOf = best.clone();
            PartsRefinement.cycle(graph, partOf, loads(partOf), limit, new SeededRandom(-1));
            Balance.fill(graph, partOf, parts);
            consider(partOf);
        }

        private void consider(int[] partOf) {
            long[] its = rating(partOf);
            if (Arrays.compare(its, rating) < 0) {
                best = partOf;
                rating = its;
            }
        }

        private long[] rating(int[] partOf) {
            long heaviest = heaviest(loads(partOf));
            return new long[] {Math.max(limit, heaviest), Partition.cut(graph, partOf), heaviest};
        }

        private static long heaviest(long[] loads) {
            return Arrays.stream(loads).max().orElseThrow();
        }

        private long[] loads(int[] partOf) {
            long[] loads = new long[parts];
            for (int vertex = 0; vertex < partOf.length; vertex++) {
                loads[partOf[vertex]] += graph.weights[vertex];
            }
            return loads;
        }
    }
}

package dev.jacquard.cluster.partition;

import java.util.Arrays;
import java.util.List;

/**
 * Refines a partition into many parts: each pair of parts with an edge between them by {@link PairRefinement}, again
 * and again while a part of the pair changes. {@link #cycle} does so on coarser graphs first, so that groups of
 * vertices move as one.
 */
final class PartsRefinement {
    private static final int MOST_ROUNDS = 5;
    /** Vertices of the coarsest graph, for each part. */
    private static final int COARSEST = 20;

    private PartsRefinement() {}

    /** Refines {@code partOf} and {@code loads} in place; no part should exceed the load {@code limit}. */
    static void refine(WeightedGraph graph, int[] partOf, long[] loads, long limit, SeededRandom random) {
        PairRefinement pairs = new PairRefinement(graph, partOf, loads);
        boolean[] changed = new boolean[loads.length];
        Arrays.fill(changed, true);
        for (int round = 0; round < MOST_ROUNDS; round++) {
            long[] borders = borders(graph, partOf, loads.length);
            int[][] members = members(partOf, loads.length, random.order(partOf.length));
            boolean[] changes = new boolean[loads.length];
            boolean any = false;
            for (int i : random.order(borders.length)) {
                int a = (int) (borders[i] / loads.length);
                int b = (int) (borders[i] % loads.length);
                if ((changed[a] || changed[b] || changes[a] || changes[b])
                        && pairs.refine(a, b, limit, limit, members[a], members[b])) {
                    changes[a] = true;
                    changes[b] = true;
                    any = true;
                }
            }
            if (!any) {
                return;
            }
            changed = changes;
        }
    }

    /**
     * Refines on coarser graphs with vertices that lie within a part each, the coarsest first, and on the graph itself.
     */
    static void cycle(WeightedGraph graph, int[] partOf, long[] loads, long limit, SeededRandom random) {
        List<Coarsening> steps = Coarsening.steps(graph, COARSEST * loads.length, partOf, random);
        int[] parts = partOf;
        for (Coarsening step : steps) {
            parts = step.coarsened(parts);
        }
        for (int i = steps.size() - 1; i >= 0; i--) {
            refine(steps.get(i).coarse(), parts, loads, limit, random);
            parts = steps.get(i).refined(parts);
        }
        System.arraycopy(parts, 0, partOf, 0, parts.length);
        refine(graph, partOf, loads, limit, random);
    }

    /** The pairs of parts with an edge between them, as {@code a * parts + b} with {@code a < b}, each once. */
    private static long[] borders(WeightedGraph graph, int[] partOf, int parts) {
        long[] pairs = new long[64];
        int count = 0;
        for (int vertex = 0; vertex < partOf.length; vertex++) {
            int a = partOf[vertex];
            for (int arc = graph.offsets[vertex]; arc < graph.offsets[vertex + 1]; arc++) {
                int b = partOf[graph.neighbours[arc]];
                if (a < b) {
                    if (count == pairs.length) {
                        count = distinct(pairs, count);
                        pairs = Arrays.copyOf(pairs, Math.max(pairs.length, 2 * count));
                    }
                    pairs[count++] = (long) a * parts + b;
                }
            }
        }
        return Arrays.copyOf(pairs, distinct(pairs, count));
    }

    /** Sorts the first {@code count} numbers and moves the distinct ones to the beginning. */
    private static int distinct(long[] numbers, int count) {
        Arrays.sort(numbers, 0, count);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (kept == 0 || numbers[kept - 1] != numbers[i]) {
                numbers[kept++] = numbers[i];
            }
        }
        return kept;
    }

    /** The vertices of each part, in the order in which they stand in {@code order}. */
    static int[][] members(int[] partOf, int parts, int[] order) {
        int[] counts = new int[parts];
        for (int part : partOf) {
            counts[part]++;
        }
        int[][] members = new int[parts][];
        for (int part = 0; part < parts; part++) {
            members[part] = new int[counts[part]];
            counts[part] = 0;
        }
        for (int vertex : order) {
            members[partOf[vertex]][counts[partOf[vertex]]++] = vertex;
        }
        return members;
    }
}

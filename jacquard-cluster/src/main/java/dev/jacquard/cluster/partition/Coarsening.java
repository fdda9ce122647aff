package dev.jacquard.cluster.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step from a graph to a coarser one: pairs of vertices become single vertices, and their edges are summed. A
 * partition of the coarse graph is one of the fine graph, with the same loads and the same cut.
 *
 * <p>Pairs are neighbours with a heavy edge and light vertices. Vertices that are left over, as around the centre of a
 * star, are paired if their heaviest edges lead to the same vertex.
 *
 * <p>Source of the rating: M. Holtgrewe, P. Sanders, C. Schulz: Engineering a scalable high quality graph partitioner,
 * IPDPS 2010.
 */
final class Coarsening {
    /** Stops where a step leaves more than this share of the vertices: further steps cost more than they help. */
    private static final double TOO_MANY_LEFT = 0.95;
    /** Pairs by common neighbours are looked for if neighbours leave more than this share without a partner. */
    private static final double MANY_SINGLE = 0.3;

    private final WeightedGraph coarse;
    /** The vertex of the coarse graph that has a vertex of the fine one. */
    private final int[] coarseOf;

    private Coarsening(WeightedGraph coarse, int[] coarseOf) {
        this.coarse = coarse;
        this.coarseOf = coarseOf;
    }

    /**
     * Returns steps from {@code graph} on to one of about {@code vertices} vertices, or to where no more pairs are
     * found.
     *
     * @param partOf the part of each vertex, if pairs must be of the same part
     */
    static List<Coarsening> steps(WeightedGraph graph, int vertices, int @Nullable [] partOf, SeededRandom random) {
        long heaviest = Math.max(1, graph.totalWeight() / Math.max(1, vertices) * 3 / 2);
        List<Coarsening> steps = new ArrayList<>();
        WeightedGraph fine = graph;
        int[] parts = partOf;
        while (fine.vertices() > vertices) {
            Coarsening step = of(fine, parts, heaviest, random);
            if (step.coarse.vertices() > TOO_MANY_LEFT * fine.vertices()) {
                break;
            }
            steps.add(step);
            fine = step.coarse;
            parts = parts == null ? null : step.coarsened(parts);
        }
        return steps;
    }

    private static Coarsening of(WeightedGraph fine, int @Nullable [] partOf, long heaviest, SeededRandom random) {
        Matching matching = new Matching(fine, partOf, heaviest, random);
        int[] coarseOf = new int[fine.vertices()];
        int[] members = new int[2 * fine.vertices()];
        int count = 0;
        for (int vertex = 0; vertex < coarseOf.length; vertex++) {
            int partner = matching.partner[vertex];
            if (partner >= vertex || partner < 0) {
                int other = partner < 0 ? vertex : partner;
                members[2 * count] = vertex;
                members[2 * count + 1] = other;
                coarseOf[vertex] = count;
                coarseOf[other] = count++;
            }
        }
        return new Coarsening(contracted(fine, coarseOf, members, count), coarseOf);
    }

    /** The coarse graph of {@code count} vertices with two members each, which may be the same. */
    private static WeightedGraph contracted(WeightedGraph fine, int[] coarseOf, int[] members, int count) {
        long[] weights = new long[count];
        int[] offsets = new int[count + 1];
        int[] ends = new int[fine.neighbours.length];
        long[] edgeWeights = new long[ends.length];
        int[] places = new int[count]; // of a neighbour in the row, if at or after its beginning
        Arrays.fill(places, -1);
        int next = 0;
        for (int vertex = 0; vertex < count; vertex++) {
            int row = next;
            for (int i = 2 * vertex; i < 2 * vertex + 2; i++) {
                int member = members[i];
                if (i > 2 * vertex && member == members[i - 1]) {
                    continue;
                }
                weights[vertex] += fine.weights[member];
                for (int arc = fine.offsets[member]; arc < fine.offsets[member + 1]; arc++) {
                    int end = coarseOf[fine.neighbours[arc]];
                    if (end == vertex) {
                        continue;
                    }
                    if (places[end] < row) {
                        places[end] = next;
                        ends[next++] = end;
                    }
                    edgeWeights[places[end]] += fine.edgeWeights[arc];
                }
            }
            offsets[vertex + 1] = next;
        }
        return new WeightedGraph(weights, offsets, Arrays.copyOf(ends, next), Arrays.copyOf(edgeWeights, next));
    }

    WeightedGraph coarse() {
        return coarse;
    }

    /** Returns the partition of the coarse graph that {@code fine} is, which has the members of a pair in one part. */
    int[] coarsened(int[] fine) {
        int[] parts = new int[coarse.vertices()];
        for (int vertex = 0; vertex < fine.length; vertex++) {
            parts[coarseOf[vertex]] = fine[vertex];
        }
        return parts;
    }

    /** Returns the partition of the fine graph that {@code parts} of the coarse one is. */
    int[] refined(int[] parts) {
        int[] fine = new int[coarseOf.length];
        for (int vertex = 0; vertex < fine.length; vertex++) {
            fine[vertex] = parts[coarseOf[vertex]];
        }
        return fine;
    }

    /** Finds partners. */
    private static final class Matching {
        private final WeightedGraph graph;
        private final int @Nullable [] partOf;
        private final long heaviest;
        private final SeededRandom random;
        /** The partner of each vertex, or -1. */
        final int[] partner;

        Matching(WeightedGraph graph, int @Nullable [] partOf, long heaviest, SeededRandom random) {
            this.graph = graph;
            this.partOf = partOf;
            this.heaviest = heaviest;
            this.random = random;
            this.partner = new int[graph.vertices()];
            Arrays.fill(partner, -1);
            int[] order = random.order(partner.length);
            int single = 0;
            for (int vertex : order) {
                if (partner[vertex] < 0 && !pair(vertex, bestNeighbour(vertex))) {
                    single++;
                }
            }
            if (single > MANY_SINGLE * partner.length) {
                pairByCommonNeighbours(order);
            }
        }

        private boolean pair(int vertex, int other) {
            if (other < 0) {
                return false;
            }
            partner[vertex] = other;
            partner[other] = vertex;
            return true;
        }

        private boolean mayPair(int vertex, int other) {
            return partner[other] < 0
                    && graph.weights[vertex] + graph.weights[other] <= heaviest
                    && (partOf == null || partOf[vertex] == partOf[other]);
        }

        /** The neighbour without partner that is rated best, or -1. Ties go to any of them. */
        private int bestNeighbour(int vertex) {
            int degree = graph.degree(vertex);
            if (degree == 0) {
                return -1;
            }
            int offset = graph.offsets[vertex];
            int place = random.below(degree);
            int best = -1;
            double bestRating = -1;
            for (int i = 0; i < degree; i++) {
                int other = graph.neighbours[offset + place];
                if (mayPair(vertex, other)) {
                    double weight = graph.edgeWeights[offset + place];
                    double rating = weight * weight / Math.max(1, graph.weights[other]);
                    if (rating > bestRating) {
                        bestRating = rating;
                        best = other;
                    }
                }
                place = place + 1 == degree ? 0 : place + 1;
            }
            return best;
        }

        /** Pairs vertices without partner if their heaviest edges lead to the same vertex, or if they have no edge. */
        private void pairByCommonNeighbours(int[] order) {
            int none = partner.length;
            int[] waiting = new int[none + 1]; // a vertex that has its heaviest edge to that one
            Arrays.fill(waiting, -1);
            for (int vertex : order) {
                if (partner[vertex] >= 0) {
                    continue;
                }
                int common = heaviestNeighbour(vertex, none);
                int other = waiting[common];
                if (other >= 0 && mayPair(vertex, other)) {
                    pair(vertex, other);
                    waiting[common] = -1;
                } else {
                    waiting[common] = vertex;
                }
            }
        }

        private int heaviestNeighbour(int vertex, int none) {
            int best = none;
            long most = -1;
            for (int arc = graph.offsets[vertex]; arc < graph.offsets[vertex + 1]; arc++) {
                if (graph.edgeWeights[arc] > most) {
                    most = graph.edgeWeights[arc];
                    best = graph.neighbours[arc];
                }
            }
            return best;
        }
    }
}

package dev.jacquard.cluster.partition;

import java.util.Arrays;

/**
 * Moves vertices between two parts until their cut gets no smaller: the algorithm of Fiduccia and Mattheyses. A pass
 * moves each vertex at most once, always one with the largest gain, also where that is a loss, and keeps the best state
 * on the way: first the one that exceeds the limits of the two parts least, then the one with the smallest cut.
 *
 * <pre>
 *  vertices at the border --gain--> heap of each part --best one that the other part may take--> move
 *                                        ^                                                        |
 *                                        +----------- gains of its neighbours ---------------------+
 * </pre>
 *
 * <p>Source: C. Fiduccia, R. Mattheyses: A linear-time heuristic for improving network partitions, DAC 1982.
 *
 * <p>Confined to one thread.
 */
final class PairRefinement {
    private static final int MOST_PASSES = 12;
    /** A pass ends after this number of moves without a better state, or a larger one where the border is long. */
    private static final int LEAST_PATIENCE = 40;

    private static final int MOST_PATIENCE = 400;

    private final WeightedGraph graph;
    /** The part of each vertex. The caller's array, which is changed in place. */
    private final int[] partOf;
    /** The load of each part. The caller's array, which is changed in place. */
    private final long[] loads;

    private final GainHeap[] heaps;
    /** The pass in which a vertex was last moved or put aside. */
    private final int[] doneIn;
    /** A load may exceed its limit by this much within a pass. */
    private final long allowance;

    private int pass;
    private int[] moved = new int[64];

    private final int[] pair = new int[2];
    private final long[] limits = new long[2];

    PairRefinement(WeightedGraph graph, int[] partOf, long[] loads) {
        this.graph = graph;
        this.partOf = partOf;
        this.loads = loads;
        this.heaps = new GainHeap[] {new GainHeap(partOf.length), new GainHeap(partOf.length)};
        this.doneIn = new int[partOf.length];
        this.allowance = 2 * (graph.totalWeight() / Math.max(1, partOf.length) + 1);
    }

    /**
     * Refines the parts {@code a} and {@code b}.
     *
     * @param limitA the load that {@code a} should not exceed
     * @param limitB the load that {@code b} should not exceed
     * @param candidates vertices that may move if they are in the two parts, as may their neighbours
     * @return true if the loads exceed the limits by less, or by as much with a smaller cut
     */
    boolean refine(int a, int b, long limitA, long limitB, int[]... candidates) {
        pair[0] = a;
        pair[1] = b;
        limits[0] = limitA;
        limits[1] = limitB;
        boolean better = false;
        for (int i = 0; i < MOST_PASSES && pass(candidates); i++) {
            better = true;
        }
        return better;
    }

    private long excess(int side) {
        return loads[pair[side]] - limits[side];
    }

    private long spread() {
        return Math.max(excess(0), excess(1));
    }

    private boolean pass(int[][] candidates) {
        pass++;
        heaps[0].clear();
        heaps[1].clear();
        boolean tooHeavy = spread() > 0;
        for (int[] some : candidates) {
            for (int vertex : some) {
                int side = side(vertex);
                if (side >= 0) {
                    addIfUseful(vertex, side, tooHeavy);
                }
            }
        }
        long startSpread = spread();
        long bestSpread = startSpread;
        long bestGain = 0;
        long gain = 0;
        int count = 0;
        int kept = 0;
        int patience = Math.min(LEAST_PATIENCE + (heaps[0].size() + heaps[1].size()) / 2, MOST_PATIENCE);
        while (count - kept < patience) {
            int side = giver();
            if (side < 0) {
                break;
            }
            gain += heaps[side].firstGain();
            int vertex = heaps[side].poll();
            move(vertex, side);
            if (count == moved.length) {
                moved = Arrays.copyOf(moved, 2 * count);
            }
            moved[count++] = vertex;
            long spread = spread();
            if (isBetter(spread, gain, bestSpread, bestGain)) {
                bestSpread = spread;
                bestGain = gain;
                kept = count;
            }
        }
        while (count > kept) {
            undo(moved[--count]);
        }
        return Math.max(0, bestSpread) != Math.max(0, startSpread) || bestGain != 0;
    }

    /** Compares two states: by the excess over the limits, then by the gain, then by the larger load. */
    private static boolean isBetter(long spread, long gain, long thanSpread, long thanGain) {
        long excess = Math.max(0, spread);
        long thanExcess = Math.max(0, thanSpread);
        if (excess != thanExcess) {
            return excess < thanExcess;
        }
        return gain != thanGain ? gain > thanGain : spread < thanSpread;
    }

    /** The side of a vertex, or -1 if it is in neither part. */
    private int side(int vertex) {
        int part = partOf[vertex];
        return part == pair[0] ? 0 : part == pair[1] ? 1 : -1;
    }

    /** Adds a vertex at the border, or also one within its part. */
    private void addIfUseful(int vertex, int side, boolean within) {
        if (heaps[side].contains(vertex)) {
            return;
        }
        int other = pair[1 - side];
        long out = 0;
        long in = 0;
        for (int arc = graph.offsets[vertex]; arc < graph.offsets[vertex + 1]; arc++) {
            int part = partOf[graph.neighbours[arc]];
            if (part == other) {
                out += graph.edgeWeights[arc];
            } else if (part == pair[side]) {
                in += graph.edgeWeights[arc];
            }
        }
        if (out > 0 || within) {
            heaps[side].add(vertex, out - in);
        }
    }

    /** The side that gives its first vertex next, or -1. Vertices that the other side cannot take are put aside. */
    private int giver() {
        while (true) {
            int side = heavierSide();
            if (side < 0) {
                return -1;
            }
            int vertex = heaps[side].first();
            long there = excess(1 - side) + graph.weights[vertex];
            if (there <= allowance || there < excess(side)) {
                return side;
            }
            heaps[side].poll();
            doneIn[vertex] = pass;
        }
    }

    private int heavierSide() {
        int heavier = excess(0) >= excess(1) ? 0 : 1;
        if (excess(heavier) > 0) {
            return heaps[heavier].isEmpty() ? -1 : heavier;
        }
        int lighter = 1 - heavier;
        if (heaps[lighter].isEmpty()) {
            return heaps[heavier].isEmpty() ? -1 : heavier;
        }
        if (heaps[heavier].isEmpty()) {
            return lighter;
        }
        return heaps[lighter].firstGain() > heaps[heavier].firstGain() ? lighter : heavier;
    }

    private void move(int vertex, int side) {
        doneIn[vertex] = pass;
        int target = pair[1 - side];
        partOf[vertex] = target;
        loads[pair[side]] -= graph.weights[vertex];
        loads[target] += graph.weights[vertex];
        for (int arc = graph.offsets[vertex]; arc < graph.offsets[vertex + 1]; arc++) {
            int other = graph.neighbours[arc];
            int its = side(other);
            if (its < 0 || doneIn[other] == pass) {
                continue;
            }
            if (heaps[its].contains(other)) {
                heaps[its].change(other, (its == side ? 2 : -2) * graph.edgeWeights[arc]);
            } else {
                addIfUseful(other, its, false);
            }
        }
    }

    private void undo(int vertex) {
        int part = partOf[vertex];
        int back = part == pair[0] ? pair[1] : pair[0];
        partOf[vertex] = back;
        loads[part] -= graph.weights[vertex];
        loads[back] += graph.weights[vertex];
    }
}

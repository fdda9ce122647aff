package dev.jacquard.core.compiled;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The edges of a graph, by the numbers of its tasks. Constant.
 *
 * <p>An edge is packed into an int: twice the later task's number, and 1 more when the edge carries failure.
 */
final class Adjacency {
    private final int[][] later;
    private final int count;

    /**
     * Creates the edges of a graph.
     *
     * @param tasks the number of tasks
     * @param earlier the earlier task of each edge
     * @param packed each edge, packed as above
     * @param size the number of edges in the two arrays
     */
    Adjacency(int tasks, int[] earlier, int[] packed, int size) {
        int[] counts = new int[tasks];
        for (int i = 0; i < size; i++) {
            counts[earlier[i]]++;
        }
        later = new int[tasks][];
        for (int task = 0; task < tasks; task++) {
            later[task] = new int[counts[task]];
        }
        for (int i = 0; i < size; i++) {
            int task = earlier[i];
            later[task][--counts[task]] = packed[i];
        }
        int all = 0;
        for (int task = 0; task < tasks; task++) {
            later[task] = merged(later[task]);
            all += later[task].length;
        }
        count = all;
    }

    /**
     * Returns the edges in ascending order. Several edges between two tasks become one, which carries failure if one of
     * them does.
     */
    private static int[] merged(int[] packed) {
        Arrays.sort(packed);
        int kept = 0;
        for (int edge : packed) {
            if (kept > 0 && packed[kept - 1] >> 1 == edge >> 1) {
                packed[kept - 1] |= edge;
            } else {
                packed[kept++] = edge;
            }
        }
        return kept == packed.length ? packed : Arrays.copyOf(packed, kept);
    }

    static int packed(int later, boolean carriesFailure) {
        return 2 * later + (carriesFailure ? 1 : 0);
    }

    static int later(int packed) {
        return packed >> 1;
    }

    static boolean carriesFailure(int packed) {
        return (packed & 1) != 0;
    }

    /** Returns the packed edges from {@code task} to later tasks, ascending. Not to be changed. */
    int[] from(int task) {
        return later[task];
    }

    /** Returns all tasks in the order in which one worker runs them: depth first, the first successor first. */
    int[] sequentialOrder() {
        int tasks = later.length;
        int[] waiting = new int[tasks];
        for (int[] edges : later) {
            for (int edge : edges) {
                waiting[later(edge)]++;
            }
        }
        int[] order = new int[tasks];
        int[] stack = new int[tasks];
        int depth = 0;
        for (int task = tasks - 1; task >= 0; task--) {
            if (waiting[task] == 0) {
                stack[depth++] = task;
            }
        }
        for (int next = 0; depth > 0; next++) {
            int task = stack[--depth];
            order[next] = task;
            for (int i = later[task].length - 1; i >= 0; i--) {
                int after = later(later[task][i]);
                if (--waiting[after] == 0) {
                    stack[depth++] = after;
                }
            }
        }
        return order;
    }

    /** Returns the successors of {@code task}, direct and indirect. */
    BitSet after(int task) {
        BitSet found = new BitSet();
        found.set(task);
        for (int at = task; at >= 0; at = found.nextSetBit(at + 1)) { // edges lead to higher numbers
            for (int edge : later[at]) {
                found.set(later(edge));
            }
        }
        found.clear(task);
        return found;
    }

    int tasks() {
        return later.length;
    }

    int count() {
        return count;
    }
}

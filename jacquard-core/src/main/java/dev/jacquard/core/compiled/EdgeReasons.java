package dev.jacquard.core.compiled;

import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import java.util.Arrays;

/**
 * The reasons of the edges that were inferred, for snapshots; all other edges were said. In arrays, for a graph keeps
 * them as long as it lives, and few are ever asked for one.
 *
 * <p>Threads: confined to the builder until {@link #complete}, then constant.
 */
final class EdgeReasons {
    private int[] earlier = new int[16];
    private int[] later = new int[16];
    private Kind[] kinds = new Kind[16];
    private String[] labels = new String[16];
    private int size;
    /** The first reason of the edges from each task, and after the last task the number of all. */
    private int[] firstFrom = {};

    /** Adds a reason of an edge, which may have several. The later tasks come in ascending order. */
    void add(int before, int after, Kind kind, String label) {
        assert size == 0 || later[size - 1] <= after : "edges are searched for in the order of their later tasks";
        if (size == earlier.length) {
            earlier = Arrays.copyOf(earlier, 2 * size);
            later = Arrays.copyOf(later, 2 * size);
            kinds = Arrays.copyOf(kinds, 2 * size);
            labels = Arrays.copyOf(labels, 2 * size);
        }
        earlier[size] = before;
        later[size] = after;
        kinds[size] = kind;
        labels[size++] = label;
    }

    /** Sorts the reasons by the earlier tasks, of which there are that many; nothing is added from now on. */
    void complete(int tasks) {
        firstFrom = new int[tasks + 1];
        for (int i = 0; i < size; i++) {
            firstFrom[earlier[i] + 1]++;
        }
        Arrays.parallelPrefix(firstFrom, Integer::sum);
        int[] next = firstFrom.clone();
        int[] sorted = new int[size];
        Kind[] sortedKinds = new Kind[size];
        String[] sortedLabels = new String[size];
        for (int i = 0; i < size; i++) { // keeps the order of the later tasks
            int to = next[earlier[i]]++;
            sorted[to] = later[i];
            sortedKinds[to] = kinds[i];
            sortedLabels[to] = labels[i];
        }
        earlier = new int[0];
        later = sorted;
        kinds = sortedKinds;
        labels = sortedLabels;
    }

    /** Adds an edge to a snapshot, with the numbers that the tasks have there. */
    void tell(int before, int after, long from, long to, GraphSnapshot.Builder snapshot) {
        int first = first(before, after);
        if (first < 0) {
            snapshot.edge(from, to, Kind.EXPLICIT, "");
            return;
        }
        for (int i = first; i < firstFrom[before + 1] && later[i] == after; i++) {
            if (!isTold(first, i)) {
                snapshot.edge(from, to, kinds[i], labels[i]);
            }
        }
    }

    /** Returns the first reason of an edge; a negative number when it has none. */
    private int first(int before, int after) {
        int found = Arrays.binarySearch(later, firstFrom[before], firstFrom[before + 1], after);
        while (found > firstFrom[before] && later[found - 1] == after) {
            found--;
        }
        return found;
    }

    /** Returns true if one of the reasons from {@code first} on is the same as reason {@code one} after them. */
    private boolean isTold(int first, int one) {
        for (int i = first; i < one; i++) {
            if (kinds[i] == kinds[one] && labels[i].equals(labels[one])) {
                return true;
            }
        }
        return false;
    }
}

package dev.jacquard.bench.graphs;

import java.util.Arrays;
import java.util.stream.IntStream;

/** A list of numbers for each task, all in one array. Immutable, so any thread may read it. */
public final class Lists {
    private final int[] at;
    private final int[] items;

    private Lists(int[] at, int[] items) {
        this.at = at;
        this.items = items;
    }

    static Lists of(int[][] lists) {
        int[] at = new int[lists.length + 1];
        for (int task = 0; task < lists.length; task++) {
            at[task + 1] = at[task] + lists[task].length;
        }
        return new Lists(at, Arrays.stream(lists).flatMapToInt(Arrays::stream).toArray());
    }

    /** The lists the other way round: of predecessors, the successors of each task, in ascending order. */
    Lists reversed() {
        int[] starts = new int[at.length];
        for (int item : items) {
            starts[item + 1]++;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        int[] next = starts.clone();
        int[] owners = new int[items.length];
        for (int task = 0; task + 1 < at.length; task++) {
            for (int i = at[task]; i < at[task + 1]; i++) {
                owners[next[items[i]]++] = task;
            }
        }
        return new Lists(starts, owners);
    }

    /** The number of tasks that have a list. */
    public int tasks() {
        return at.length - 1;
    }

    /** The length of a task's list. */
    public int count(int task) {
        return at[task + 1] - at[task];
    }

    /** Number {@code index} in a task's list. */
    public int get(int task, int index) {
        return items[at[task] + index];
    }

    /** The tasks whose lists are empty. */
    public int[] withNone() {
        return IntStream.range(0, tasks()).filter(task -> count(task) == 0).toArray();
    }

    /** The start of each list in {@link #items()}, and the end of the last one. A copy. */
    public int[] starts() {
        return at.clone();
    }

    /** All lists, one after the other. A copy. */
    public int[] items() {
        return items.clone();
    }
}

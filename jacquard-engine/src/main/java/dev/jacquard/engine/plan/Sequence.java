package dev.jacquard.engine.plan;

/**
 * An order of tasks in which each comes after its predecessors.
 *
 * <p>Threads: confined to one.
 */
final class Sequence {
    /** Above this length parts are sorted apart and merged. */
    private static final int SHORT = 64;

    final int[] order;
    private final int[] missing;
    /** A binary heap of the tasks that may be next; the buffer of merges. */
    private final int[] heap;

    private int count;

    Sequence(int tasks) {
        order = new int[tasks];
        missing = new int[tasks];
        heap = new int[tasks];
    }

    /** Orders the tasks: of those that may be next the one with the least key. */
    void fill(double[] keys, int[][] before, int[][] after) {
        count = 0;
        for (int task = 0; task < missing.length; task++) {
            missing[task] = before[task].length;
            if (missing[task] == 0) {
                push(task, keys);
            }
        }
        for (int i = 0; i < order.length; i++) {
            int task = pop(keys);
            order[i] = task;
            for (int next : after[task]) {
                if (--missing[next] == 0) {
                    push(next, keys);
                }
            }
        }
    }

    private void push(int task, double[] keys) {
        int at = count++;
        while (at > 0 && keys[heap[(at - 1) >>> 1]] > keys[task]) {
            heap[at] = heap[(at - 1) >>> 1];
            at = (at - 1) >>> 1;
        }
        heap[at] = task;
    }

    private int pop(double[] keys) {
        int top = heap[0];
        int last = heap[--count];
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= count) {
                break;
            }
            if (child + 1 < count && keys[heap[child + 1]] < keys[heap[child]]) {
                child++;
            }
            if (keys[heap[child]] >= keys[last]) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = last;
        return top;
    }

    /**
     * Orders the tasks by falling ends, and of equal ends against the order before: an order for the graph with its
     * edges turned round, where a task ends no earlier than its predecessors.
     */
    void reverse(double[] ends) {
        for (int i = 0, j = order.length - 1; i < j; i++, j--) {
            int task = order[i];
            order[i] = order[j];
            order[j] = task;
        }
        sort(0, order.length, ends);
    }

    /** A stable sort, by falling keys. */
    private void sort(int from, int to, double[] keys) {
        if (to - from > SHORT) {
            int middle = (from + to) >>> 1;
            sort(from, middle, keys);
            sort(middle, to, keys);
            merge(from, middle, to, keys);
            return;
        }
        for (int i = from + 1; i < to; i++) {
            int task = order[i];
            int at = i;
            while (at > from && keys[order[at - 1]] < keys[task]) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = task;
        }
    }

    private void merge(int from, int middle, int to, double[] keys) {
        System.arraycopy(order, from, heap, from, middle - from);
        int left = from;
        int right = middle;
        for (int at = from; left < middle; at++) {
            boolean isRight = right < to && keys[order[right]] > keys[heap[left]];
            order[at] = isRight ? order[right++] : heap[left++];
        }
    }
}

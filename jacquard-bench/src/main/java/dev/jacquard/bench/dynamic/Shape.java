package dev.jacquard.bench.dynamic;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A sequence of tasks: what each reads and writes, and, for those who want edges, whom it comes after.
 *
 * @param cells how many cells there are, each with a handle of its own
 * @param own per task, the cell that it updates
 * @param left per task, a cell that it reads; its own when there is none
 * @param up per task, another
 * @param afterLeft per task, the task that wrote {@code left} before it, or {@link #NONE}
 * @param afterUp per task, the task that wrote {@code up} before it, or {@link #NONE}
 * @param leaves the tasks that no task comes after
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
public record Shape(int cells, int[] own, int[] left, int[] up, int[] afterLeft, int[] afterUp, int[] leaves) {
    /** No such task. */
    static final int NONE = -1;

    private static final int HANDLES = 1024;
    /** Ints to a cache line. */
    private static final int LINE = 16;

    /** {@code tasks} updates of one handle. */
    public static Shape chain(int tasks) {
        return rounds(tasks, 1);
    }

    /** {@code tasks} updates of 1,024 handles in turn. */
    public static Shape independent(int tasks) {
        return rounds(tasks, Math.min(HANDLES, tasks));
    }

    private static Shape rounds(int tasks, int cells) {
        int[] own = IntStream.range(0, tasks).map(task -> task % cells).toArray();
        int[] after = IntStream.range(0, tasks)
                .map(task -> task < cells ? NONE : task - cells)
                .toArray();
        int[] none = new int[tasks];
        Arrays.fill(none, NONE);
        return new Shape(cells, own, own, own, after, none, leaves(after, none));
    }

    /** A square of {@code tasks} cells, row by row: each task reads the cells to the left and above. */
    public static Shape wavefront(int tasks) {
        int side = (int) Math.sqrt(tasks);
        int count = side * side;
        int[] own = IntStream.range(0, count).toArray();
        int[] afterLeft = Arrays.stream(own)
                .map(task -> task % side == 0 ? NONE : task - 1)
                .toArray();
        int[] afterUp =
                Arrays.stream(own).map(task -> task < side ? NONE : task - side).toArray();
        return new Shape(count, own, orOwn(afterLeft), orOwn(afterUp), afterLeft, afterUp, leaves(afterLeft, afterUp));
    }

    private static int[] orOwn(int[] tasks) {
        return IntStream.range(0, tasks.length)
                .map(task -> tasks[task] == NONE ? task : tasks[task])
                .toArray();
    }

    private static int[] leaves(int[] afterLeft, int[] afterUp) {
        boolean[] inner = new boolean[afterLeft.length];
        IntStream.concat(Arrays.stream(afterLeft), Arrays.stream(afterUp))
                .filter(task -> task != NONE)
                .forEach(task -> inner[task] = true);
        return IntStream.range(0, inner.length).filter(task -> !inner[task]).toArray();
    }

    int tasks() {
        return own.length;
    }

    /** Ints between two cells: few cells are kept on lines of their own, many lie side by side. */
    int stride() {
        return cells <= HANDLES ? LINE : 1;
    }

    /** Whom a task comes after, none, one or two. */
    int predecessors(int task) {
        return (afterLeft[task] == NONE ? 0 : 1) + (afterUp[task] == NONE ? 0 : 1);
    }
}

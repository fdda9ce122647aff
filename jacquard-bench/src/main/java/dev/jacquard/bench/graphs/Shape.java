package dev.jacquard.bench.graphs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A sequence of tasks: the cells that each reads and writes, and, for systems that want edges, its predecessors.
 * Immutable, so any thread may read it.
 */
public final class Shape {
    private static final int NONE = -1;
    private static final int[] NOBODY = {};
    private static final int HANDLES = 1024;
    private static final int READS = 4;
    private static final long SEED = 20_240_229;
    /** Ints to a cache line. */
    private static final int LINE = 16;

    private final int cells;
    private final int[] own;
    private final Lists reads;
    private final Lists earlier;
    private final Lists later;

    private Shape(int cells, int[] own, Lists reads) {
        this.cells = cells;
        this.own = own;
        this.reads = reads;
        this.earlier = infer(cells, own, reads);
        this.later = earlier.reversed();
    }

    /** Tasks each of which updates a cell of its own, and reads those of earlier tasks: {@code reads} names them. */
    public static Shape ofReads(int tasks, IntFunction<int[]> reads) {
        return new Shape(tasks, IntStream.range(0, tasks).toArray(), lists(tasks, reads));
    }

    /** Each task comes after the one before it. */
    public static Shape chain(int tasks) {
        return ofReads(tasks, task -> task == 0 ? NOBODY : new int[] {task - 1});
    }

    /** A binary tree from its root: task {@code t} comes after task {@code (t - 1) / 2}. */
    public static Shape tree(int tasks) {
        return ofReads(tasks, task -> task == 0 ? NOBODY : new int[] {(task - 1) / 2});
    }

    /** No task comes after another. */
    public static Shape independent(int tasks) {
        return ofReads(tasks, task -> NOBODY);
    }

    /** A square of {@code tasks} tasks, row by row: each comes after those to the left and above. */
    public static Shape wavefront(int tasks) {
        int side = (int) Math.sqrt(tasks);
        return ofReads(
                side * side,
                task -> IntStream.of(task % side == 0 ? NONE : task - 1, task - side)
                        .filter(read -> read >= 0)
                        .toArray());
    }

    /** Steps of {@code width} points: each task comes after the points beside and at its own, one step before. */
    public static Shape stencil(int tasks, int width) {
        return ofReads(tasks, task -> {
            int point = task % width;
            return task < width
                    ? NOBODY
                    : IntStream.rangeClosed(Math.max(0, point - 1), Math.min(width - 1, point + 1))
                            .map(read -> task - width - point + read)
                            .toArray();
        });
    }

    /** Updates of {@code cells} cells in turn, and nothing read. */
    public static Shape updates(int tasks, int cells) {
        return new Shape(
                cells, IntStream.range(0, tasks).map(task -> task % cells).toArray(), lists(tasks, task -> NOBODY));
    }

    /** Each task updates one and reads four others of 1,024 cells, drawn by a fixed seed. */
    public static Shape accesses5(int tasks) {
        SplittableRandom random = new SplittableRandom(SEED);
        int[][] drawn = new int[tasks][];
        for (int task = 0; task < tasks; task++) {
            drawn[task] = random.ints(0, HANDLES).distinct().limit(READS + 1).toArray();
        }
        return new Shape(
                HANDLES,
                Arrays.stream(drawn).mapToInt(cell -> cell[READS]).toArray(),
                lists(tasks, task -> Arrays.copyOf(drawn[task], READS)));
    }

    private static Lists lists(int tasks, IntFunction<int[]> list) {
        return Lists.of(IntStream.range(0, tasks).mapToObj(list).toArray(int[][]::new));
    }

    /** The predecessors of each task, without those that another of them waits for anyway because of the same cell. */
    private static Lists infer(int cells, int[] own, Lists reads) {
        int[] writer = new int[cells];
        Arrays.fill(writer, NONE);
        List<List<Integer>> readers = new ArrayList<>();
        for (int cell = 0; cell < cells; cell++) {
            readers.add(new ArrayList<>(0));
        }
        return lists(own.length, task -> {
            IntStream.Builder after = IntStream.builder();
            for (int i = 0; i < reads.count(task); i++) {
                after.add(writer[reads.get(task, i)]);
                readers.get(reads.get(task, i)).add(task);
            }
            List<Integer> since = readers.get(own[task]);
            after.add(since.isEmpty() ? writer[own[task]] : NONE);
            since.forEach(after::add);
            since.clear();
            writer[own[task]] = task;
            return after.build()
                    .filter(other -> other != NONE)
                    .sorted()
                    .distinct()
                    .toArray();
        });
    }

    /** The number of tasks. */
    public int tasks() {
        return own.length;
    }

    /** The number of cells, each with a handle of its own. */
    public int cells() {
        return cells;
    }

    /** The cell that a task updates. */
    public int own(int task) {
        return own[task];
    }

    /** The cells that each task reads, besides its own. */
    public Lists reads() {
        return reads;
    }

    /** The tasks that each task comes after. */
    public Lists earlier() {
        return earlier;
    }

    /** The tasks that come after each task. */
    public Lists later() {
        return later;
    }

    /** Ints between two cells: few cells are kept on lines of their own, many lie side by side. */
    public int stride() {
        return cells <= HANDLES ? LINE : 1;
    }
}

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
 *
 * <p>This type is public since {@link Untraced} loads JacquardTasks a second time, by another class loader, where the
 * package is another one too.
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

    /** Tasks each of which updates its own cell, and reads cells of earlier tasks: {@code reads} names them. */
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

    /** A square of {@code tasks} tasks, row by row: each comes after its neighbours to the left and above. */
    public static Shape wavefront(int tasks) {
        int side = (int) Math.sqrt(tasks);
        return ofReads(
                side * side,
                task -> IntStream.of(task % side == 0 ? NONE : task - 1, task - side)
                        .filter(read -> read >= 0)
                        .toArray());
    }

    /** Steps of {@code width} points: each task comes after its own point and the neighbours of it, one step before. */
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

    /**
     * The predecessors of each task, without predecessors that another one waits for anyway because of the same cell.
     */
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

    /** The number of cells, each with its own handle. */
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

    /** A list of numbers for each task, all in one array. Immutable, so any thread may read it. */
    public static final class Lists {
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
            return new Lists(
                    at, Arrays.stream(lists).flatMapToInt(Arrays::stream).toArray());
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

        /** The tasks with empty lists. */
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

    /**
     * A system that has a shape and its work, and can run all tasks again and again. Confined to the thread that made
     * it.
     */
    public interface Runner extends AutoCloseable {
        /** Runs all tasks once; returns when all are over. */
        void run() throws Exception;

        /** Ends its threads. */
        @Override
        default void close() {}
    }

    /** Makes a runner. */
    @FunctionalInterface
    interface Maker {
        /**
         * Makes one.
         *
         * @param workers threads that run tasks, the submitter included
         */
        Runner make(int workers, Shape shape, Work work);
    }

    /** The work of a shape's tasks. */
    public interface Work {
        /**
         * Does the work of one task; called by the thread on which the system runs the task.
         *
         * @param task its number in the order of the shape
         */
        void run(int task);
    }
}

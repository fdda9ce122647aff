package dev.jacquard.bench.graphs;

import java.util.Arrays;

/**
 * The cells of a shape, and the actions of its tasks on them: next to nothing, so that the systems are measured and not
 * the work.
 *
 * <p>A <em>counting</em> task adds one to its cell: a task that did not run, ran twice, or at the same time as another
 * on its cell shows in the end. A <em>checking</em> one sets its cell to one more than the largest of the cells that it
 * accesses, so that a task that ran too early shows as well; but it pays for the cache lines of other cells.
 *
 * <p>Cells are plain: their order is the system's business.
 */
final class Board implements ShapeContender.Cells {
    private static final int[] NONE = {};

    private final int[] cells;
    /** Per task, where its cell is. */
    private final int[] own;
    /** Per task, where the cells that it reads are; empty when tasks count. */
    private final int[][] reads;

    private final int[] expected;

    /**
     * A separate board for one contender.
     *
     * @param checking whether the tasks check the order
     */
    public Board(Shape shape, boolean checking) {
        int stride = shape.stride();
        cells = new int[shape.cells() * stride];
        own = new int[shape.tasks()];
        reads = new int[checking ? shape.tasks() : 0][];
        for (int task = 0; task < own.length; task++) {
            own[task] = shape.own(task) * stride;
            if (checking) {
                int count = shape.reads().count(task);
                reads[task] = count == 0 ? NONE : new int[count];
                for (int i = 0; i < count; i++) {
                    reads[task][i] = shape.reads().get(task, i) * stride;
                }
            }
        }
        for (int task = 0; task < own.length; task++) {
            run(task);
        }
        expected = cells.clone();
    }

    @Override
    public void run(int task) {
        if (reads.length == 0) {
            cells[own[task]]++;
        } else {
            check(task);
        }
    }

    private void check(int task) {
        int most = cells[own[task]];
        for (int read : reads[task]) {
            most = Math.max(most, cells[read]);
        }
        cells[own[task]] = most + 1;
    }

    @Override
    public void clear() {
        Arrays.fill(cells, 0);
    }

    @Override
    public boolean isRight() {
        return Arrays.equals(cells, expected);
    }
}

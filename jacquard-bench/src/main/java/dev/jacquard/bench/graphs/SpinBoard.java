package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.graphs.Runner.Work;
import java.util.Arrays;

/**
 * The cells of a shape, with tasks that compute for a while: steps of a generator from what the task's cell holds, each
 * of which needs the one before. A task that did not run, ran twice, or at the same time as another on its cell shows
 * in the end.
 *
 * <p>Cells are plain: their order is the system's business.
 */
final class SpinBoard implements Work {
    private static final int TRIES = 200;
    private static final int STEPS = 20_000;

    private final int[] cells;
    /** Per task, where its cell is. */
    private final int[] own;
    /** Of each task, in the present round. Written between rounds. */
    private int steps;

    /** A board of its own for one contender. */
    public SpinBoard(Shape shape) {
        int stride = shape.stride();
        cells = new int[shape.cells() * stride];
        own = new int[shape.tasks()];
        Arrays.setAll(own, task -> shape.own(task) * stride);
    }

    /** The nanoseconds of a step: the best of several tries. */
    public static double stepNanos(Clock clock) {
        double best = Double.POSITIVE_INFINITY;
        for (int i = 0; i < TRIES; i++) {
            long start = clock.nanoTime();
            int end = spin(i, STEPS);
            best = Math.min(best, (clock.nanoTime() - start) / (double) STEPS);
            if (end == 0) {
                throw new IllegalStateException("the generator came to 0, which it cannot leave");
            }
        }
        return best;
    }

    @Override
    public void run(int task) {
        cells[own[task]] = spin(cells[own[task]], steps);
    }

    /** Steps of a xorshift generator; never 0. */
    private static int spin(int from, int steps) {
        int x = from | 1;
        for (int i = 0; i < steps; i++) {
            x ^= x << 13;
            x ^= x >>> 17;
            x ^= x << 5;
        }
        return x;
    }

    /** Prepares a round in which each task has {@code stepsOfTask} steps. */
    public void clear(int stepsOfTask) {
        Arrays.fill(cells, 0);
        steps = stepsOfTask;
    }

    /** True if the cells are what a sequential round leaves. */
    public boolean isRight() {
        int[] expected = new int[cells.length];
        int first = spin(0, steps); // most cells are updated once
        for (int cell : own) {
            expected[cell] = expected[cell] == 0 ? first : spin(expected[cell], steps);
        }
        return Arrays.equals(cells, expected);
    }
}

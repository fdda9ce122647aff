package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import java.util.Arrays;

/**
 * Bodies of a given length: steps of an xorshift generator, each of which needs the one before, from the value of the
 * task's cell. Compilers cannot join several steps into one, as they do with products and sums. A task that is left
 * out, or runs concurrently with another one of its cell, leaves a wrong number.
 *
 * <p>Cells are plain: their order is the system's business.
 */
final class GrainBoard implements ShapeContender.Cells {
    private static final int TRIES = 20;
    private static final int STEPS_OF_A_TRY = 1_000_000;

    private final Shape shape;
    /** Longs from one cell to the next: for few cells two cache lines, since lines are fetched in pairs. */
    private final int stride;

    private final long[] cells;
    private final long[] expected;
    /** Of each body in the present round. Written between rounds. */
    private int steps;
    /** The steps that the expected cells are of. */
    private int expectedSteps;

    /** A board for one contender with bodies that have {@code steps} steps until {@link #prepare}. */
    GrainBoard(Shape shape, int steps) {
        this.shape = shape;
        this.steps = steps;
        stride = shape.stride();
        cells = new long[shape.cells() * stride];
        expected = new long[cells.length];
    }

    /** Returns how many steps take {@code nanos} here, at least 1, by the best of several tries. */
    static int steps(long nanos, Clock clock) {
        double best = Double.POSITIVE_INFINITY;
        long x = 1;
        for (int i = 0; i < TRIES; i++) {
            long start = clock.nanoTime();
            x = walk(x, STEPS_OF_A_TRY);
            best = Math.min(best, (clock.nanoTime() - start) / (double) STEPS_OF_A_TRY);
        }
        if (x == 0) {
            best *= 1; // keeps the compiler from leaving the steps out
        }
        return (int) Math.max(1, Math.round(nanos / best));
    }

    private static long walk(long from, int steps) {
        long x = from + 1; // 0 stays 0
        for (int i = 0; i < steps; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    @Override
    public void run(int task) {
        int cell = shape.own(task) * stride;
        cells[cell] = walk(cells[cell], steps);
    }

    /** Prepares rounds with bodies that have {@code stepsOfTask} steps. */
    void prepare(int stepsOfTask) {
        steps = stepsOfTask;
    }

    @Override
    public void clear() {
        Arrays.fill(cells, 0);
    }

    @Override
    public boolean isRight() {
        if (expectedSteps != steps) {
            Arrays.fill(expected, 0);
            for (int task = 0; task < shape.tasks(); task++) {
                int cell = shape.own(task) * stride;
                expected[cell] = walk(expected[cell], steps);
            }
            expectedSteps = steps;
        }
        return Arrays.equals(cells, expected);
    }
}

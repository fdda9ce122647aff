package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.graphs.Runner.Work;
import java.util.Arrays;

/**
 * Bodies of a given length: steps of an xorshift generator, each of which needs the one before, from what the task's
 * cell holds. Compilers cannot join several steps into one, as they do with products and sums. A task that is left out,
 * or runs beside another one of its cell, leaves a wrong number.
 *
 * <p>Cells are plain: their order is the system's business.
 */
final class GrainBoard implements Work {
    /** Longs between two cells: two cache lines, since lines are fetched in pairs. */
    private static final int STRIDE = 16;

    private static final int TRIES = 20;
    private static final int STEPS_OF_A_TRY = 1_000_000;

    private final Shape shape;
    private final int steps;
    private final long[] cells;
    private final long[] expected;

    /**
     * A board of its own for one contender.
     *
     * @param steps of a body, at least 1
     */
    GrainBoard(Shape shape, int steps) {
        this.shape = shape;
        this.steps = steps;
        cells = new long[shape.cells() * STRIDE];
        for (int task = 0; task < shape.tasks(); task++) {
            run(task);
        }
        expected = cells.clone();
    }

    /** Returns how many steps take {@code nanos} here, by the best of several tries. */
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
        long x = from + 1; // what is 0 stays so
        for (int i = 0; i < steps; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    @Override
    public void run(int task) {
        int cell = shape.own(task) * STRIDE;
        cells[cell] = walk(cells[cell], steps);
    }

    /** Before a round. */
    void clear() {
        Arrays.fill(cells, 0);
    }

    /** Returns true when the cells are what a sequential round leaves. */
    boolean isRight() {
        return Arrays.equals(cells, expected);
    }
}

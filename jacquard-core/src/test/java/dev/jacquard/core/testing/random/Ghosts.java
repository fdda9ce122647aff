package dev.jacquard.core.testing.random;

import dev.jacquard.memory.data.Box;
import java.util.Arrays;

/**
 * The work of formulas with ghosts over plain arrays, in which the last extent has its elements side by side. Confined
 * to one thread.
 */
final class Ghosts {
    private final long[] extents;
    private final int cells;

    Ghosts(Box shape) {
        this.extents = shape.extents();
        this.cells = (int) shape.elements();
    }

    /** Whether a job fills ghosts from the other end. */
    static boolean isPeriodic(Job job) {
        return job.id() / 100 % 2 == 0;
    }

    /** True if no index of a cell is the first or the last one. */
    boolean isInside(int cell) {
        for (int axis = 0; axis < extents.length; axis++) {
            if (isEnd(axis, index(cell, axis))) {
                return false;
            }
        }
        return true;
    }

    /** Sets the cells of a target that are no ghosts. */
    void stencil(long[] target, long[] one, long[] other, long number) {
        for (int cell = 0; cell < cells; cell++) {
            if (isInside(cell)) {
                long difference = Math.abs(other[cell + 1] - other[cell - 1]);
                target[cell] = Formulas.value(one[cell], difference, number);
            }
        }
    }

    /**
     * Returns the cells of which nothing is known behind a stencil: it may run over the ghosts between two rows. Others
     * that it does not set are as in {@code left}.
     */
    boolean[] unknown(boolean[] left, boolean[] one, boolean[] other) {
        boolean[] unknown = left.clone();
        for (int cell = 0; cell < cells; cell++) {
            if (isInside(cell)) {
                unknown[cell] = one[cell] || other[cell - 1] || other[cell + 1];
            } else if (isBetween(cell, extents.length - 1)) {
                unknown[cell] = true;
            }
        }
        return unknown;
    }

    /** Fills the ghosts, and moves what is unknown with the values. */
    void fill(long[] values, boolean[] unknown, boolean periodic) {
        for (int axis = extents.length - 1; axis >= 0; axis--) {
            long stride = Arrays.stream(extents, axis + 1, extents.length).reduce(1, (a, b) -> a * b);
            for (int cell = 0; cell < cells; cell++) {
                long index = index(cell, axis);
                if (isEnd(axis, index) && isBetween(cell, axis)) {
                    long last = extents[axis] - 1;
                    long from = (index == 0) == periodic ? last - 1 : 1;
                    int source = (int) (cell + (from - index) * stride);
                    values[cell] = values[source];
                    unknown[cell] = unknown[source];
                }
            }
        }
    }

    /** True if no index along an axis before {@code axis} is the first or the last one. */
    private boolean isBetween(int cell, int axis) {
        for (int later = 0; later < axis; later++) {
            if (isEnd(later, index(cell, later))) {
                return false;
            }
        }
        return true;
    }

    private boolean isEnd(int axis, long index) {
        return index == 0 || index == extents[axis] - 1;
    }

    private long index(int cell, int axis) {
        long left = cell;
        for (int behind = extents.length - 1; behind > axis; behind--) {
            left /= extents[behind];
        }
        return left % extents[axis];
    }
}

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

    /** True if no index of a cell is the first or the last one. */
    boolean isInside(int cell) {
        for (int axis = 0; axis < extents.length; axis++) {
            if (isEnd(axis, index(cell, axis), 1)) {
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
            } else if (isBetween(cell, extents.length - 1, 1)) {
                unknown[cell] = true;
            }
        }
        return unknown;
    }

    /** Fills the ghosts, and moves what is unknown with the values. */
    void fill(long[] values, boolean[] unknown, Walls walls) {
        for (int axis = extents.length - 1; axis >= 0; axis--) {
            for (int cell = 0; cell < cells; cell++) {
                if (isEnd(axis, index(cell, axis), walls.layers()) && isBetween(cell, axis, walls.layers())) {
                    fill(values, unknown, cell, axis, walls);
                }
            }
        }
    }

    /** Fills a ghost from a cell along an axis. */
    private void fill(long[] values, boolean[] unknown, int cell, int axis, Walls walls) {
        long index = index(cell, axis);
        long first = walls.layers();
        long behind = extents[axis] - first;
        boolean isHigh = index >= behind;
        long layer = isHigh ? index - behind : first - 1 - index;
        int along = extents.length - 1 - axis;
        Walls.Kind kind = walls.kind(along, isHigh);
        boolean fromLow = isHigh == (kind == Walls.Kind.PERIODIC);
        long stride = Arrays.stream(extents, axis + 1, extents.length).reduce(1, (a, b) -> a * b);
        int source = (int) (cell + ((fromLow ? first + layer : behind - 1 - layer) - index) * stride);
        long[] at = new long[3]; // twice
        for (int each = 0; each < extents.length; each++) {
            int of = extents.length - 1 - each;
            long its = index(cell, of) - first;
            boolean meets = walls.kind(each, false) == Walls.Kind.PERIODIC; // so that beyond an end is the other one
            at[each] = walls.spacing(each) * (2 * (meets ? Math.floorMod(its, extents[of] - 2 * first) : its) + 1);
        }
        at[along] = isHigh ? 2 * walls.spacing(along) * (behind - first) : 0;
        long wall = walls.at(along, isHigh, at[0], at[1], at[2], walls.time());
        values[cell] = switch (kind) {
            case PERIODIC -> values[source];
            case VALUE -> 2 * wall - values[source];
            case SLOPE -> values[source] + (2 * layer + 1) * walls.spacing(along) * wall;
            case EXCHANGED -> values[cell];
        };
        unknown[cell] = unknown[kind == Walls.Kind.EXCHANGED ? cell : source];
    }

    /** True if a cell is no ghost along the axes before {@code axis}, of that many layers. */
    private boolean isBetween(int cell, int axis, int layers) {
        for (int later = 0; later < axis; later++) {
            if (isEnd(later, index(cell, later), layers)) {
                return false;
            }
        }
        return true;
    }

    private boolean isEnd(int axis, long index, int layers) {
        return index < layers || index >= extents[axis] - layers;
    }

    private long index(int cell, int axis) {
        long left = cell;
        for (int behind = extents.length - 1; behind > axis; behind--) {
            left /= extents[behind];
        }
        return left % extents[axis];
    }
}

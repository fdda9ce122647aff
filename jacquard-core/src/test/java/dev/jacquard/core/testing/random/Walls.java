package dev.jacquard.core.testing.random;

import java.util.Arrays;

/**
 * The conditions on the sides of a store, by which a job fills its ghosts: an axis is periodic, or each of its sides
 * has a value or a slope, the same everywhere or one that varies in space and time, or is left as it is. All of it
 * follows from the job's number.
 *
 * <p>Axis 0 is along the last extent; coordinates are given twice, so that they are whole numbers. The origin is the
 * corner of the first cell that is no ghost.
 *
 * @param number of the job, scattered
 * @param layers of ghosts on each side
 * @param isKernel true if a kernel fills the ghosts, for which nothing varies
 */
public record Walls(long number, int layers, boolean isKernel) {
    /** Half of what values may be: so few ghosts are below 0, and differences of ghosts are no larger than these. */
    private static final long LARGE = 1L << 46;
    /** More than what is taken away at walls of ghosts, whose coordinates are below 0. */
    private static final long SMALL = 100;

    /** The condition of a side. */
    public enum Kind {
        PERIODIC,
        VALUE,
        SLOPE,
        /** The ghosts stay as they are. */
        EXCHANGED
    }

    static Walls of(Job job, Store store) {
        long number = Mix.value(job.id());
        boolean hasRoom = store.aligned() == null
                && Arrays.stream(store.shape().extents()).allMatch(extent -> extent >= 6);
        return new Walls(number, hasRoom && number % 8 != 0 ? 2 : 1, FormulaTasks.isKernel(job));
    }

    /** Returns what a side of an axis has. */
    public Kind kind(int axis, boolean isHigh) {
        long its = Mix.value(number + axis);
        if (its % 3 == 0) {
            return Kind.PERIODIC;
        }
        long one = its >> (isHigh ? 8 : 9);
        return one % 16 < 3 ? Kind.EXCHANGED : one % 2 == 0 ? Kind.VALUE : Kind.SLOPE;
    }

    /** Returns true if a side has one number everywhere. */
    public boolean isConstant(int axis, boolean isHigh) {
        return isKernel || (Mix.value(number + 8 + axis) >> (isHigh ? 8 : 9)) % 4 == 0;
    }

    /** Returns the length of the cells along an axis. */
    public long spacing(int axis) {
        return 1 + ((number >> (axis + 3)) & 1);
    }

    /** Returns the time at which the ghosts are filled. */
    public int time() {
        return (int) ((number >> 10) & 7);
    }

    /** Returns the value or slope at a place of a side, of which twice the coordinates are given. */
    public long at(int axis, boolean isHigh, long x, long y, long z, long time) {
        long varying = isConstant(axis, isHigh) ? 0 : 3 * x + 5 * y + 7 * z + 11 * time;
        return (kind(axis, isHigh) == Kind.VALUE ? LARGE : SMALL) + (isHigh ? 1 : 0) + varying;
    }
}

package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.Area;
import java.util.Arrays;

/**
 * The levels of a grid: which sizes of cells there are, and which cells an area touches on each. Sizes are powers of
 * two, per dimension, and never below a floor that only rises. Not thread-safe.
 */
final class CellLevels {
    private static final int MOST = 16;

    /** With these, cell sizes and their inverses are normal numbers. */
    private static final int LEAST_REAL_EXPONENT = -1_000;

    private static final int MOST_REAL_EXPONENT = Double.MAX_EXPONENT - 1;
    /** Of real areas that are narrower than this part of their distance from 0, cells are that wide. */
    private static final int FINEST_EXPONENT = 20;

    private final int dimensions;
    private final boolean real;
    /** The binary logarithm of a cell's size, by level and dimension. */
    private final int[] exponents;

    private final int[] sizes = new int[MOST];
    private int count;
    private final int[] floor;

    CellLevels(int dimensions, boolean real) {
        this.dimensions = dimensions;
        this.real = real;
        exponents = new int[MOST * dimensions];
        floor = new int[dimensions];
        Arrays.fill(floor, real ? LEAST_REAL_EXPONENT : 0);
    }

    /** Levels are numbered from 0. */
    int count() {
        return count;
    }

    /** Returns the number of areas on a level. */
    int size(int level) {
        return sizes[level];
    }

    void clear() {
        Arrays.fill(sizes, 0);
        count = 0;
    }

    /**
     * Counts an area on its level; false when there are too many levels: they are coarser now, and all must be added
     * again.
     */
    boolean add(Area area) {
        int level = of(area);
        if (level == count) {
            level = unused();
            if (level == MOST) {
                coarsen();
                return false;
            }
            for (int dimension = 0; dimension < dimensions; dimension++) {
                exponents[level * dimensions + dimension] = exponent(area, dimension);
            }
            count = Math.max(count, level + 1);
        }
        sizes[level]++;
        return true;
    }

    private int unused() {
        int level = 0;
        while (level < count && sizes[level] > 0) {
            level++;
        }
        return level;
    }

    void remove(int level) {
        sizes[level]--;
    }

    /** The level of an area; {@link #count} when there is none yet. */
    int of(Area area) {
        int level = 0;
        while (level < count && !isOn(level, area)) {
            level++;
        }
        return level;
    }

    private boolean isOn(int level, Area area) {
        for (int dimension = 0; dimension < dimensions; dimension++) {
            if (exponents[level * dimensions + dimension] != exponent(area, dimension)) {
                return false;
            }
        }
        return true;
    }

    /** Sets {@code range} to the cells of a level that an area touches. */
    void cells(int level, Area area, CellRange range) {
        for (int dimension = 0; dimension < dimensions; dimension++) {
            int exponent = exponents[level * dimensions + dimension];
            range.set(dimension, lowCell(area, dimension, exponent), highCell(area, dimension, exponent));
        }
    }

    /**
     * Returns the number of cells that an area touches on all levels; any number above {@code enough} if that is more.
     */
    int countCells(Area area, int enough) {
        long all = 0;
        for (int level = 0; level < count; level++) {
            if (sizes[level] > 0) {
                long cells = 1;
                for (int dimension = 0; dimension < dimensions; dimension++) {
                    int exponent = exponents[level * dimensions + dimension];
                    // As an unsigned number the difference never overflows.
                    long more = highCell(area, dimension, exponent) - lowCell(area, dimension, exponent);
                    if (more < 0 || more > enough) {
                        return enough + 1;
                    }
                    cells = Math.min(cells * (more + 1), enough + 1);
                }
                all += cells;
            }
        }
        return (int) Math.min(all, enough + 1);
    }

    private long lowCell(Area area, int dimension, int exponent) {
        return real ? cell(area.realLow(dimension), exponent) : area.low(dimension) >> exponent;
    }

    private long highCell(Area area, int dimension, int exponent) {
        return real ? cell(area.realHigh(dimension), exponent) : area.high(dimension) >> exponent;
    }

    private static long cell(double coordinate, int exponent) {
        double finite = Math.clamp(coordinate, -Double.MAX_VALUE, Double.MAX_VALUE);
        double scale =
                Double.longBitsToDouble((long) (Double.MAX_EXPONENT - exponent) << 52); // 2 to the power of -exponent
        return (long) Math.floor(finite * scale); // saturates
    }

    /**
     * A cell of this exponent is wider than the area, so that the area touches two at most; eight where it is infinite.
     */
    private int exponent(Area area, int dimension) {
        return Math.max(floor[dimension], real ? realExponent(area, dimension) : integerExponent(area, dimension));
    }

    private static int integerExponent(Area area, int dimension) {
        long extent = area.high(dimension) - area.low(dimension); // unsigned
        return Math.min(Long.SIZE - Long.numberOfLeadingZeros(extent), Long.SIZE - 1);
    }

    private static int realExponent(Area area, int dimension) {
        double low = area.realLow(dimension);
        double high = area.realHigh(dimension);
        double farthest = Math.max(Math.abs(low), Math.abs(high));
        int exponent = Math.max(Math.getExponent(high - low) + 1, Math.getExponent(farthest) - FINEST_EXPONENT);
        return Math.min(exponent, MOST_REAL_EXPONENT);
    }

    // ---- coarser

    /** Raises the floor to the middle of the levels, in each dimension in which they differ. */
    private void coarsen() {
        int[] sorted = new int[count];
        for (int dimension = 0; dimension < dimensions; dimension++) {
            for (int level = 0; level < count; level++) {
                sorted[level] = exponents[level * dimensions + dimension];
            }
            Arrays.sort(sorted);
            if (sorted[0] < sorted[count - 1]) {
                floor[dimension] = Math.max(sorted[count / 2], sorted[0] + 1);
            }
        }
    }

    /** Raises the floor so that {@code area} touches few cells; whether that changes anything. */
    boolean coarsenFor(Area area) {
        boolean changes = false;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            int wanted = real ? realExponent(area, dimension) : integerExponent(area, dimension);
            if (wanted > floor[dimension]) {
                floor[dimension] = wanted;
                changes = true;
            }
        }
        return changes;
    }
}

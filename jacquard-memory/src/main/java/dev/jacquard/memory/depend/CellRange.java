package dev.jacquard.memory.depend;

/** The cells from a lowest to a highest one in each dimension, gone through one by one. Not thread-safe. */
final class CellRange {
    private final long[] low;
    private final long[] high;
    private final long[] at;

    CellRange(int dimensions) {
        low = new long[dimensions];
        high = new long[dimensions];
        at = new long[dimensions];
    }

    /** Sets the range in one dimension, and the current cell to its lowest. */
    void set(int dimension, long lowest, long highest) {
        low[dimension] = lowest;
        high[dimension] = highest;
        at[dimension] = lowest;
    }

    /** Goes on to the next cell; false when that was the last. */
    boolean next() {
        for (int dimension = 0; dimension < at.length; dimension++) {
            if (at[dimension] != high[dimension]) {
                at[dimension]++;
                return true;
            }
            at[dimension] = low[dimension];
        }
        return false;
    }

    /** A hash of the current cell on this level, with a well mixed upper half. */
    long hash(int level) {
        long hash = level;
        for (long cell : at) {
            hash = (hash ^ cell) * 0x9E3779B97F4A7C15L; // the golden ratio, as in Knuth, volume 3, section 6.4
            hash ^= hash >>> 32;
        }
        return hash * 0x9E3779B97F4A7C15L;
    }
}

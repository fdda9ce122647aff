package dev.jacquard.cluster.communicator;

import java.lang.foreign.MemorySegment;

/**
 * Combines elements of two ranks into one. It must be associative, as far as rounding allows; it need not be
 * commutative: {@code left} always comes from lower ranks.
 *
 * <p>Threads: any number at a time.
 */
@FunctionalInterface
public interface Reduction {
    /**
     * Sets each element of {@code left} to the combination of itself with that of {@code right}.
     *
     * @param left contiguous elements of a type
     * @param right as many, which must stay as they are
     */
    void combine(Elements left, MemorySegment right);

    /** The sum; of integers modulo 2<sup>bits</sup>. */
    static Reduction sum() {
        return Reductions.SUM;
    }

    /** The product; of integers modulo 2<sup>bits</sup>. */
    static Reduction product() {
        return Reductions.PRODUCT;
    }

    /** The smallest element; NaN if one of them is. */
    static Reduction min() {
        return Reductions.MIN;
    }

    /** The greatest element; NaN if one of them is. */
    static Reduction max() {
        return Reductions.MAX;
    }

    /** The bits that are set in all elements; of integers alone. */
    static Reduction and() {
        return Reductions.AND;
    }

    /** The bits that are set in an element or more; of integers alone. */
    static Reduction or() {
        return Reductions.OR;
    }
}

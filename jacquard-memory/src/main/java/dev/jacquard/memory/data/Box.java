package dev.jacquard.memory.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A box of indices: in each dimension from the first to before the last; never empty. Immutable.
 *
 * <p>Boxes that are taken together have the same number of dimensions.
 */
public final class Box {
    private final long[] from;
    private final long[] to;

    private Box(long[] from, long[] to) {
        this.from = from;
        this.to = to;
    }

    /**
     * The box with these bounds.
     *
     * @param from the lowest index in each dimension
     * @param to the index after the highest in each dimension
     * @throws IllegalArgumentException when the two differ in length, or the box is empty
     */
    public static Box of(long[] from, long[] to) {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        if (from.length == 0 || from.length != to.length) {
            throw new IllegalArgumentException(
                    "a box needs two bounds per dimension, not " + from.length + " and " + to.length + " in all");
        }
        for (int d = 0; d < from.length; d++) {
            if (from[d] >= to[d]) {
                throw new IllegalArgumentException("dimension " + d + " of a box goes from " + from[d] + " to before "
                        + to[d] + ", which is nothing");
            }
        }
        return new Box(from.clone(), to.clone());
    }

    /** The box of all indices from 0 to before {@code extents}. */
    public static Box whole(long... extents) {
        Objects.requireNonNull(extents, "extents");
        return of(new long[extents.length], extents);
    }

    /** Returns the number of dimensions. */
    public int dimensions() {
        return from.length;
    }

    /** The lowest index in {@code dimension}. */
    public long from(int dimension) {
        return from[dimension];
    }

    /** The index after the highest in {@code dimension}. */
    public long to(int dimension) {
        return to[dimension];
    }

    /** Returns the number of indices in {@code dimension}. */
    public long extent(int dimension) {
        return to[dimension] - from[dimension];
    }

    /** Returns the number of indices in each dimension. */
    public long[] extents() {
        long[] extents = new long[from.length];
        Arrays.setAll(extents, this::extent);
        return extents;
    }

    /** Returns the number of elements. */
    public long elements() {
        long product = 1;
        for (int d = 0; d < from.length; d++) {
            product = Math.multiplyExact(product, extent(d));
        }
        return product;
    }

    /** Returns true if the two have an element in common. */
    public boolean intersects(Box other) {
        Objects.requireNonNull(other, "other");
        for (int d = 0; d < from.length; d++) {
            if (from[d] >= other.to[d] || other.from[d] >= to[d]) {
                return false;
            }
        }
        return true;
    }

    /** Returns true if this box has every element of {@code other}. */
    public boolean contains(Box other) {
        Objects.requireNonNull(other, "other");
        for (int d = 0; d < from.length; d++) {
            if (other.from[d] < from[d] || to[d] < other.to[d]) {
                return false;
            }
        }
        return true;
    }

    /** Returns the common part of two boxes that intersect. */
    public Box intersection(Box other) {
        Objects.requireNonNull(other, "other");
        long[] low = new long[from.length];
        long[] high = new long[from.length];
        for (int d = 0; d < from.length; d++) {
            low[d] = Math.max(from[d], other.from[d]);
            high[d] = Math.min(to[d], other.to[d]);
        }
        return of(low, high);
    }

    /** Returns the smallest box that contains this one and {@code other}, of as many dimensions. */
    public Box hull(Box other) {
        Objects.requireNonNull(other, "other");
        long[] low = from.clone();
        long[] high = to.clone();
        for (int d = 0; d < from.length; d++) {
            low[d] = Math.min(low[d], other.from[d]);
            high[d] = Math.max(high[d], other.to[d]);
        }
        return of(low, high);
    }

    /** This box with indices that count from the first of {@code outer}, which contains it. */
    public Box relativeTo(Box outer) {
        Objects.requireNonNull(outer, "outer");
        long[] low = new long[from.length];
        long[] high = new long[from.length];
        for (int d = 0; d < from.length; d++) {
            low[d] = from[d] - outer.from[d];
            high[d] = to[d] - outer.from[d];
        }
        return of(low, high);
    }

    /** Returns the rest of this box without {@code other}: disjoint boxes, two per dimension at most. */
    public List<Box> without(Box other) {
        Objects.requireNonNull(other, "other");
        if (!intersects(other)) {
            return List.of(this);
        }
        List<Box> rest = new ArrayList<>();
        long[] low = from.clone();
        long[] high = to.clone();
        for (int d = 0; d < from.length; d++) {
            if (low[d] < other.from[d]) {
                long[] end = high.clone();
                end[d] = other.from[d];
                rest.add(of(low, end));
                low[d] = other.from[d];
            }
            if (other.to[d] < high[d]) {
                long[] begin = low.clone();
                begin[d] = other.to[d];
                rest.add(of(begin, high));
                high[d] = other.to[d];
            }
        }
        return rest;
    }

    /** This box with {@code margin} more on every side, as far as {@code limits} go: a part with its halo. */
    public Box grow(long margin, Box limits) {
        Objects.requireNonNull(limits, "limits");
        long[] low = from.clone();
        long[] high = to.clone();
        for (int d = 0; d < from.length; d++) {
            // No further than to the limits, so that no margin is too large.
            low[d] = Math.subtractExact(low[d], Math.min(margin, Math.max(0, low[d] - limits.from(d))));
            high[d] = Math.addExact(high[d], Math.min(margin, Math.max(0, limits.to(d) - high[d])));
        }
        return of(low, high).intersection(limits);
    }

    @Override
    public boolean equals(Object other) {
        return other == this
                || (other instanceof Box box && Arrays.equals(from, box.from) && Arrays.equals(to, box.to));
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int d = 0; d < from.length; d++) {
            text.append(d == 0 ? "" : ", ").append(from[d]).append(" until ").append(to[d]);
        }
        return text.append(']').toString();
    }
}

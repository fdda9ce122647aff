package dev.jacquard.core.access;

import java.util.Arrays;

/**
 * An n-dimensional box of integer coordinates, closed on both sides: boxes that share a coordinate intersect.
 *
 * <p>Immutable. Source: the resource-register document, section 4 (area access).
 */
public final class Area {
    /** low 0, high 0, low 1, high 1, … */
    private final long[] bounds;

    private Area(long[] bounds) {
        this.bounds = bounds;
    }

    /**
     * The box with these bounds.
     *
     * @param bounds lowest and highest coordinate of dimension 0, then of dimension 1, and so on; both belong to the box
     * @throws IllegalArgumentException when a bound is missing, or a lowest coordinate is above its highest
     */
    public static Area of(long... bounds) {
        if (bounds.length == 0 || bounds.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "an area needs a lowest and a highest coordinate per dimension, not " + bounds.length + " numbers");
        }
        for (int at = 0; at < bounds.length; at += 2) {
            if (bounds[at] > bounds[at + 1]) {
                throw new IllegalArgumentException("dimension " + at / 2 + " of an area goes from " + bounds[at]
                        + " to " + bounds[at + 1] + "; the first must not be above the second");
            }
        }
        return new Area(bounds.clone());
    }

    /** How many dimensions. */
    public int dimensions() {
        return bounds.length / 2;
    }

    /** The lowest coordinate in {@code dimension}. */
    public long low(int dimension) {
        return bounds[2 * dimension];
    }

    /** The highest coordinate in {@code dimension}, which still belongs to the area. */
    public long high(int dimension) {
        return bounds[2 * dimension + 1];
    }

    /**
     * Whether the two share a coordinate.
     *
     * @throws IllegalArgumentException when they differ in dimensions
     */
    public boolean intersects(Area other) {
        long[] mine = bounds;
        long[] theirs = other.bounds;
        requireSameDimensions(other);
        for (int at = 0; at < mine.length; at += 2) {
            if (mine[at] > theirs[at + 1] || theirs[at] > mine[at + 1]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether every coordinate of {@code other} is one of this area's.
     *
     * @throws IllegalArgumentException when they differ in dimensions
     */
    public boolean contains(Area other) {
        requireSameDimensions(other);
        for (int at = 0; at < bounds.length; at += 2) {
            if (bounds[at] > other.bounds[at] || other.bounds[at + 1] > bounds[at + 1]) {
                return false;
            }
        }
        return true;
    }

    /** This area with {@code margin} more coordinates on every side; a halo. */
    public Area grow(long margin) {
        long[] grown = bounds.clone();
        for (int at = 0; at < grown.length; at += 2) {
            grown[at] -= margin;
            grown[at + 1] += margin;
        }
        return of(grown);
    }

    private void requireSameDimensions(Area other) {
        if (bounds.length != other.bounds.length) {
            throw new IllegalArgumentException("areas of one resource must agree in dimensions: " + this + " has "
                    + dimensions() + ", " + other + " has " + other.dimensions());
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Area area && Arrays.equals(bounds, area.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < bounds.length; at += 2) {
            text.append(at == 0 ? "[" : ", ").append(bounds[at]).append("..").append(bounds[at + 1]);
        }
        return text.append(']').toString();
    }
}

package dev.jacquard.memory.access;

import java.util.Arrays;
import java.util.Objects;

/**
 * An n-dimensional box, of integer coordinates or of real ones, closed on both sides: boxes that touch intersect.
 *
 * <p>All areas of one resource have the same number of dimensions and coordinates of the same type.
 *
 * <p>Immutable. Source: the resource-register document, section 7.1.2 (area access).
 */
public final class Area {
    /** low 0, high 0, low 1, high 1, …; real ones as their {@link #rank}, so that one comparison serves both. */
    private final long[] bounds;

    private final boolean real;

    private Area(long[] bounds, boolean real) {
        this.bounds = bounds;
        this.real = real;
    }

    /**
     * The box of integer coordinates with these bounds.
     *
     * @param bounds lowest and highest coordinate of dimension 0, then of dimension 1, and so on; both belong to the
     *     box
     * @throws IllegalArgumentException when a bound is missing, or a lowest coordinate is above its highest
     */
    public static Area of(long... bounds) {
        Objects.requireNonNull(bounds, "bounds");
        return checked(bounds.clone(), false);
    }

    /**
     * The box of real coordinates with these bounds, which may be infinite.
     *
     * @param bounds lowest and highest coordinate of dimension 0, then of dimension 1, and so on; both belong to the
     *     box
     * @throws IllegalArgumentException when a bound is missing or not a number, or a lowest coordinate is above its
     *     highest
     */
    public static Area ofReals(double... bounds) {
        Objects.requireNonNull(bounds, "bounds");
        long[] ranks = new long[bounds.length];
        for (int at = 0; at < bounds.length; at++) {
            if (Double.isNaN(bounds[at])) {
                throw new IllegalArgumentException("the " + (at % 2 == 0 ? "lowest" : "highest")
                        + " coordinate in dimension " + at / 2 + " of an area is NaN; expected a number");
            }
            ranks[at] = rank(bounds[at]);
        }
        return checked(ranks, true);
    }

    private static Area checked(long[] bounds, boolean real) {
        if (bounds.length == 0 || bounds.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "an area needs a lowest and a highest coordinate per dimension, not " + bounds.length + " numbers");
        }
        Area area = new Area(bounds, real);
        for (int at = 0; at < bounds.length; at += 2) {
            if (bounds[at] > bounds[at + 1]) {
                throw new IllegalArgumentException("dimension " + at / 2 + " of an area goes from " + area.text(at)
                        + " to " + area.text(at + 1) + "; the first must not be above the second");
            }
        }
        return area;
    }

    /**
     * A number in the order of the reals, for a real that is not NaN: the bits of a negative one fall as it rises, so
     * all but the sign are turned over. Both zeros have the rank of 0.
     */
    private static long rank(double real) {
        return turned(Double.doubleToRawLongBits(real + 0.0));
    }

    private static double unranked(long rank) {
        return Double.longBitsToDouble(turned(rank));
    }

    /** Its own inverse. */
    private static long turned(long bits) {
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }

    /** Returns the number of dimensions. */
    public int dimensions() {
        return bounds.length / 2;
    }

    /** Returns true if the coordinates are real. */
    public boolean isReal() {
        return real;
    }

    /**
     * The lowest coordinate in {@code dimension}.
     *
     * @throws IllegalStateException when the coordinates are real
     */
    public long low(int dimension) {
        requireIntegers();
        return bounds[2 * dimension];
    }

    /**
     * The highest coordinate in {@code dimension}, which still belongs to the area.
     *
     * @throws IllegalStateException when the coordinates are real
     */
    public long high(int dimension) {
        requireIntegers();
        return bounds[2 * dimension + 1];
    }

    /** The lowest coordinate in {@code dimension}, for areas of both types. */
    public double realLow(int dimension) {
        return realBound(2 * dimension);
    }

    /** The highest coordinate in {@code dimension}, which still belongs to the area, for areas of both types. */
    public double realHigh(int dimension) {
        return realBound(2 * dimension + 1);
    }

    private double realBound(int at) {
        return real ? unranked(bounds[at]) : bounds[at];
    }

    /**
     * For the engine: puts the bounds, in the order of {@link #of}, to {@code into} from {@code at} on, as numbers that
     * are ordered like the coordinates are.
     */
    public void ranks(long[] into, int at) {
        System.arraycopy(bounds, 0, into, at, bounds.length);
    }

    /**
     * For the engine: the area of this one's space with the bounds that {@link #ranks} has put to {@code from} from
     * {@code at} on.
     */
    public Area ofRanks(long[] from, int at) {
        Objects.requireNonNull(from, "from");
        return new Area(Arrays.copyOfRange(from, at, at + bounds.length), real);
    }

    /** Returns true if {@code other} has as many dimensions and coordinates of the same type. */
    public boolean isInSpaceOf(Area other) {
        return bounds.length == other.bounds.length && real == other.real;
    }

    private void requireIntegers() {
        if (!real) {
            return;
        }
        throw new IllegalStateException("the area " + this + " has real bounds; ask realLow and realHigh for them");
    }

    /**
     * Returns true if the two share a coordinate.
     *
     * @throws IllegalArgumentException when they differ in dimensions or in the type of their coordinates
     */
    public boolean intersects(Area other) {
        long[] mine = bounds;
        long[] theirs = other.bounds;
        requireSameSpace(other);
        for (int at = 0; at < mine.length; at += 2) {
            if (mine[at] > theirs[at + 1] || theirs[at] > mine[at + 1]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns true if this area has every coordinate of {@code other}.
     *
     * @throws IllegalArgumentException when they differ in dimensions or in the type of their coordinates
     */
    public boolean contains(Area other) {
        requireSameSpace(other);
        for (int at = 0; at < bounds.length; at += 2) {
            if (bounds[at] > other.bounds[at] || other.bounds[at + 1] > bounds[at + 1]) {
                return false;
            }
        }
        return true;
    }

    /**
     * This area with {@code margin} more on every side; a halo. A negative margin shrinks it.
     *
     * @throws IllegalArgumentException when it shrinks to nothing
     * @throws ArithmeticException when an integer coordinate overflows
     */
    public Area grow(long margin) {
        if (real) {
            return grow((double) margin);
        }
        long[] grown = bounds.clone();
        for (int at = 0; at < grown.length; at += 2) {
            grown[at] = Math.subtractExact(grown[at], margin);
            grown[at + 1] = Math.addExact(grown[at + 1], margin);
        }
        return checked(grown, false);
    }

    /**
     * This area of real coordinates with {@code margin} more on every side; a halo. A negative margin shrinks it.
     *
     * @throws IllegalArgumentException when it shrinks to nothing, or its coordinates are integers
     */
    public Area grow(double margin) {
        if (!real) {
            throw new IllegalArgumentException(
                    "the area " + this + " has integer bounds; expected an integer margin, not " + margin);
        }
        double[] grown = new double[bounds.length];
        for (int at = 0; at < grown.length; at += 2) {
            grown[at] = unranked(bounds[at]) - margin;
            grown[at + 1] = unranked(bounds[at + 1]) + margin;
        }
        return ofReals(grown);
    }

    /**
     * Returns the common part, such as a halo clipped to its field.
     *
     * @throws IllegalArgumentException when they differ in dimensions or in kind, or have nothing in common
     */
    public Area intersection(Area other) {
        Objects.requireNonNull(other, "other");
        if (!intersects(other)) {
            throw new IllegalArgumentException("areas " + this + " and " + other + " have nothing in common");
        }
        long[] common = new long[bounds.length];
        for (int at = 0; at < common.length; at += 2) {
            common[at] = Math.max(bounds[at], other.bounds[at]);
            common[at + 1] = Math.min(bounds[at + 1], other.bounds[at + 1]);
        }
        return new Area(common, real);
    }

    private void requireSameSpace(Area other) {
        if (!isInSpaceOf(other)) {
            throw differentSpace(other);
        }
    }

    private IllegalArgumentException differentSpace(Area other) {
        if (real != other.real) {
            return new IllegalArgumentException("areas of one resource must agree in the type of their bounds: " + this
                    + " has " + type() + " ones, " + other + " has " + other.type() + " ones");
        }
        return new IllegalArgumentException("areas of one resource must agree in dimensions: " + this + " has "
                + dimensions() + ", " + other + " has " + other.dimensions());
    }

    private String type() {
        return real ? "real" : "integer";
    }

    private String text(int at) {
        return real ? Double.toString(unranked(bounds[at])) : Long.toString(bounds[at]);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Area area && real == area.real && Arrays.equals(bounds, area.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < bounds.length; at += 2) {
            text.append(at == 0 ? "[" : ", ").append(text(at)).append("..").append(text(at + 1));
        }
        return text.append(']').toString();
    }
}

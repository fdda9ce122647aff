package dev.jacquard.expressions.field;

import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * A box of equal cells in one, two or three dimensions, and the common properties of the fields on it: the type of
 * their elements and the number of their ghost cells. Immutable.
 *
 * <p>Axis 0 is x. Cell i along an axis lies from {@code origin + i·h} to {@code origin + (i + 1)·h}; face i, and node
 * i, at {@code origin + i·h}. Ghost points have indices below 0 and from {@link #points} on.
 *
 * <pre>{@code
 * Grid grid = Grid.of(128, 128, 128).lengths(1, 1, 1).ghosts(1);
 * }</pre>
 */
public final class Grid {
    /** The number of axes that a grid may have. */
    public static final int MOST_DIMENSIONS = 3;

    /** The number of ghost layers that a grid may have. */
    public static final int MOST_GHOSTS = 16;

    /** The places in a page at which large fields begin, and the step from one to the next, which leads to all. */
    private static final int PLACES = 63;

    private static final int STEP = 10;

    /** The bytes from which on a field is large. */
    private static final int LARGE = 1 << 15;

    private static final int MOST_CELLS = Integer.MAX_VALUE - 1024;

    private final int[] cells;
    private final double[] lengths;
    private final double[] origin;
    private final int ghosts;
    private final DataType type;

    private Grid(int[] cells, double[] lengths, double[] origin, int ghosts, DataType type) {
        this.cells = cells;
        this.lengths = lengths;
        this.origin = origin;
        this.ghosts = ghosts;
        this.type = type;
    }

    /**
     * Returns a grid of unit cells without ghosts, for double precision.
     *
     * @param cells the number along x, y and z, at least 1 each; fewer numbers for fewer dimensions
     */
    public static Grid of(int... cells) {
        Objects.requireNonNull(cells, "cells");
        if (cells.length < 1
                || cells.length > MOST_DIMENSIONS
                || Arrays.stream(cells).anyMatch(count -> count < 1)) {
            throw new IllegalArgumentException("a grid has 1 to " + MOST_DIMENSIONS
                    + " dimensions with at least 1 cell each, not " + Arrays.toString(cells));
        }
        if (Arrays.stream(cells).anyMatch(count -> count > MOST_CELLS)) {
            throw new IllegalArgumentException(
                    "a grid has at most " + MOST_CELLS + " cells along an axis, not " + Arrays.toString(cells));
        }
        double[] lengths = Arrays.stream(cells).asDoubleStream().toArray();
        return new Grid(cells.clone(), lengths, new double[cells.length], 0, DataType.FLOAT64);
    }

    /**
     * Returns the same grid with these lengths.
     *
     * @param all one for each dimension, above 0
     */
    public Grid lengths(double... all) {
        requireOnePerDimension(all, "lengths");
        for (double length : all) {
            if (!(length > 0) || Double.isInfinite(length)) {
                throw new IllegalArgumentException("the lengths of a grid are above 0, not " + Arrays.toString(all));
            }
        }
        return new Grid(cells, all.clone(), origin, ghosts, type);
    }

    /**
     * Returns the same grid with the corner of its first cell at these coordinates.
     *
     * @param corner one for each dimension, finite
     */
    public Grid origin(double... corner) {
        requireOnePerDimension(corner, "coordinates");
        if (!Arrays.stream(corner).allMatch(Double::isFinite)) {
            throw new IllegalArgumentException(
                    "the coordinates of a grid's corner are finite, not " + Arrays.toString(corner));
        }
        return new Grid(cells, lengths, corner.clone(), ghosts, type);
    }

    /** Returns the same grid with {@code count} layers of ghost cells on each side of each dimension. */
    public Grid ghosts(int count) {
        if (count < 0 || count > MOST_GHOSTS) {
            throw new IllegalArgumentException(
                    "a grid has 0 to " + MOST_GHOSTS + " layers of ghost cells, not " + count);
        }
        return new Grid(cells, lengths, origin, count, type);
    }

    /**
     * Returns the same grid for fields of that type.
     *
     * @param elements {@link DataType#FLOAT64} or {@link DataType#FLOAT32}
     */
    public Grid type(DataType elements) {
        Objects.requireNonNull(elements, "elements");
        if (elements != DataType.FLOAT64 && elements != DataType.FLOAT32) {
            throw new IllegalArgumentException("fields have elements of FLOAT64 or FLOAT32, not " + elements);
        }
        return new Grid(cells, lengths, origin, ghosts, elements);
    }

    private void requireOnePerDimension(double[] all, String what) {
        Objects.requireNonNull(all, what);
        if (all.length != cells.length) {
            throw new IllegalArgumentException(
                    "a grid of " + cells.length + " dimensions has as many " + what + ", not " + Arrays.toString(all));
        }
    }

    /** Returns the number of dimensions. */
    public int dimensions() {
        return cells.length;
    }

    /** Returns the number of cells along an axis; 1 along one that the grid lacks. */
    public int cells(int axis) {
        return axis < cells.length ? cells[axis] : 1;
    }

    /** Returns the length along an axis. */
    public double length(int axis) {
        return lengths[axis];
    }

    /** Returns the size of a cell along an axis. */
    public double spacing(int axis) {
        return lengths[axis] / cells[axis];
    }

    /** Returns the number of ghost layers on each side of an axis; 0 along one that the grid lacks. */
    public int ghostLayers(int axis) {
        return axis < cells.length ? ghosts : 0;
    }

    /** Returns the type of the elements of all fields. */
    public DataType type() {
        return type;
    }

    /** Returns the number of points of a field along an axis, without ghosts. */
    public int points(Centring centring, int axis) {
        return cells(axis) + (axis < cells.length && centring.isStaggered(axis) ? 1 : 0);
    }

    /** Returns the coordinate of the corner of the first cell along an axis. */
    public double origin(int axis) {
        return origin[axis];
    }

    /** Returns the coordinate along an axis of the point of that index. */
    public double coordinate(Centring centring, int axis, int index) {
        return (index + (centring.isStaggered(axis) ? 0 : 0.5)) * spacing(axis) + origin[axis];
    }

    /** Returns the points of a field without its ghosts. */
    public Range interior(Centring centring) {
        return range(centring, 0);
    }

    /** Returns the points of a field with its ghosts. */
    public Range valid(Centring centring) {
        return range(centring, ghosts);
    }

    /** Returns the points of a field with {@code layers} layers of its ghosts. */
    public Range range(Centring centring, int layers) {
        int y = cells.length > 1 ? layers : 0;
        int z = cells.length > 2 ? layers : 0;
        return new Range(
                -layers, points(centring, 0) + layers, -y, points(centring, 1) + y, -z, points(centring, 2) + z);
    }

    /**
     * Returns the layout of a field, ghosts included: x varies fastest, and the interior of every row begins on a
     * boundary of 64 bytes.
     *
     * @param shift any number from 0 on: fields of different numbers begin at different places of a page, so that their
     *     rows do not compete for one set of a cache. Fields that are smaller than some pages all begin at their start
     */
    public Layout layout(Centring centring, int shift) {
        return layout(EnumSet.of(centring), shift);
    }

    /** Returns a layout that has room for a field of any of these centrings, like that of {@link #layout} for one. */
    public Layout layout(Set<Centring> centrings, int shift) {
        long[] extents = new long[cells.length];
        for (Centring centring : centrings) {
            for (int axis = 0; axis < cells.length; axis++) {
                int at = cells.length - 1 - axis;
                extents[at] = Math.max(extents[at], points(centring, axis) + 2L * ghosts);
            }
        }
        Layout small = Layout.aligned(type, ghosts, 0, extents);
        return small.bytes() < LARGE ? small : Layout.aligned(type, ghosts, 1 + shift * STEP % PLACES, extents);
    }

    // ---- parts

    /**
     * Returns the points without ghosts that are at least {@code width} points away from every side: tasks may compute
     * them while the ghosts are on their way.
     *
     * @throws IllegalArgumentException if nothing is left
     */
    public Range core(Centring centring, int width) {
        Range all = interior(centring);
        int y = dimensions() > 1 ? width : 0;
        int z = dimensions() > 2 ? width : 0;
        Range core =
                new Range(all.x0() + width, all.x1() - width, all.y0() + y, all.y1() - y, all.z0() + z, all.z1() - z);
        if (width < 0 || core.points() == 0) {
            throw new IllegalArgumentException(
                    "a field of " + this + " has no core within a border of " + width + " points");
        }
        return core;
    }

    /**
     * Returns the outermost {@code width} layers of points at a side, without ghosts: the part that is sent to a
     * neighbour.
     */
    public Range border(Centring centring, Side side, int width) {
        requireSide(side);
        return layers(centring, side, side.isHigh() ? points(centring, side.axis()) - width : 0, width);
    }

    /** Returns the ghosts beyond a side: the part that is received from a neighbour. */
    public Range ghosts(Centring centring, Side side) {
        requireSide(side);
        return layers(centring, side, side.isHigh() ? points(centring, side.axis()) : -ghosts, ghosts);
    }

    private Range layers(Centring centring, Side side, int from, int width) {
        return interior(centring).along(side.axis(), from, from + width);
    }

    private void requireSide(Side side) {
        if (side.axis() >= dimensions()) {
            throw new IllegalArgumentException("a grid of " + this + " has no side " + side);
        }
    }

    /** Returns where points lie among the elements of a field's data: indices count from the first ghost, z first. */
    public Box box(Range range) {
        long[] from = {
            range.z0() + (long) ghostLayers(2), range.y0() + (long) ghostLayers(1), range.x0() + (long) ghosts
        };
        long[] to = {range.z1() + (long) ghostLayers(2), range.y1() + (long) ghostLayers(1), range.x1() + (long) ghosts
        };
        int lacking = MOST_DIMENSIONS - dimensions();
        return Box.of(
                Arrays.copyOfRange(from, lacking, MOST_DIMENSIONS), Arrays.copyOfRange(to, lacking, MOST_DIMENSIONS));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Grid grid
                && Arrays.equals(cells, grid.cells)
                && Arrays.equals(lengths, grid.lengths)
                && Arrays.equals(origin, grid.origin)
                && ghosts == grid.ghosts
                && type == grid.type;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(cells) + Arrays.hashCode(lengths)) + ghosts;
    }

    /**
     * Names the cells, ghost layers and type, and the lengths and origin where these are not as {@link #of} has them.
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int count : cells) {
            text.append(text.isEmpty() ? "" : "x").append(count);
        }
        text.append(" cells, ")
                .append(ghosts)
                .append(ghosts == 1 ? " ghost layer, " : " ghost layers, ")
                .append(type);
        if (!Arrays.equals(lengths, Arrays.stream(cells).asDoubleStream().toArray())) {
            text.append(", lengths ").append(Arrays.toString(lengths));
        }
        if (Arrays.stream(origin).anyMatch(corner -> corner != 0)) {
            text.append(", origin ").append(Arrays.toString(origin));
        }
        return text.toString();
    }

    /** The sides of a grid. */
    public enum Side {
        /** Where x is least. */
        X_LOW(0, false),
        /** Where x is greatest. */
        X_HIGH(0, true),
        /** Where y is least. */
        Y_LOW(1, false),
        /** Where y is greatest. */
        Y_HIGH(1, true),
        /** Where z is least. */
        Z_LOW(2, false),
        /** Where z is greatest. */
        Z_HIGH(2, true);

        private final int axis;
        private final boolean isHigh;

        Side(int axis, boolean isHigh) {
            this.axis = axis;
            this.isHigh = isHigh;
        }

        /** Returns the axis across which the side lies, 0 for x. */
        public int axis() {
            return axis;
        }

        /** Returns true if the coordinate is greatest there. */
        public boolean isHigh() {
            return isHigh;
        }

        /** Returns the side on the other end of the axis. */
        public Side opposite() {
            return switch (this) {
                case X_LOW -> X_HIGH;
                case X_HIGH -> X_LOW;
                case Y_LOW -> Y_HIGH;
                case Y_HIGH -> Y_LOW;
                case Z_LOW -> Z_HIGH;
                case Z_HIGH -> Z_LOW;
            };
        }
    }
}

package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Boxes that cover a range of points, with x varying fastest. Loops in lanes write up to the end of the last vector of
 * a row, which another worker may be computing at the same time: so boxes end on boundaries of the longest vectors
 * along x. Immutable.
 *
 * @param range the points, which begins at 0 along each axis
 */
record Tiles(Range range, int x, int y, int z) {
    /** Fewer rows than that read more rows of their neighbours than they save planes. */
    private static final int LEAST_ROWS = 8;
    /** Fewer planes than that, computed by one core, read more planes of their neighbours than balance is worth. */
    private static final int LEAST_PLANES = 16;
    /** The number of parts that keeps several workers busy to the end. */
    private static final int ENOUGH_PARTS = 16;
    /** Shorter pieces of rows cost more to begin and to end than balance is worth. */
    private static final long LEAST_OF_ROW = 512;
    /** The elements of the smallest type in the longest vector. */
    private static final long VECTOR = Layout.ALIGNMENT / Float.BYTES;

    /**
     * Returns the boxes.
     *
     * @param sizes along x, and along y and z if there are such
     */
    static Tiles of(Range all, List<Integer> sizes, DataType type) {
        int vector = Layout.ALIGNMENT / type.bytes();
        int x = (int) Math.min(all.x1(), Math.ceilDiv((long) sizes.getFirst(), vector) * vector);
        return new Tiles(
                all,
                Math.max(1, x),
                sizes.size() > 1 ? Math.min(sizes.get(1), all.y1()) : 1,
                sizes.size() > 2 ? Math.min(sizes.get(2), all.z1()) : 1);
    }

    /**
     * Returns the parts of a range, of about as many points as given; at least one. They are whole planes, or whole
     * rows where there are few planes, or pieces of rows where there are few rows: so loops over grids of any shape
     * have parts for several workers.
     */
    static Range[] parts(Range points, int pointsEach) {
        List<Range> parts = List.of(points);
        for (int axis = 2; axis >= 0; axis--) {
            parts = cut(parts, axis, pointsEach);
        }
        return parts.toArray(Range[]::new);
    }

    /** Cuts parts along an axis, where they have more points than given, and are few. */
    private static List<Range> cut(List<Range> parts, int axis, int pointsEach) {
        if (parts.size() >= ENOUGH_PARTS) {
            return parts;
        }
        List<Range> cut = new ArrayList<>();
        for (Range part : parts) {
            int from = part.from(axis);
            int to = part.to(axis);
            long layers = Math.max(1, to - from);
            long grain = Math.max(1, pointsEach / Math.max(1, part.points() / layers));
            if (axis == 0) {
                grain = Math.ceilDiv(Math.max(LEAST_OF_ROW, grain), VECTOR) * VECTOR;
            }
            for (long at = from; at == from || at < to; ) {
                // pieces of rows end at boundaries of vectors, wherever the first one begins
                long next = axis == 0 ? Math.floorDiv(at + grain, VECTOR) * VECTOR : at + grain;
                cut.add(part.along(axis, (int) at, (int) Math.min(to, next)));
                at = next;
            }
        }
        return cut;
    }

    /**
     * Returns the parts of a loop with points that read neighbours in other planes: {@link #parts} where the planes
     * that it goes back to stay in the caches; else boxes of whole rows, so few that they do. Boxes above each other
     * come one after the other, since each begins with the planes that the last one has read.
     *
     * @param planes of all inputs together, that the points of one plane read; 0 where all of them are in their own
     * @param rowBytes the bytes of a row
     */
    static Range[] blocks(Range points, int planes, long rowBytes, int pointsEach) {
        return blocks(points, planes, rowBytes, pointsEach, Loops.blockBytes());
    }

    /** Returns {@link #blocks(Range, int, long, int)} for a cache that keeps {@code cached} bytes of planes. */
    static Range[] blocks(Range points, int planes, long rowBytes, int pointsEach, long cached) {
        int rows = points.y1() - points.y0();
        long most = planes == 0 ? rows : Math.max(LEAST_ROWS, cached / (planes * rowBytes));
        if (rows <= most) {
            return parts(points, pointsEach);
        }
        int columns = (int) Math.ceilDiv(rows, most);
        List<Range> blocks = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
            int from = points.y0() + (int) ((long) rows * column / columns);
            int to = points.y0() + (int) ((long) rows * (column + 1) / columns);
            long pointsOfPlane = (long) (points.x1() - points.x0()) * (to - from);
            int grain = (int) Math.max(LEAST_PLANES, pointsEach / pointsOfPlane);
            for (int z = points.z0(); z < points.z1(); z += grain) {
                blocks.add(new Range(points.x0(), points.x1(), from, to, z, Math.min(points.z1(), z + grain)));
            }
        }
        return cut(blocks, 0, pointsEach).toArray(Range[]::new);
    }

    /** Returns all boxes. */
    Range[] boxes() {
        Range[] boxes = new Range[Math.toIntExact(count())];
        Arrays.setAll(boxes, number -> rows(number, part -> part));
        return boxes;
    }

    long count() {
        return (long) Math.ceilDiv(range.x1(), x) * Math.ceilDiv(range.y1(), y) * Math.ceilDiv(range.z1(), z);
    }

    /**
     * Returns the points of a box.
     *
     * @param joins joins rows where these are whole: else it would join points of other boxes
     */
    Range rows(long number, UnaryOperator<Range> joins) {
        long columns = Math.ceilDiv(range.x1(), x);
        long lines = Math.ceilDiv(range.y1(), y);
        int x0 = (int) (number % columns) * x;
        int y0 = (int) (number / columns % lines) * y;
        int z0 = (int) (number / columns / lines) * z;
        Range part = new Range(
                x0, Math.min(x0 + x, range.x1()), y0, Math.min(y0 + y, range.y1()), z0, Math.min(z0 + z, range.z1()));
        return columns == 1 ? joins.apply(part) : part;
    }
}

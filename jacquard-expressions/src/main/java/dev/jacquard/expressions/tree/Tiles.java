package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.ElementType;
import dev.jacquard.memory.data.Layout;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Boxes that cover a range of points, with x varying fastest. Loops in lanes write up to the end of the last vector of
 * a row, which another worker may be computing at the same time: so boxes end on boundaries of the longest vectors
 * along x. Immutable.
 *
 * @param all the range, which begins at 0 along each axis
 */
record Tiles(Range all, int x, int y, int z) {
    /**
     * Returns the boxes.
     *
     * @param sizes along x, and along y and z if there are such
     */
    static Tiles of(Range all, List<Integer> sizes, ElementType type) {
        int vector = Layout.ALIGNMENT / type.bytes();
        int x = (int) Math.min(all.x1(), Math.ceilDiv((long) sizes.getFirst(), vector) * vector);
        return new Tiles(
                all,
                Math.max(1, x),
                sizes.size() > 1 ? Math.min(sizes.get(1), all.y1()) : 1,
                sizes.size() > 2 ? Math.min(sizes.get(2), all.z1()) : 1);
    }

    /**
     * Returns the parts of a range that are whole rows, or whole planes, of about as many points as given; at least
     * one.
     */
    static Range[] slabs(Range points, boolean byPlanes, int pointsEach) {
        int first = byPlanes ? points.z0() : points.y0();
        int behind = byPlanes ? points.z1() : points.y1();
        long all = Math.max(1, points.points());
        long grain = Math.max(1, (long) pointsEach * (behind - first) / all);
        Range[] slabs = new Range[Math.toIntExact(Math.max(1, Math.ceilDiv(behind - first, grain)))];
        for (int i = 0; i < slabs.length; i++) {
            int from = (int) (first + i * grain);
            int to = (int) Math.min(behind, from + grain);
            slabs[i] = byPlanes
                    ? new Range(points.x0(), points.x1(), points.y0(), points.y1(), from, to)
                    : new Range(points.x0(), points.x1(), from, to, points.z0(), points.z1());
        }
        return slabs;
    }

    long count() {
        return (long) Math.ceilDiv(all.x1(), x) * Math.ceilDiv(all.y1(), y) * Math.ceilDiv(all.z1(), z);
    }

    /**
     * Returns the points of a box.
     *
     * @param joins joins rows where these are whole: else it would join what lies in other boxes
     */
    Range rows(long number, UnaryOperator<Range> joins) {
        long columns = Math.ceilDiv(all.x1(), x);
        long lines = Math.ceilDiv(all.y1(), y);
        int x0 = (int) (number % columns) * x;
        int y0 = (int) (number / columns % lines) * y;
        int z0 = (int) (number / columns / lines) * z;
        Range part = new Range(
                x0, Math.min(x0 + x, all.x1()), y0, Math.min(y0 + y, all.y1()), z0, Math.min(z0 + z, all.z1()));
        return columns == 1 ? joins.apply(part) : part;
    }
}

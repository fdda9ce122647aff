package dev.jacquard.apps.replay;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A box of integer coordinates, closed on all sides: boxes that share a coordinate intersect.
 *
 * @param intervals one per dimension; none at all is refused
 */
record Box(List<Interval> intervals) {
    public Box {
        intervals = List.copyOf(intervals);
        if (intervals.isEmpty()) {
            throw new IllegalArgumentException("a box needs an interval per dimension, and has none");
        }
    }

    public int dimensions() {
        return intervals.size();
    }

    /** Returns true if the two boxes share a coordinate. Both have the same dimensions. */
    public boolean intersects(Box other) {
        return IntStream.range(0, dimensions()).allMatch(i -> intervals.get(i).intersects(other.intervals.get(i)));
    }

    /** Returns true if every coordinate of {@code other} is one of this box. Both have the same dimensions. */
    public boolean contains(Box other) {
        return IntStream.range(0, dimensions()).allMatch(i -> intervals.get(i).contains(other.intervals.get(i)));
    }

    @Override
    public String toString() {
        return intervals.stream().map(Interval::toString).collect(Collectors.joining(", ", "[", "]"));
    }
}

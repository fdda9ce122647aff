package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Binding.Place;
import dev.jacquard.expressions.loop.Loop.Range;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/**
 * A vector of numbers after the other. The last one of a row ends where the row does, and has numbers of the one
 * before, too. Loaded only where lanes are.
 */
final class GreatestInLanes {
    private GreatestInLanes() {}

    /**
     * Returns the same place in all memory; its accesses are not checked one by one: the points belong to a loop that
     * has run, in memory that its task holds.
     */
    private static Place unchecked(Place place) {
        MemorySegment all = Lanes.ALL;
        MemorySegment its = place.segment();
        return all == null || !its.isNative()
                ? place
                : new Place(all, its.address() + place.start(), place.strideY(), place.strideZ());
    }

    static final class OfDoubles extends Greatest {
        private final Greatest inTurn = new GreatestInTurn.OfDoubles();

        @Override
        public long magnitude(Place of, Range points) {
            Place field = unchecked(of);
            int last = points.x1() - points.x0() - Lanes.DOUBLES.length();
            if (last < 0) {
                return inTurn.magnitude(of, points);
            }
            LongVector most = LongVector.zero(Lanes.LONGS);
            for (int z = points.z0(); z < points.z1(); z++) {
                for (int y = points.y0(); y < points.y1(); y++) {
                    long row = row(field, points, y, z, Double.BYTES);
                    for (int x = 0; x < last; x += Lanes.DOUBLES.length()) {
                        most = most.max(load(field, row, x).abs().reinterpretAsLongs());
                    }
                    most = most.max(load(field, row, last).abs().reinterpretAsLongs()); // some of them again
                }
            }
            return most.reduceLanes(VectorOperators.MAX);
        }

        @Override
        public long distance(Place of, Place from, double a, Place more, double b, Range points) {
            Place field = unchecked(of);
            Place first = unchecked(from);
            Place second = unchecked(more);
            int last = points.x1() - points.x0() - Lanes.DOUBLES.length();
            if (last < 0) {
                return inTurn.distance(of, from, a, more, b, points);
            }
            LongVector most = LongVector.zero(Lanes.LONGS);
            for (int z = points.z0(); z < points.z1(); z++) {
                for (int y = points.y0(); y < points.y1(); y++) {
                    long its = row(field, points, y, z, Double.BYTES);
                    long one = row(first, points, y, z, Double.BYTES);
                    long other = row(second, points, y, z, Double.BYTES);
                    if (b == 0) {
                        for (int x = 0; x < last; x += Lanes.DOUBLES.length()) {
                            DoubleVector sum = load(first, one, x).mul(a);
                            most = most.max(load(field, its, x).sub(sum).abs().reinterpretAsLongs());
                        }
                        DoubleVector sum = load(first, one, last).mul(a);
                        most = most.max(load(field, its, last).sub(sum).abs().reinterpretAsLongs());
                    } else {
                        for (int x = 0; x < last; x += Lanes.DOUBLES.length()) {
                            DoubleVector sum = load(first, one, x)
                                    .mul(a)
                                    .add(load(second, other, x).mul(b));
                            most = most.max(load(field, its, x).sub(sum).abs().reinterpretAsLongs());
                        }
                        DoubleVector sum = load(first, one, last)
                                .mul(a)
                                .add(load(second, other, last).mul(b));
                        most = most.max(load(field, its, last).sub(sum).abs().reinterpretAsLongs());
                    }
                }
            }
            return most.reduceLanes(VectorOperators.MAX);
        }

        private static DoubleVector load(Place place, long row, int x) {
            return DoubleVector.fromMemorySegment(
                    Lanes.DOUBLES, place.segment(), row + (long) x * Double.BYTES, Lanes.ORDER);
        }
    }

    static final class OfFloats extends Greatest {
        private final Greatest inTurn = new GreatestInTurn.OfFloats();

        @Override
        public long magnitude(Place of, Range points) {
            Place field = unchecked(of);
            int last = points.x1() - points.x0() - Lanes.FLOATS.length();
            if (last < 0) {
                return inTurn.magnitude(of, points);
            }
            IntVector most = IntVector.zero(Lanes.INTS);
            for (int z = points.z0(); z < points.z1(); z++) {
                for (int y = points.y0(); y < points.y1(); y++) {
                    long row = row(field, points, y, z, Float.BYTES);
                    for (int x = 0; x < last; x += Lanes.FLOATS.length()) {
                        most = most.max(load(field, row, x).abs().reinterpretAsInts());
                    }
                    most = most.max(load(field, row, last).abs().reinterpretAsInts()); // some of them again
                }
            }
            return most.reduceLanes(VectorOperators.MAX);
        }

        @Override
        public long distance(Place of, Place from, double a, Place more, double b, Range points) {
            Place field = unchecked(of);
            Place first = unchecked(from);
            Place second = unchecked(more);
            int last = points.x1() - points.x0() - Lanes.FLOATS.length();
            if (last < 0) {
                return inTurn.distance(of, from, a, more, b, points);
            }
            IntVector most = IntVector.zero(Lanes.INTS);
            for (int z = points.z0(); z < points.z1(); z++) {
                for (int y = points.y0(); y < points.y1(); y++) {
                    long its = row(field, points, y, z, Float.BYTES);
                    long one = row(first, points, y, z, Float.BYTES);
                    long other = row(second, points, y, z, Float.BYTES);
                    if (b == 0) {
                        for (int x = 0; x < last; x += Lanes.FLOATS.length()) {
                            FloatVector sum = load(first, one, x).mul((float) a);
                            most = most.max(load(field, its, x).sub(sum).abs().reinterpretAsInts());
                        }
                        FloatVector sum = load(first, one, last).mul((float) a);
                        most = most.max(load(field, its, last).sub(sum).abs().reinterpretAsInts());
                    } else {
                        for (int x = 0; x < last; x += Lanes.FLOATS.length()) {
                            FloatVector sum = load(first, one, x)
                                    .mul((float) a)
                                    .add(load(second, other, x).mul((float) b));
                            most = most.max(load(field, its, x).sub(sum).abs().reinterpretAsInts());
                        }
                        FloatVector sum = load(first, one, last)
                                .mul((float) a)
                                .add(load(second, other, last).mul((float) b));
                        most = most.max(load(field, its, last).sub(sum).abs().reinterpretAsInts());
                    }
                }
            }
            return most.reduceLanes(VectorOperators.MAX);
        }

        private static FloatVector load(Place place, long row, int x) {
            return FloatVector.fromMemorySegment(
                    Lanes.FLOATS, place.segment(), row + (long) x * Float.BYTES, Lanes.ORDER);
        }
    }
}

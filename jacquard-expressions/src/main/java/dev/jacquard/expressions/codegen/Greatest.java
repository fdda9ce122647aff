package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Binding.Place;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.DataType;

/**
 * The greatest of numbers that are not below 0, as bits: as integers these numbers have the same order, and a NaN is
 * greater than all. So the greatest is the same in any order of the numbers, in lanes or one after the other.
 *
 * <p>Threads: any. Stateless.
 */
public abstract class Greatest {
    Greatest() {}

    /**
     * Returns the implementation for numbers of a type.
     *
     * @param inLanes true for lanes, which this JVM has; they are slow until the JVM has compiled them
     */
    public static Greatest of(DataType type, boolean inLanes) {
        boolean single = type == DataType.FLOAT32;
        if (inLanes) {
            return single ? new GreatestInLanes.OfFloats() : new GreatestInLanes.OfDoubles();
        }
        return single ? new GreatestInTurn.OfFloats() : new GreatestInTurn.OfDoubles();
    }

    /** Returns the greatest magnitude of a field at some points. */
    public abstract long magnitude(Place field, Range points);

    /**
     * Returns the greatest distance of a field from {@code a · first + b · second}, at some points.
     *
     * @param b 0 if there is no second field
     */
    public abstract long distance(Place field, Place first, double a, Place second, double b, Range points);

    /** Returns the place of the first point of a row, in bytes. */
    static long row(Place field, Range points, int y, int z, int bytes) {
        return field.start() + y * field.strideY() + z * field.strideZ() + (long) points.x0() * bytes;
    }
}

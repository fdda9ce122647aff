package dev.jacquard.expressions.files;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A plane of a field's points, and how a picture shows it: {@code Slice.z(64)} shows x to the right and y upwards,
 * {@code Slice.y(0)} x and z, {@code Slice.x(0)} y and z. {@code Slice.z(0)} of a field in two dimensions is all of it.
 *
 * <p>Threads: immutable.
 *
 * @param axis the axis across which the plane lies, 0 for x
 * @param index the plane's points have that index along the axis, from 0 on
 * @param range the values that have the first and the last colour; null for the least and the greatest of the plane
 * @param colours the colours of values
 * @param isPlain true for the points alone, without name, time, frame and colour bar
 */
public record Slice(int axis, int index, @Nullable Range range, ColourMap colours, boolean isPlain) {
    private static final String AXES = "xyz";

    /**
     * The values at both ends of the colours.
     *
     * @param low the value of the first colour, which values below it have too
     * @param high the value of the last colour, which values above it have too
     */
    public record Range(double low, double high) {
        public Range {
            if (!(low <= high) || Double.isInfinite(low) || Double.isInfinite(high)) {
                throw new IllegalArgumentException(
                        "colours are for finite values from a low one to a high one, not from " + low + " to " + high);
            }
        }
    }

    public Slice {
        if (axis < 0 || axis >= AXES.length()) {
            throw new IllegalArgumentException("a slice lies across axis 0, 1 or 2, not " + axis);
        }
        Objects.requireNonNull(colours, "colours");
    }

    /** Returns the plane of the points with that index along an axis, 0 for x. */
    public static Slice of(int axis, int index) {
        return new Slice(axis, index, null, ColourMap.CUBEHELIX, false);
    }

    /** Returns the plane of the points with that index along x. */
    public static Slice x(int index) {
        return of(0, index);
    }

    /** Returns the plane of the points with that index along y. */
    public static Slice y(int index) {
        return of(1, index);
    }

    /** Returns the plane of the points with that index along z. */
    public static Slice z(int index) {
        return of(2, index);
    }

    /** Returns the same plane with colours for the values from {@code low} to {@code high}. */
    public Slice range(double low, double high) {
        return new Slice(axis, index, new Range(low, high), colours, isPlain);
    }

    /** Returns the same plane with other colours. */
    public Slice colours(ColourMap map) {
        return new Slice(axis, index, range, map, isPlain);
    }

    /** Returns the same plane without name, time, frame and colour bar: the picture has the points alone. */
    public Slice plain() {
        return new Slice(axis, index, range, colours, true);
    }

    @Override
    public String toString() {
        return AXES.charAt(axis) + " = " + index;
    }
}

package dev.jacquard.expressions.files;

import org.jspecify.annotations.Nullable;

/**
 * A plane of a field's points, for a picture of it: {@code Slice.z(64)} shows x to the right and y upwards,
 * {@code Slice.y(0)} x and z, {@code Slice.x(0)} y and z. {@code Slice.z(0)} of a field in two dimensions is all of it.
 *
 * @param axis the axis across which the plane lies, 0 for x
 * @param index the plane's points have that index along the axis, from 0 on
 * @param range the values that have the first and the last colour; null for the least and the greatest of the plane
 */
public record Slice(int axis, int index, @Nullable Range range) {
    private static final String AXES = "xyz";

    /**
     * The values at both ends of the colours.
     *
     * @param low what has the darkest colour; values below have it, too
     * @param high what has the lightest colour; values beyond have it, too
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
    }

    /** Returns the plane of the points with that index along x. */
    public static Slice x(int index) {
        return new Slice(0, index, null);
    }

    /** Returns the plane of the points with that index along y. */
    public static Slice y(int index) {
        return new Slice(1, index, null);
    }

    /** Returns the plane of the points with that index along z. */
    public static Slice z(int index) {
        return new Slice(2, index, null);
    }

    /** Returns the same plane with colours for the values from {@code low} to {@code high}. */
    public Slice range(double low, double high) {
        return new Slice(axis, index, new Range(low, high));
    }

    @Override
    public String toString() {
        return AXES.charAt(axis) + " = " + index;
    }
}

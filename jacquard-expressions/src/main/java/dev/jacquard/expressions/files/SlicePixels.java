package dev.jacquard.expressions.files;

import dev.jacquard.drawing.Raster;
import dev.jacquard.expressions.field.Field;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.files.Slice.Range;
import org.jspecify.annotations.Nullable;

/** The points of a slice as pixels: a square of equal pixels for each point. Immutable. */
final class SlicePixels {
    /** The pixels that the longer side of a picture has at least, but for less than one further point. */
    private static final int LONGER_SIDE = 512;

    /** Rows of a line of points, which have no height, in a picture that is not plain. */
    private static final int LINE_ROWS = 64;

    final Field field;
    final Slice slice;
    /** The axis to the right. */
    final int across;
    /** The axis upwards. */
    final int up;

    private final int width;
    private final int height;
    private final int factor;
    private final int pixelRows;

    SlicePixels(Field field, Slice slice) {
        Grid grid = field.grid();
        int planes = grid.points(field.centring(), slice.axis());
        if (slice.index() < 0 || slice.index() >= planes) {
            throw new IllegalArgumentException(
                    "\"" + field.name() + "\" has no slice " + slice + ": there are " + planes + ", from 0 on");
        }
        this.field = field;
        this.slice = slice;
        this.across = slice.axis() == 0 ? 1 : 0;
        this.up = slice.axis() == 2 ? 1 : 2;
        this.width = grid.points(field.centring(), across);
        this.height = grid.points(field.centring(), up);
        this.factor = Math.max(1, LONGER_SIDE / Math.max(width, height));
        this.pixelRows = height == 1 && !slice.isPlain() ? Math.max(factor, LINE_ROWS) : factor;
    }

    int columns() {
        return width * factor;
    }

    int rows() {
        return height * pixelRows;
    }

    /** Returns the least and the greatest of the finite values; null if there is none. */
    @Nullable
    Range finite(FieldMemory values) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < height; j++) {
            for (int i = 0; i < width; i++) {
                double value = at(values, i, j);
                if (Double.isFinite(value)) {
                    low = Math.min(low, value);
                    high = Math.max(high, value);
                }
            }
        }
        return low <= high ? new Range(low, high) : null;
    }

    /** Returns the range of colours: that of the slice, or one by the values, which may be none. */
    Range range(@Nullable Range finite) {
        if (slice.range() != null) {
            return slice.range();
        }
        if (finite == null) {
            return new Range(0, 0);
        }
        double most = Math.max(Math.abs(finite.low()), Math.abs(finite.high()));
        return slice.colours().isDiverging() ? new Range(-most, most) : finite;
    }

    /**
     * Draws the points, the last row of them at the top.
     *
     * @return true if a value is NaN
     */
    boolean draw(FieldMemory values, Range range, Raster to, int left, int top) {
        boolean hasNan = false;
        for (int j = 0; j < height; j++) {
            int y = top + (height - 1 - j) * pixelRows;
            for (int i = 0; i < width; i++) {
                byte colour = ColourMap.number(at(values, i, j), range);
                hasNan |= colour == (byte) ColourMap.NAN;
                to.fill(left + i * factor, y, factor, pixelRows, colour);
            }
        }
        return hasNan;
    }

    private double at(FieldMemory values, int i, int j) {
        int x = across == 0 ? i : slice.index();
        int y = across == 1 ? i : up == 1 ? j : slice.index();
        int z = up == 2 ? j : slice.index();
        return values.at(x, y, z);
    }
}

package dev.jacquard.expressions.files;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.files.Slice.Range;

/** The picture of a slice: a square of equal pixels for each point. Immutable. */
final class SlicePixels {
    /** The pixels that the longer side of a picture has at least, but for less than one further point. */
    private static final int LONGER_SIDE = 512;

    private final Slice slice;
    private final int across;
    private final int up;
    private final int width;
    private final int height;
    private final int factor;

    SlicePixels(GridField field, Slice slice) {
        Grid grid = field.grid();
        int planes = grid.points(field.centring(), slice.axis());
        if (slice.index() < 0 || slice.index() >= planes) {
            throw new IllegalArgumentException(
                    "\"" + field.name() + "\" has no slice " + slice + ": there are " + planes + ", from 0 on");
        }
        this.slice = slice;
        this.across = slice.axis() == 0 ? 1 : 0;
        this.up = slice.axis() == 2 ? 1 : 2;
        this.width = grid.points(field.centring(), across);
        this.height = grid.points(field.centring(), up);
        this.factor = Math.max(1, LONGER_SIDE / Math.max(width, height));
    }

    int columns() {
        return width * factor;
    }

    int rows() {
        return height * factor;
    }

    /** Returns the range of the slice; if it has none, the one of the finite values. */
    Range range(FieldMemory values) {
        if (slice.range() != null) {
            return slice.range();
        }
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
        return low <= high ? new Range(low, high) : new Range(0, 0);
    }

    byte[] pixels(FieldMemory values, Range range) {
        byte[] pixels = new byte[columns() * rows()];
        for (int j = 0; j < height; j++) {
            int top = (height - 1 - j) * factor * columns();
            for (int i = 0; i < width; i++) {
                byte colour = ColourMap.colour(at(values, i, j), range);
                for (int k = 0; k < factor; k++) {
                    pixels[top + i * factor + k] = colour;
                }
            }
            for (int k = 1; k < factor; k++) {
                System.arraycopy(pixels, top, pixels, top + k * columns(), columns());
            }
        }
        return pixels;
    }

    private double at(FieldMemory values, int i, int j) {
        int x = across == 0 ? i : slice.index();
        int y = across == 1 ? i : up == 1 ? j : slice.index();
        int z = up == 2 ? j : slice.index();
        return values.at(x, y, z);
    }
}

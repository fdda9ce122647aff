package dev.jacquard.drawing;

import java.util.Arrays;

/**
 * A picture of pixels in the making: each pixel is the number of a colour. Parts outside of it are cut off.
 *
 * <p>Threads: confined.
 */
public final class Raster {
    /** Pixels from one line of text to the next, at scale 1. */
    public static final int LINE = BitmapFont.ROWS + 3;

    /** Pixels of the height of a capital letter or digit, at scale 1. */
    public static final int CAPITAL = BitmapFont.CAPITAL;

    private static final int ADVANCE = BitmapFont.COLUMNS + 1;

    private final int columns;
    private final int rows;
    private final byte[] pixels;

    /**
     * A picture of one colour.
     *
     * @throws IllegalArgumentException if it has no pixel, or more than 2^30
     */
    public Raster(int columns, int rows, int colour) {
        if (columns < 1 || rows < 1 || (long) columns * rows > 1 << 30) {
            throw new IllegalArgumentException("no picture of " + columns + " x " + rows + " pixels");
        }
        this.columns = columns;
        this.rows = rows;
        this.pixels = new byte[columns * rows];
        Arrays.fill(pixels, (byte) colour);
    }

    /** Returns the number of pixels of a row. */
    public int columns() {
        return columns;
    }

    /** Returns the number of rows. */
    public int rows() {
        return rows;
    }

    /** Returns all pixels, row by row from the top, for {@link PngWriter#picture}; not a copy. */
    public byte[] pixels() {
        return pixels;
    }

    /** Fills a rectangle, of which the pixel at {@code left}, {@code top} is the first. */
    public Raster fill(int left, int top, int width, int height, int colour) {
        int from = Math.clamp(left, 0, columns);
        int to = Math.clamp((long) left + width, from, columns);
        for (int y = Math.max(0, top); y < Math.min((long) rows, (long) top + height); y++) {
            Arrays.fill(pixels, y * columns + from, y * columns + to, (byte) colour);
        }
        return this;
    }

    /** Draws a rim of {@code thickness} pixels around a rectangle, outside of it. */
    public Raster rim(int left, int top, int width, int height, int thickness, int colour) {
        int across = width + 2 * thickness;
        fill(left - thickness, top - thickness, across, thickness, colour);
        fill(left - thickness, top + height, across, thickness, colour);
        fill(left - thickness, top, thickness, height, colour);
        return fill(left + width, top, thickness, height, colour);
    }

    /**
     * Writes a line of text; characters without a glyph are boxes.
     *
     * @param left the first column of the first character
     * @param top the row at the top of a capital letter
     * @param scale pixels of the side of each dot of a glyph
     */
    public Raster text(int left, int top, String text, int scale, int colour) {
        int x = left;
        for (int character : text.codePoints().toArray()) {
            for (int row = 0; row < BitmapFont.ROWS; row++) {
                for (int column = 0; column < BitmapFont.COLUMNS; column++) {
                    if (BitmapFont.isDark(character, column, row)) {
                        fill(x + column * scale, top + row * scale, scale, scale, colour);
                    }
                }
            }
            x += ADVANCE * scale;
        }
        return this;
    }

    /** Returns the number of columns of a line of text. */
    public static int width(String text, int scale) {
        int characters = text.codePointCount(0, text.length());
        return characters == 0 ? 0 : (characters * ADVANCE - 1) * scale;
    }

    /** Returns the text, or its first characters and an ellipsis, in at most {@code columns} columns. */
    public static String shortened(String text, int columns, int scale) {
        int most = Math.max(1, (columns + scale) / (ADVANCE * scale));
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most - 1)) + "…";
    }
}

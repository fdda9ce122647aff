package dev.jacquard.apps.stitching;

import dev.jacquard.apps.image.GrayImage;
import java.util.Arrays;

/**
 * The rows of the mosaic that are being composed: row {@code y} lives in slot {@code y % capacity}.
 *
 * <p>Threads: none of its methods locks. Tasks that touch the same pixels are ordered by their declared areas, and a
 * row's slot is reused only after the task that flushed the row.
 */
final class RowRing {
    /** The sum of a pixel's weights is an unsigned short, and 65,535 times that an unsigned int. */
    private static final int MOST_SUM = 0xFFFF;
    /** Further in than this, a tile's pixels all count alike. */
    private static final int MOST_WEIGHT = 4095;

    private final int width;
    private final int capacity;
    private final Blend blend;
    private final int mostWeight;
    /** Sums of weight times sample, or, without weights, the samples themselves. */
    private final int[][] sums;
    /** Sums of weights; empty rows when nothing is blended. */
    private final short[][] weights;

    /** For a mosaic of {@code width} columns with at most {@code depth} tiles over one pixel. */
    RowRing(int width, int capacity, Blend blend, int depth) {
        this.width = width;
        this.capacity = capacity;
        this.blend = blend;
        this.mostWeight = Math.clamp(MOST_SUM / depth, 1, MOST_WEIGHT);
        this.sums = new int[capacity][width];
        this.weights = new short[capacity][blend == Blend.LINEAR ? width : 0];
    }

    /** Returns the bytes of a ring's arrays. */
    static long bytes(long width, long capacity, Blend blend) {
        return width * capacity * (Integer.BYTES + (blend == Blend.LINEAR ? Short.BYTES : 0));
    }

    int capacity() {
        return capacity;
    }

    /** Lays a tile down with its top left pixel at (x, y). */
    void lay(GrayImage tile, int x, int y) {
        for (int row = 0; row < tile.height(); row++) {
            int slot = (y + row) % capacity;
            switch (blend) {
                case LINEAR -> add(tile, row, sums[slot], weights[slot], x);
                case OVERLAY -> put(tile, row, sums[slot], x);
            }
        }
    }

    private void add(GrayImage tile, int row, int[] sum, short[] weight, int x) {
        short[] samples = tile.samples();
        int columns = tile.width();
        int from = row * columns;
        int edge = Math.min(mostWeight, Math.min(row + 1, tile.height() - row));
        for (int column = 0; column < columns; column++) {
            int w = Math.min(edge, Math.min(column + 1, columns - column));
            sum[x + column] += w * (samples[from + column] & 0xFFFF);
            weight[x + column] += (short) w;
        }
    }

    private static void put(GrayImage tile, int row, int[] sum, int x) {
        short[] samples = tile.samples();
        int from = row * tile.width();
        for (int column = 0; column < tile.width(); column++) {
            sum[x + column] = samples[from + column] & 0xFFFF;
        }
    }

    /** Copies the finished rows from {@code y} on into {@code samples}, and clears them for rows further down. */
    void flush(int y, int rows, short[] samples) {
        for (int row = 0; row < rows; row++) {
            int slot = (y + row) % capacity;
            int[] sum = sums[slot];
            short[] weight = weights[slot];
            int to = row * width;
            for (int column = 0; column < width; column++) {
                int w = blend == Blend.LINEAR ? weight[column] & 0xFFFF : 1;
                samples[to + column] = w == 0 ? 0 : (short) Integer.divideUnsigned(sum[column] + (w >> 1), w);
            }
            Arrays.fill(sum, 0);
            Arrays.fill(weight, (short) 0);
        }
    }
}

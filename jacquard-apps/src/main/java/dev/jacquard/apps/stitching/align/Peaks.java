package dev.jacquard.apps.stitching.align;

import java.util.Arrays;

/**
 * Finds the largest peaks of a correlation surface among the columns and rows that a window of displacements folds
 * onto. A peak's neighbourhood is blanked once it is found, so that the next one is another peak. Confined to one
 * thread.
 */
final class Peaks {
    /** Blanked around a peak: this many pixels to each side. */
    private static final int RADIUS = 2;

    private final int width;
    private final int height;
    private final float[] rowMax;

    Peaks(int width, int height) {
        this.width = width;
        this.height = height;
        this.rowMax = new float[height];
    }

    /** Prepares to search {@code surface} in {@code window}. */
    void start(float[] surface, Window window) {
        Arrays.fill(rowMax, Float.NEGATIVE_INFINITY);
        for (int dy = window.minDy(); dy <= window.maxDy(); dy++) {
            int row = Math.floorMod(dy, height);
            rowMax[row] = maxOfRow(surface, row, window);
        }
    }

    /** The index of the largest value left, which is then blanked with its neighbours; -1 when none is left. */
    int next(float[] surface, Window window) {
        int best = 0;
        for (int row = 1; row < height; row++) {
            if (rowMax[row] > rowMax[best]) {
                best = row;
            }
        }
        if (rowMax[best] == Float.NEGATIVE_INFINITY) {
            return -1;
        }
        int column = columnOf(surface, best, window);
        blank(surface, best, column, window);
        return best * width + column;
    }

    private float maxOfRow(float[] surface, int row, Window window) {
        float max = Float.NEGATIVE_INFINITY;
        int start = row * width;
        if (window.minDx() >= 0) {
            for (int i = start + window.minDx(); i <= start + window.maxDx(); i++) {
                max = Math.max(max, surface[i]);
            }
        } else {
            for (int i = start; i <= start + window.maxDx(); i++) {
                max = Math.max(max, surface[i]);
            }
            for (int i = start + width + window.minDx(); i < start + width; i++) {
                max = Math.max(max, surface[i]);
            }
        }
        return max;
    }

    private int columnOf(float[] surface, int row, Window window) {
        for (int dx = window.minDx(); dx <= window.maxDx(); dx++) {
            int column = Math.floorMod(dx, width);
            if (surface[row * width + column] == rowMax[row]) {
                return column;
            }
        }
        throw new IllegalStateException("row " + row + " of the correlation surface has no maximum: it holds NaN");
    }

    private void blank(float[] surface, int row, int column, Window window) {
        for (int y = -RADIUS; y <= RADIUS; y++) {
            int near = Math.floorMod(row + y, height);
            for (int x = -RADIUS; x <= RADIUS; x++) {
                surface[near * width + Math.floorMod(column + x, width)] = Float.NEGATIVE_INFINITY;
            }
            if (rowMax[near] > Float.NEGATIVE_INFINITY) {
                rowMax[near] = maxOfRow(surface, near, window);
            }
        }
    }
}

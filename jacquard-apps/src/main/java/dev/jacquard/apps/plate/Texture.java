package dev.jacquard.apps.plate;

import java.util.Arrays;

/**
 * A seeded texture like cells under a microscope: value noise at several scales, so that every place looks like no
 * other and correlation has one sharp peak.
 *
 * @param seed which texture
 */
record Texture(Seed seed) implements Scene {
    private static final int[] CELLS = {2, 5, 17, 61, 211};
    private static final float[] WEIGHTS = {0.12f, 0.26f, 0.24f, 0.20f, 0.18f};

    @Override
    public void row(int x, int y, float[] out) {
        Arrays.fill(out, 0);
        for (int octave = 0; octave < CELLS.length; octave++) {
            add(seed.of(octave), CELLS[octave], WEIGHTS[octave], x, y, out);
        }
    }

    private static void add(Seed seed, int cell, float weight, int x, int y, float[] out) {
        int cellRow = Math.floorDiv(y, cell);
        float down = smooth((y - cellRow * cell) / (float) cell);
        int i = 0;
        while (i < out.length) {
            int column = Math.floorDiv(x + i, cell);
            float left = edge(seed, column, cellRow, down);
            float right = edge(seed, column + 1, cellRow, down);
            int end = Math.min(out.length, (column + 1) * cell - x);
            for (; i < end; i++) {
                float across = smooth((x + i - column * cell) / (float) cell);
                out[i] += weight * (left + (right - left) * across);
            }
        }
    }

    /** The noise on the edge below the lattice point, {@code down} of the way to the next. */
    private static float edge(Seed seed, int column, int row, float down) {
        float upper = (float) seed.fraction(column, row);
        float lower = (float) seed.fraction(column, row + 1);
        return upper + (lower - upper) * down;
    }

    private static float smooth(float t) {
        return t * t * (3 - 2 * t);
    }
}

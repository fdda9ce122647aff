package dev.jacquard.apps.stitching.align;

/**
 * Where the tiles lie, in whole pixels, in the order of the grid; the smallest x and the smallest y are 0.
 *
 * @param x to the right
 * @param y down
 */
public record Positions(int[] x, int[] y) {
    /** Rounds halves up, relative to the first tile, so that equal steps round alike. */
    static Positions rounded(double[] x, double[] y) {
        return new Positions(rounded(x), rounded(y));
    }

    private static int[] rounded(double[] values) {
        int[] whole = new int[values.length];
        for (int i = 0; i < whole.length; i++) {
            whole[i] = (int) Math.floor(values[i] - values[0] + 0.5);
        }
        int least = whole[0];
        for (int value : whole) {
            least = Math.min(least, value);
        }
        for (int i = 0; i < whole.length; i++) {
            whole[i] -= least;
        }
        return whole;
    }
}

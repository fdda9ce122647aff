package dev.jacquard.apps.stitching.align;

/** The normalised cross-power spectrum of two tiles (Kuglin and Hines 1975; Blattner's thesis, figure 6.2). */
final class PhaseCorrelation {
    /** Weaker frequencies than this carry rounding errors only. */
    private static final float WEAKEST = 1e-12f;

    private PhaseCorrelation() {}

    /**
     * Writes {@code from * conjugate(to)}, each element divided by its magnitude, into {@code product}. The inverse
     * transform of the product peaks at the displacement of {@code to}, modulo the size of a tile.
     */
    static void normalise(float[] from, float[] to, float[] product) {
        for (int i = 0; i + 1 < product.length; i += 2) {
            float re = from[i] * to[i] + from[i + 1] * to[i + 1];
            float im = from[i + 1] * to[i] - from[i] * to[i + 1];
            float power = re * re + im * im;
            float scale = power > WEAKEST ? 1 / (float) Math.sqrt(power) : 0;
            product[i] = re * scale;
            product[i + 1] = im * scale;
        }
    }
}

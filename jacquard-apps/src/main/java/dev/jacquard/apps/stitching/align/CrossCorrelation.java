package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.image.GrayImage;

/**
 * The cross-correlation factor of two tiles at a displacement: the normalised correlation of the pixels that they share
 * (Blattner's thesis, figure 6.3). Sums are integers, so that the result does not depend on the order of summation.
 */
final class CrossCorrelation {
    /** Fewer shared pixels than this say nothing. */
    private static final int LEAST_PIXELS = 64;

    private static final int SLIVER = 1000;

    private CrossCorrelation() {}

    /** The number of pixels that the tiles share when the second lies at {@code (dx, dy)} from the first. */
    static long sharedPixels(GrayImage from, int dx, int dy) {
        return (long) Math.max(0, from.width() - Math.abs(dx)) * Math.max(0, from.height() - Math.abs(dy));
    }

    /**
     * A factor as it compares with factors over other numbers of pixels: the chance correlation of few pixels is large,
     * so that a sliver would beat the true overlap of noisy tiles. Shrunk, chance counts alike for slivers and for
     * overlaps of {@link #SLIVER} pixels, and a factor over many more stays as it is.
     */
    static double comparable(double factor, long pixels) {
        return factor * Math.sqrt(pixels / (double) (pixels + SLIVER));
    }

    /**
     * The row step with which about {@code budget} of {@code pixels} pixels are visited, an odd number: an even one
     * sees half of the rows of a pattern with an even period, and correlations that are not there.
     */
    static int rowStep(long pixels, int budget) {
        return (int) (Math.max(1, Math.min(64, pixels / budget)) - 1 | 1);
    }

    /**
     * The factor over every {@code rowStep}-th shared row; NaN when either tile is constant there, or when they share
     * too little.
     */
    static double factor(GrayImage from, GrayImage to, int dx, int dy, int rowStep) {
        int width = from.width() - Math.abs(dx);
        int height = from.height() - Math.abs(dy);
        int firstStart = Math.max(0, dy) * from.width() + Math.max(0, dx);
        int secondStart = Math.max(0, -dy) * from.width() + Math.max(0, -dx);
        return factor(from, firstStart, to, secondStart, width, height, rowStep);
    }

    /**
     * The factor of a rectangle of an image and the same one shifted, over as much of the rectangle as stays in the
     * image; of shifts by {@code (x, y)} and by {@code (-x, -y)} the one that leaves more. NaN as for two tiles.
     *
     * @param budget about how many pixels are visited
     */
    static double ofItself(GrayImage image, int left, int top, int width, int height, int x, int y, int budget) {
        Window whole = new Window(0, image.width() - 1, 0, image.height() - 1);
        Window part = new Window(left, left + width - 1, top, top + height - 1);
        Window there = part.intersect(whole.moved(-x, -y));
        Window back = part.intersect(whole.moved(x, y));
        boolean forward = there.size() >= back.size();
        Window kept = forward ? there : back;
        if (kept.isEmpty()) {
            return Double.NaN;
        }
        int start = kept.minDy() * image.width() + kept.minDx();
        int shift = (forward ? 1 : -1) * (y * image.width() + x);
        int columns = kept.maxDx() - kept.minDx() + 1;
        int rows = kept.maxDy() - kept.minDy() + 1;
        return factor(image, start, image, start + shift, columns, rows, rowStep(kept.size(), budget));
    }

    private static double factor(
            GrayImage from, int firstStart, GrayImage to, int secondStart, int width, int height, int rowStep) {
        if (width < 1 || height < 1 || (long) width * height < LEAST_PIXELS) {
            return Double.NaN;
        }
        short[] first = from.samples();
        short[] second = to.samples();
        long sumA = 0;
        long sumB = 0;
        long sumAa = 0;
        long sumBb = 0;
        long sumAb = 0;
        for (int row = 0; row < height; row += rowStep) {
            int offset = row * from.width();
            for (int i = 0; i < width; i++) {
                long a = first[firstStart + offset + i] & 0xFFFF;
                long b = second[secondStart + offset + i] & 0xFFFF;
                sumA += a;
                sumB += b;
                sumAa += a * a;
                sumBb += b * b;
                sumAb += a * b;
            }
        }
        long n = (long) ((height + rowStep - 1) / rowStep) * width;
        double varianceA = sumAa - (double) sumA * sumA / n;
        double varianceB = sumBb - (double) sumB * sumB / n;
        // Below one unit in the whole sum there is no texture, only rounding.
        if (varianceA < 0.5 || varianceB < 0.5) {
            return Double.NaN;
        }
        double covariance = sumAb - (double) sumA * sumB / n;
        return Math.clamp(covariance / Math.sqrt(varianceA * varianceB), -1, 1);
    }
}

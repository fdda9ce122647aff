package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.stitching.align.Pair.Direction;

/**
 * How strongly two images speak for one displacement rather than others.
 *
 * <p>If the displacement is right, the second tile is the first times a gain plus an offset plus noise, and the profile
 * likelihood of a displacement with factor r over n pixels is {@code -n/2 ln(1 - r^2)} nats. The evidence is the
 * smallest lead over the alternatives: a ring around the displacement, which asks whether it is well located, and
 * shifts along and across the seam, which ask how much these images correlate by chance, through illumination or by
 * repeating structure. Noise that is correlated from pixel to pixel counts less: n is divided by the correlation area
 * of the remainder when the fitted first tile is subtracted from the second. At a wrong displacement the remainder is
 * as smooth as the images, so that smooth images do not seem certain by chance.
 *
 * <p>Confined to one thread; allocates on the first use of a larger overlap only.
 */
final class Evidence {
    /** Rows are left out so that about this many pixels are looked at. */
    static final int BUDGET = 12_000;
    /** A displacement this far off is another one. */
    static final int RING = 3;
    /** Shifts along the seam, as parts of its length. */
    private static final double[] SHIFTS = {-0.37, -0.23, -0.13, -0.06, 0.06, 0.13, 0.23, 0.37};
    /** Lags at which the correlation is measured, and how many lags each stands for. */
    private static final int[] LAGS = {1, 2, 4, 8, 16};

    private static final double[] LAG_WEIGHTS = {1, 1.5, 3, 6, 8};
    /** A weaker correlation of the remainder is taken for chance. */
    private static final double WHITE = 0.05;

    private float[] remainder = new float[2 * BUDGET];

    /**
     * The lead in nats of {@code (dx, dy)}; negative when an alternative is better, 0 when nothing can be said.
     *
     * @param known a rival's factor
     */
    private double of(GrayImage from, GrayImage to, Direction direction, int dx, int dy, double known) {
        int rowStep = CrossCorrelation.rowStep(CrossCorrelation.sharedPixels(from, dx, dy), BUDGET);
        double factor = CrossCorrelation.factor(from, to, dx, dy, rowStep);
        if (!(factor > 0)) {
            return 0;
        }
        double rival = Math.max(known, bestRival(from, to, direction, dx, dy, rowStep));
        return lead(from, to, dx, dy, rowStep, factor, rival);
    }

    /**
     * The displacement {@code (dx, dy)} with its factor over all shared pixels, and its evidence: none when there is a
     * doubt.
     *
     * @param rival the factor of another displacement, 0 when none is known
     */
    Measurement measurement(Pair pair, GrayImage from, GrayImage to, int dx, int dy, double rival, Doubt doubt) {
        double factor = CrossCorrelation.factor(from, to, dx, dy, 1);
        if (Double.isNaN(factor)) {
            return Measurement.none(pair, dx, dy);
        }
        double lead = of(from, to, pair.direction(), dx, dy, rival);
        double certainty = doubt.isNone() ? lead : Math.min(0, lead);
        return new Measurement(
                pair, dx, dy, factor, certainty, part(from, to, dx, dy, 1, 0), part(from, to, dx, dy, 0, 1), doubt);
    }

    /** The pixels of {@code from} that count as one where it overlaps with a tile at {@code (dx, dy)}. */
    double textureArea(GrayImage from, int dx, int dy) {
        int rowStep = CrossCorrelation.rowStep(CrossCorrelation.sharedPixels(from, dx, dy), BUDGET);
        int width = from.width() - Math.abs(dx);
        int rows = (from.height() - Math.abs(dy) + rowStep - 1) / rowStep;
        reserve(width * rows);
        int first = Math.max(0, dy) * from.width() + Math.max(0, dx);
        double sum = 0;
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < width; i++) {
                float sample = from.samples()[first + row * rowStep * from.width() + i] & 0xFFFF;
                remainder[row * width + i] = sample;
                sum += sample;
            }
        }
        float mean = (float) (sum / ((double) width * rows));
        for (int i = 0; i < width * rows; i++) {
            remainder[i] -= mean;
        }
        return rowStep * correlationLength(width, rows, 1) * correlationLength(width, rows, width);
    }

    private void reserve(int pixels) {
        if (remainder.length < pixels) {
            remainder = new float[pixels];
        }
    }

    /** The peak of the parabola through the factors here and one pixel to either side; 0 when it has none. */
    private static double part(GrayImage from, GrayImage to, int dx, int dy, int x, int y) {
        int rowStep = CrossCorrelation.rowStep(CrossCorrelation.sharedPixels(from, dx, dy), BUDGET);
        double before = CrossCorrelation.factor(from, to, dx - x, dy - y, rowStep);
        double here = CrossCorrelation.factor(from, to, dx, dy, rowStep);
        double after = CrossCorrelation.factor(from, to, dx + x, dy + y, rowStep);
        double bend = before - 2 * here + after;
        return bend < 0 ? Math.clamp((before - after) / (2 * bend), -0.5, 0.5) : 0;
    }

    /** The lead in nats of {@code (dx, dy)} over one other displacement. */
    double over(GrayImage from, GrayImage to, int dx, int dy, int otherDx, int otherDy) {
        int rowStep = CrossCorrelation.rowStep(CrossCorrelation.sharedPixels(from, dx, dy), BUDGET);
        double factor = CrossCorrelation.factor(from, to, dx, dy, rowStep);
        double rival = CrossCorrelation.factor(from, to, otherDx, otherDy, rowStep);
        return factor > 0 ? lead(from, to, dx, dy, rowStep, factor, rival) : 0;
    }

    private double bestRival(GrayImage from, GrayImage to, Direction direction, int dx, int dy, int rowStep) {
        double best = 0;
        for (int y = -RING; y <= RING; y += RING) {
            for (int x = -RING; x <= RING; x += RING) {
                if (x != 0 || y != 0) {
                    best = Math.max(best, rival(from, to, dx + x, dy + y, rowStep));
                    best = Math.max(best, rival(from, to, dx + 2 * x, dy + 2 * y, rowStep));
                }
            }
        }
        boolean west = direction == Direction.WEST;
        int seam = west ? from.height() : from.width();
        int depth = west ? from.width() - Math.abs(dx) : from.height() - Math.abs(dy);
        for (int i = 0; i < SHIFTS.length; i++) {
            int along = (int) Math.round(SHIFTS[i] * seam);
            int across = (i % 3 - 1) * depth / 4;
            int x = west ? across : along;
            int y = west ? along : across;
            if (Math.abs(x) > RING || Math.abs(y) > RING) {
                best = Math.max(best, rival(from, to, dx + x, dy + y, rowStep));
            }
        }
        return best;
    }

    /** A rival's factor; 0 when it is undefined. */
    private static double rival(GrayImage from, GrayImage to, int dx, int dy, int rowStep) {
        double factor = CrossCorrelation.factor(from, to, dx, dy, rowStep);
        return factor > 0 ? factor : 0;
    }

    private double lead(GrayImage from, GrayImage to, int dx, int dy, int rowStep, double factor, double rival) {
        int width = from.width() - Math.abs(dx);
        int rows = (from.height() - Math.abs(dy) + rowStep - 1) / rowStep;
        // Equal pixels would make the lead infinite: no factor above 1 - 10^-6 is distinguished from 1.
        double unexplained = Math.max(1e-6, 1 - factor * factor);
        double rivals = Math.max(1e-6, 1 - Math.max(0, rival) * Math.max(0, rival));
        subtractFit(from, to, dx, dy, rowStep);
        flatten(width, rows, width, 1);
        flatten(width, rows, rows, width);
        double area = correlationLength(width, rows, 1) * correlationLength(width, rows, width);
        return 0.5 * width * rows / area * Math.log(rivals / unexplained);
    }

    /** Leaves the part of the second tile that the first one, times a gain, plus an offset, does not explain. */
    private void subtractFit(GrayImage from, GrayImage to, int dx, int dy, int rowStep) {
        int width = from.width() - Math.abs(dx);
        int rows = (from.height() - Math.abs(dy) + rowStep - 1) / rowStep;
        reserve(width * rows);
        int first = Math.max(0, dy) * from.width() + Math.max(0, dx);
        int second = Math.max(0, -dy) * from.width() + Math.max(0, -dx);
        short[] a = from.samples();
        short[] b = to.samples();
        double sumA = 0;
        double sumB = 0;
        double sumAa = 0;
        double sumAb = 0;
        for (int row = 0; row < rows; row++) {
            int offset = row * rowStep * from.width();
            for (int i = 0; i < width; i++) {
                double valueA = a[first + offset + i] & 0xFFFF;
                double valueB = b[second + offset + i] & 0xFFFF;
                sumA += valueA;
                sumB += valueB;
                sumAa += valueA * valueA;
                sumAb += valueA * valueB;
            }
        }
        double n = (double) width * rows;
        double gain = (sumAb - sumA * sumB / n) / (sumAa - sumA * sumA / n);
        double offsetB = (sumB - gain * sumA) / n;
        for (int row = 0; row < rows; row++) {
            int offset = row * rowStep * from.width();
            for (int i = 0; i < width; i++) {
                double fitted = gain * (a[first + offset + i] & 0xFFFF) + offsetB;
                remainder[row * width + i] = (float) ((b[second + offset + i] & 0xFFFF) - fitted);
            }
        }
    }

    /**
     * Takes the best parabola along x ({@code stride} 1, {@code extent} width) or y out of the remainder: tiles overlap
     * where a lens darkens them differently, and that is no sign of a wrong displacement.
     */
    private void flatten(int width, int rows, int extent, int stride) {
        double middle = (extent - 1) / 2.0;
        double meanSquare = (extent * (double) extent - 1) / 12;
        double slope = 0;
        double slopeNorm = 0;
        double bend = 0;
        double bendNorm = 0;
        int across = stride == 1 ? width : 1;
        int others = stride == 1 ? rows : width;
        for (int at = 0; at < extent; at++) {
            double sum = 0;
            for (int i = 0; i < others; i++) {
                sum += remainder[at * stride + i * across];
            }
            double t = at - middle;
            double square = t * t - meanSquare;
            slope += t * sum;
            slopeNorm += t * t * others;
            bend += square * sum;
            bendNorm += square * square * others;
        }
        double linear = slopeNorm > 0 ? slope / slopeNorm : 0;
        double quadratic = bendNorm > 0 ? bend / bendNorm : 0;
        for (int at = 0; at < extent; at++) {
            double t = at - middle;
            float trend = (float) (linear * t + quadratic * (t * t - meanSquare));
            for (int i = 0; i < others; i++) {
                remainder[at * stride + i * across] -= trend;
            }
        }
    }

    /**
     * One plus twice the sum of the remainder's correlations along x ({@code stride} 1) or y ({@code stride} width).
     */
    private double correlationLength(int width, int rows, int stride) {
        double power = lagged(width, rows, stride, 0);
        double length = 1;
        int extent = stride == 1 ? width : rows;
        for (int i = 0; i < LAGS.length && 2 * LAGS[i] < extent; i++) {
            double correlation = power > 0 ? lagged(width, rows, stride, LAGS[i]) / power : 0;
            if (correlation < WHITE) {
                break;
            }
            length += 2 * LAG_WEIGHTS[i] * correlation;
        }
        return length;
    }

    /** The mean product of the remainder with itself, {@code lag} pixels on. */
    private double lagged(int width, int rows, int stride, int lag) {
        int columns = stride == 1 ? width - lag : width;
        int lines = stride == 1 ? rows : rows - lag;
        double sum = 0;
        for (int row = 0; row < lines; row++) {
            for (int i = row * width; i < row * width + columns; i++) {
                sum += remainder[i] * remainder[i + lag * stride];
            }
        }
        return sum / ((double) columns * lines);
    }
}

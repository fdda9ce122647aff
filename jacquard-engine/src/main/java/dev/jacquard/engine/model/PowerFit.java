package dev.jacquard.engine.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A time as a function of the size: {@code a · n^b + c}, with n in bytes and the time in nanoseconds. Immutable.
 *
 * <p>The fit is robust: it minimises Huber's loss of the relative residuals, quadratic below 5 % and linear above, so
 * one size class that does not fit has little weight.
 *
 * @param a the time per n^b, 0 or more
 * @param b the exponent, {@value #LEAST_EXPONENT} to {@value #MOST_EXPONENT}
 * @param c the time for any size, 0 or more
 */
public record PowerFit(double a, double b, double c) {
    /** The least number of size classes that have to agree. */
    static final int LEAST_CLASSES = 4;

    private static final double LEAST_EXPONENT = 0.05;
    private static final double MOST_EXPONENT = 4;
    private static final double STEP = 0.1;
    /** The steps of the golden section: the exponent is exact to some 1e-6. */
    private static final int REFINEMENTS = 25;
    /** The steps of reweighted least squares for one exponent. */
    private static final int REWEIGHTINGS = 12;
    /** The relative residual from which on the loss is linear. */
    private static final double HUBER = 0.05;
    /** A size class agrees if the fit is at most this part off its time. */
    private static final double AGREES = 0.2;

    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    /**
     * Returns the fit through the times of size classes; null unless at least 4 of them, and three quarters of all, are
     * within 20 % of the fit.
     *
     * @param sizes the mean size of each class in bytes, in any order; sizes that are not above 0 are left out
     * @param nanos the time of each class; times that are not above 0 are left out
     */
    public static @Nullable PowerFit of(double[] sizes, double[] nanos) {
        if (sizes.length != nanos.length) {
            throw new IllegalArgumentException(
                    "each size has a time, and there are " + sizes.length + " sizes and " + nanos.length + " times");
        }
        int points = 0;
        double[] n = new double[sizes.length];
        double[] t = new double[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            if (sizes[i] > 0 && nanos[i] > 0) {
                n[points] = sizes[i];
                t[points++] = nanos[i];
            }
        }
        if (points < LEAST_CLASSES) {
            return null;
        }
        double scale = Arrays.stream(n, 0, points).max().orElseThrow();
        Search search = new Search(new double[points], Arrays.copyOf(t, points));
        for (int i = 0; i < points; i++) {
            search.x[i] = n[i] / scale;
        }
        PowerFit best = search.best();
        int agree = search.agreeing(best);
        return agree < LEAST_CLASSES || 4 * agree < 3 * points
                ? null
                : new PowerFit(best.a / Math.pow(scale, best.b), best.b, best.c);
    }

    /** Returns the time in nanoseconds for a size in bytes, 0 or more. */
    public double nanos(double size) {
        return a * Math.pow(size, b) + c;
    }

    /**
     * The search for the best fit: over the exponents, for each of which a and c are a linear problem.
     *
     * @param x the sizes, as parts of the largest
     * @param t the times
     */
    private record Search(double[] x, double[] t) {
        PowerFit best() {
            double best = LEAST_EXPONENT;
            double least = Double.POSITIVE_INFINITY;
            for (double b = LEAST_EXPONENT; b <= MOST_EXPONENT; b += STEP) {
                double loss = loss(linear(b));
                if (loss < least) {
                    least = loss;
                    best = b;
                }
            }
            return refined(Math.max(LEAST_EXPONENT, best - STEP), Math.min(MOST_EXPONENT, best + STEP));
        }

        /** Returns the best fit with an exponent between the two, by golden section. */
        private PowerFit refined(double from, double to) {
            double low = from;
            double high = to;
            for (int i = 0; i < REFINEMENTS; i++) {
                double width = GOLDEN * (high - low);
                if (loss(linear(high - width)) <= loss(linear(low + width))) {
                    high = low + width;
                } else {
                    low = high - width;
                }
            }
            return linear((low + high) / 2);
        }

        /** Returns the best fit with that exponent: least squares, reweighted. */
        private PowerFit linear(double b) {
            double[] weights = new double[x.length];
            double[] powers = new double[x.length];
            for (int i = 0; i < x.length; i++) {
                powers[i] = Math.pow(x[i], b);
                weights[i] = 1;
            }
            PowerFit fit = squares(b, powers, weights);
            for (int step = 1; step < REWEIGHTINGS; step++) {
                for (int i = 0; i < x.length; i++) {
                    weights[i] = 1 / Math.max(HUBER, Math.abs(residual(fit, i)));
                }
                fit = squares(b, powers, weights);
            }
            return fit;
        }

        /** Returns the weighted least squares of the relative residuals, with a and c that are 0 or more. */
        private PowerFit squares(double b, double[] powers, double[] weights) {
            double uu = 0;
            double uv = 0;
            double vv = 0;
            double u = 0;
            double v = 0;
            for (int i = 0; i < t.length; i++) {
                double ui = powers[i] / t[i];
                double vi = 1 / t[i];
                uu += weights[i] * ui * ui;
                uv += weights[i] * ui * vi;
                vv += weights[i] * vi * vi;
                u += weights[i] * ui;
                v += weights[i] * vi;
            }
            double determinant = uu * vv - uv * uv;
            double a = determinant > 0 ? (u * vv - v * uv) / determinant : -1;
            double c = determinant > 0 ? (v * uu - u * uv) / determinant : v / vv;
            if (a < 0) {
                return new PowerFit(0, b, v / vv);
            }
            return c < 0 ? new PowerFit(u / uu, b, 0) : new PowerFit(a, b, c);
        }

        private double residual(PowerFit fit, int i) {
            return fit.nanos(x[i]) / t[i] - 1;
        }

        private double loss(PowerFit fit) {
            double loss = 0;
            for (int i = 0; i < t.length; i++) {
                double off = Math.abs(residual(fit, i));
                loss += off <= HUBER ? off * off / 2 : HUBER * (off - HUBER / 2);
            }
            return loss;
        }

        int agreeing(PowerFit fit) {
            int agree = 0;
            for (int i = 0; i < t.length; i++) {
                agree += Math.abs(residual(fit, i)) <= AGREES ? 1 : 0;
            }
            return agree;
        }
    }
}

package dev.jacquard.expressions.time;

import java.util.function.IntToDoubleFunction;

/**
 * The eigenvalues of a small matrix, and the longest step that they allow. Immutable.
 *
 * <p>A disturbance that does not grow by the model must not grow by the method. One that grows by the model may grow by
 * the method no faster than {@value #FASTER} times the fastest of the model. So may each disturbance up to
 * {@value #SMALL} times the fastest one: a stable step follows it closely, and its growth by the method is an error of
 * a share of its magnitude, as are others. Disturbances so slow that a step changes them by little are passed over.
 */
final class Spectrum {
    private static final double FASTER = 1.5;
    /** The magnitude of real parts that are 0, and of slow eigenvalues, by that of the largest. */
    private static final double NEUTRAL = 1e-6;

    /** The magnitude of an eigenvalue with a growth by the method that is compared with the growth of the model. */
    private static final double SMALL = 0.1;

    private static final double SLOW = 1e-3;
    private static final double SLOW_GROWTH = 0.02;

    private final double[] re;
    private final double[] im;
    private final double little;
    private final double radius;
    private final double growth;
    private final int fastest;
    private final double step;
    private final int critical;

    /**
     * Looks at eigenvalues.
     *
     * @param little eigenvalues that are no larger count as 0: the eigenvalues of fields that drive each other in one
     *     direction alone are the roots of rounding errors
     * @param errors returns the error of the eigenvalue with a number; asked for small ones alone
     */
    Spectrum(double[][] values, StabilityRegion region, double little, IntToDoubleFunction errors) {
        this.little = little;
        re = values[0];
        im = values[1];
        double largest = 0;
        int most = 0;
        for (int i = 0; i < re.length; i++) {
            largest = Math.max(largest, Math.hypot(re[i], im[i]));
            most = re[i] > re[most] ? i : most;
        }
        radius = largest;
        fastest = most;
        growth = largest > little ? Math.max(0, re[most]) : 0;
        double least = Double.POSITIVE_INFINITY;
        int decisive = -1;
        for (int i = 0; i < re.length; i++) {
            double its = step(i, region, errors);
            if (its < least) {
                least = its;
                decisive = i;
            }
        }
        step = least;
        critical = decisive;
    }

    private double step(int i, StabilityRegion region, IntToDoubleFunction errors) {
        double size = Math.hypot(re[i], im[i]);
        boolean grows = re[i] > NEUTRAL * radius;
        if (size <= little || size <= (grows ? SLOW_GROWTH : SLOW) * radius) {
            return Double.POSITIVE_INFINITY;
        }
        double real = Math.abs(re[i]) <= NEUTRAL * radius ? 0 : re[i];
        boolean isSmall = size <= SMALL * radius;
        double most = FASTER * (grows || isSmall ? growth : 0) + (isSmall ? errors.applyAsDouble(i) : 0);
        return most > 0 ? region.growingStep(real, im[i], most) : region.step(real, im[i]);
    }

    /** Returns the magnitude of the largest eigenvalue. */
    double radius() {
        return radius;
    }

    /** Returns the largest real part, 0 at least. */
    double growth() {
        return growth;
    }

    /** Returns the largest imaginary part. */
    double swing() {
        double most = 0;
        for (double its : im) {
            most = Math.max(most, Math.abs(its));
        }
        return most;
    }

    /** Returns the number of the eigenvalue with the largest real part. */
    int fastest() {
        return fastest;
    }

    /** Returns the longest step; infinity if each is stable. */
    double step() {
        return step;
    }

    /** Returns the number of the eigenvalue that allows no longer step; -1 if none does. */
    int critical() {
        return critical;
    }

    double re(int number) {
        return re[number];
    }

    double im(int number) {
        return im[number];
    }

    double size(int number) {
        return Math.hypot(re[number], im[number]);
    }
}

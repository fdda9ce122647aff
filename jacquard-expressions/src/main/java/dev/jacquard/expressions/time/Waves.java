package dev.jacquard.expressions.time;

import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Value.Element;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes of waves by a rate with given derivatives: {@code exp(i θ·x)} changes at the rate {@code λ = Σ a·exp(i
 * θ·d)}, summed over the distances d. Confined to one thread.
 */
final class Waves {
    /** The phases from one cell to the next along an axis: what swings fastest, and what decays fastest. */
    private static final double[] PHASES = {0, Math.PI / 2, -Math.PI / 2, 2 * Math.PI / 3, -2 * Math.PI / 3, Math.PI};

    /** Rounding errors are smaller than this, of the size of a sum. */
    private static final double ROUNDING = 1e-9;

    private final StabilityRegion region;
    private final boolean isEuler;
    private final int dimensions;
    private final List<Element> distances;
    /** The real and imaginary parts of {@code exp(i θ·d)} for each wave, by distance. */
    private final List<double[]> cosines = new ArrayList<>();

    private final List<double[]> sines = new ArrayList<>();

    /** True if the last that had no step had waves that grow by themselves. */
    private boolean grows;

    Waves(int order, int dimensions, List<Element> distances) {
        this.region = new StabilityRegion(order);
        this.isEuler = order == 1;
        this.dimensions = dimensions;
        this.distances = distances;
        int count = (int) Math.pow(PHASES.length, dimensions);
        for (int wave = 0; wave < count; wave++) {
            double[] cosine = new double[distances.size()];
            double[] sine = new double[distances.size()];
            for (int i = 0; i < cosine.length; i++) {
                double phase = 0;
                int rest = wave;
                for (int axis = 0; axis < dimensions; axis++, rest /= PHASES.length) {
                    phase += PHASES[rest % PHASES.length] * distances.get(i).distance(axis);
                }
                cosine[i] = Math.cos(phase);
                sine[i] = Math.sin(phase);
            }
            cosines.add(cosine);
            sines.add(sine);
        }
    }

    /**
     * Returns the longest step that lets no wave grow; 0 or less if there is none. What grows everywhere alike, as in a
     * reaction, may.
     *
     * @param derivatives by the values at the distances
     * @param others the sum of the sizes of the derivatives by other fields
     */
    double step(double[] derivatives, double others) {
        double growth = 0;
        double size = others;
        for (double a : derivatives) {
            growth += a;
            size += Math.abs(a);
        }
        grows = false;
        if (size == 0) {
            return Double.POSITIVE_INFINITY;
        }
        if (!Double.isFinite(size)) {
            return 0;
        }
        double all = Math.max(0, growth);
        double least = isEuler ? longWaves(derivatives, growth) : Double.POSITIVE_INFINITY;
        for (int wave = 0; wave < cosines.size(); wave++) {
            double[] cosine = cosines.get(wave);
            double[] sine = sines.get(wave);
            double re = -all;
            double im = 0;
            for (int i = 0; i < derivatives.length; i++) {
                re += derivatives[i] * cosine[i];
                im += derivatives[i] * sine[i];
            }
            if (re > ROUNDING * size) {
                grows = true;
                return 0;
            }
            im = Math.abs(im) < ROUNDING * size ? 0 : Math.abs(im);
            re = Math.abs(re) < ROUNDING * size ? 0 : re;
            least = Math.min(least, region.step(re, im));
            if (others > 0) {
                least = Math.min(least, region.step(re - others, im));
                least = Math.min(least, region.step(re, im + others));
            }
        }
        return least;
    }

    /**
     * Returns the limit of Euler's longest step for ever longer waves, whose rate is {@code i b·θ − θ·Mθ/2}: they decay
     * ever less, and swing. It is {@code 1/(b·M⁻¹b)}, or infinity where all waves decay, or none swings.
     */
    private double longWaves(double[] derivatives, double growth) {
        double[] b = new double[dimensions];
        double[][] m = new double[dimensions][dimensions];
        double size = 0;
        for (int i = 0; i < derivatives.length; i++) {
            size += Math.abs(derivatives[i]);
            for (int p = 0; p < dimensions; p++) {
                b[p] += derivatives[i] * distances.get(i).distance(p);
                for (int q = 0; q < dimensions; q++) {
                    m[p][q] += derivatives[i]
                            * distances.get(i).distance(p)
                            * distances.get(i).distance(q);
                }
            }
        }
        double swing = 0;
        for (int p = 0; p < dimensions; p++) {
            b[p] = Math.abs(b[p]) < ROUNDING * size ? 0 : b[p];
            swing += Math.abs(b[p]);
        }
        if (growth < -ROUNDING * size || swing == 0) {
            return Double.POSITIVE_INFINITY;
        }
        double[] solved = solve(m, b, ROUNDING * size);
        if (solved == null) {
            return 0; // along some axis waves swing and do not decay
        }
        double product = 0;
        for (int p = 0; p < dimensions; p++) {
            product += b[p] * solved[p];
        }
        return product > 0 ? 1 / product : 0;
    }

    /** Solves {@code m·x = b} by elimination; null if that has no solution. Components without b may be free. */
    private static double @Nullable [] solve(double[][] m, double[] b, double tiny) {
        int count = b.length;
        double[] x = b.clone();
        for (int p = 0; p < count; p++) {
            if (m[p][p] <= tiny) {
                if (x[p] != 0) {
                    return null;
                }
                continue;
            }
            for (int q = 0; q < count; q++) {
                if (q != p) {
                    double factor = m[q][p] / m[p][p];
                    for (int r = 0; r < count; r++) {
                        m[q][r] -= factor * m[p][r];
                    }
                    x[q] -= factor * x[p];
                }
            }
        }
        for (int p = 0; p < count; p++) {
            x[p] = m[p][p] <= tiny ? 0 : x[p] / m[p][p];
        }
        return x;
    }

    /** Returns the reason why the last derivatives have no step. */
    String reason(Tag<?> unknown, @Nullable Tag<?> rate, int x, int y, int z) {
        String where = " in cell [" + x + ", " + y + ", " + z + "]";
        return grows
                ? "no step is stable: \"" + rate + "\" lets short waves of \"" + unknown + "\" grow" + where
                        + ", as a negative diffusivity does"
                : "no step of this method is stable: \"" + rate + "\" lets waves of \"" + unknown
                        + "\" swing without decay" + where
                        + ", or has no finite derivative; for convection alone take Ssp.order(3)";
    }
}

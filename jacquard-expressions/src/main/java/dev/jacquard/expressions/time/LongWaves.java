package dev.jacquard.expressions.time;

import dev.jacquard.expressions.loop.Value.Element;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Euler's longest step for waves of many cells, whose rate is nearly {@code -r + i b·θ − θ·Mθ/2}: they decay little,
 * and swing. Immutable.
 *
 * <p>Without {@code r} the longest waves count. A decay {@code r}, however small, makes these stable, and moves the
 * least step to waves of some cells or of thousands: along {@code θ = t·M⁻¹b}, where they swing most beside their
 * decay, it is searched for.
 */
final class LongWaves {
    /** The waves that are looked at, each longer than the one before by a factor: down to a phase of 3e-6. */
    private static final int LOOKS = 41;

    private static final double FACTOR = Math.sqrt(0.5);
    /** Rounds of the search around the least of them, along each axis. */
    private static final int ROUNDS = 24;

    private final int dimensions;
    private final List<Element> distances;
    /** The size of rounding errors, of that of a sum. */
    private final double rounding;
    /** True if two cells or more are between some along an axis. */
    private final boolean reachesFar;

    LongWaves(int dimensions, List<Element> distances, double rounding) {
        this.dimensions = dimensions;
        this.distances = distances;
        this.rounding = rounding;
        this.reachesFar = distances.stream()
                .anyMatch(one -> IntStream.range(0, dimensions).anyMatch(axis -> Math.abs(one.distance(axis)) > 1));
    }

    /**
     * Returns the limit for ever longer waves, {@code 1/(b·M⁻¹b)}, or infinity where all waves decay, or none swings.
     *
     * @param even the derivatives by which waves grow or decay
     * @param derivatives those by which they swing
     */
    double limit(double[] even, double[] derivatives) {
        double[] b = swing(derivatives);
        return b == null || decays(even, derivatives) ? Double.POSITIVE_INFINITY : limit(b, even, derivatives);
    }

    /**
     * Returns the least step for waves that all decay, as far as it is below {@code others}, or infinity; not below
     * what it would be without the decay that all have.
     *
     * @param others the step that shorter waves allow
     * @param enough a step that is as good as any longer one
     */
    double decaying(double[] even, double[] derivatives, double others, double enough) {
        double[] b = swing(derivatives);
        if (b == null || !decays(even, derivatives)) {
            return Double.POSITIVE_INFINITY;
        }
        double without = Math.min(others, limit(b, even, derivatives));
        if (without >= enough) {
            return without;
        }
        double[] along = direction(b, even, derivatives);
        double most = 0;
        for (double one : along == null ? b : along) {
            most = Math.max(most, Math.abs(one));
        }
        return Math.max(without, least(along == null ? b : along, Math.PI / most, even, derivatives));
    }

    /** Returns {@code b}; null if no wave swings. */
    private double @Nullable [] swing(double[] derivatives) {
        double[] b = new double[dimensions];
        for (int i = 0; i < derivatives.length; i++) {
            for (int p = 0; p < dimensions; p++) {
                b[p] += derivatives[i] * distances.get(i).distance(p);
            }
        }
        boolean any = false;
        for (int p = 0; p < dimensions; p++) {
            b[p] = Math.abs(b[p]) < rounding * Waves.size(derivatives) ? 0 : b[p];
            any |= b[p] != 0;
        }
        return any ? b : null;
    }

    private boolean decays(double[] even, double[] derivatives) {
        double growth = 0;
        for (double one : even) {
            growth += one;
        }
        return growth < -rounding * Waves.size(derivatives);
    }

    private double limit(double[] b, double[] even, double[] derivatives) {
        double[] solved = direction(b, even, derivatives);
        if (solved == null && reachesFar) { // they may grow, see Waves.grow: the method may add as much again
            double[] opposite = even.clone();
            Arrays.setAll(opposite, i -> -even[i]);
            solved = direction(b, opposite, derivatives);
        }
        if (solved == null) {
            return 0; // along some axis waves swing and do not decay
        }
        double product = 0;
        for (int p = 0; p < dimensions; p++) {
            product += b[p] * solved[p];
        }
        return product > 0 ? 1 / product : 0;
    }

    /** Returns {@code M⁻¹b}; null if there is none. */
    private double @Nullable [] direction(double[] b, double[] even, double[] derivatives) {
        double[][] m = new double[dimensions][dimensions];
        for (int i = 0; i < even.length; i++) {
            Element distance = distances.get(i);
            for (int p = 0; p < dimensions; p++) {
                for (int q = 0; q < dimensions; q++) {
                    m[p][q] += even[i] * distance.distance(p) * distance.distance(q);
                }
            }
        }
        return solve(m, b, rounding * Waves.size(derivatives));
    }

    /** Solves {@code m·x = b} by elimination; null if that has no solution. Components without b may be free. */
    private static double @Nullable [] solve(double[][] m, double[] b, double tiny) {
        int count = b.length;
        double[] x = b.clone();
        for (int p = 0; p < count; p++) {
            if (m[p][p] <= tiny) {
                if (Math.abs(x[p]) > tiny) {
                    return null;
                }
                x[p] = 0;
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

    // ---- the search

    /** Returns the least step of the waves {@code t·along}, for t up to {@code most}, and of those around the least. */
    private double least(double[] along, double most, double[] even, double[] derivatives) {
        double[] wave = new double[dimensions];
        double[] at = new double[dimensions];
        double best = Double.POSITIVE_INFINITY;
        double width = 0;
        double t = most;
        for (int look = 0; look < LOOKS; look++) {
            for (int p = 0; p < dimensions; p++) {
                wave[p] = t * along[p];
            }
            double step = step(wave, even, derivatives);
            if (step < best) {
                best = step;
                System.arraycopy(wave, 0, at, 0, dimensions);
                width = t * Math.PI / (4 * most);
            }
            t *= FACTOR;
        }
        for (int round = 0; round < ROUNDS; round++) {
            double before = best;
            for (int p = 0; p < dimensions; p++) {
                for (int side = -1; side <= 1; side += 2) {
                    double old = at[p];
                    at[p] = old + side * width;
                    double step = step(at, even, derivatives);
                    if (step < best) {
                        best = step;
                    } else {
                        at[p] = old;
                    }
                }
            }
            width *= best < before ? 1 : 0.5;
        }
        return best;
    }

    /** Returns Euler's longest step for a wave, {@code −2 re/(re² + im²)}; infinity for one that does not decay. */
    private double step(double[] wave, double[] even, double[] derivatives) {
        double re = 0;
        double im = 0;
        for (int i = 0; i < even.length; i++) {
            double phase = 0;
            for (int p = 0; p < dimensions; p++) {
                phase += wave[p] * distances.get(i).distance(p);
            }
            re += even[i] * Math.cos(phase);
            im += derivatives[i] * Math.sin(phase);
        }
        return re < 0 ? -2 * re / (re * re + im * im) : Double.POSITIVE_INFINITY; // others look at what grows
    }
}

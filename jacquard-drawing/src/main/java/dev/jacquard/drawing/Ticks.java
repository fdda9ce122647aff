package dev.jacquard.drawing;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The marks of a scale from one number to another: both ends, and round numbers between them.
 *
 * <p>Threads: immutable.
 */
public final class Ticks {
    private static final int LEAST_DIGITS = 3;
    private static final int MOST_DIGITS = 17;
    /** Decimal exponents of numbers that are written without a power of ten. */
    private static final int LOWEST = -3;

    private static final int HIGHEST = 4;

    /**
     * A mark.
     *
     * @param share the place on the scale, from 0 at the low end to 1 at the high end
     * @param text the number, with as many digits as tell it from other numbers of the scale
     */
    public record Tick(double share, String text) {}

    private Ticks() {}

    /**
     * Returns the marks of a scale in ascending order. A scale of one number has one mark, in the middle.
     *
     * @param low finite
     * @param high finite, at least {@code low}
     * @param apart the least distance of two marks, as a share of the scale
     */
    public static List<Tick> of(double low, double high, double apart) {
        double half = high / 2 - low / 2; // halves do not overflow
        if (!(half > 0)) {
            return List.of(new Tick(0.5, text(low, Math.abs(low) / 2_000)));
        }
        List<Tick> ticks = new ArrayList<>();
        ticks.add(new Tick(0, text(low, half / 50)));
        double step = step(half, apart);
        for (double count = Math.floor(low / step) + 1; count * step < high; count++) {
            double share = (count * step / 2 - low / 2) / half;
            if (share >= apart && share <= 1 - apart) {
                ticks.add(new Tick(share, text(count * step, step / 100)));
            }
            if (count + 1 == count) {
                break; // a scale of few neighbouring numbers far from 0
            }
        }
        ticks.add(new Tick(1, text(high, half / 50)));
        return ticks;
    }

    /** Returns 1, 2 or 5 times a power of ten, the least that keeps marks apart. */
    private static double step(double half, double apart) {
        double least = 2 * apart * half;
        if (!(least > Double.MIN_NORMAL) || least == Double.POSITIVE_INFINITY) {
            return Double.POSITIVE_INFINITY; // no marks but the ends
        }
        BigDecimal power = BigDecimal.ONE.scaleByPowerOfTen((int) Math.floor(Math.log10(least)));
        for (int factor : new int[] {1, 2, 5}) {
            double step = power.multiply(BigDecimal.valueOf(factor)).doubleValue();
            if (step >= least) {
                return step;
            }
        }
        return power.scaleByPowerOfTen(1).doubleValue();
    }

    /**
     * Returns a number in the fewest digits, three at least, that are at most {@code error} away from it; zeros at the
     * end are left out. Very large and small numbers have a power of ten: "1.5e-7".
     */
    public static String text(double value, double error) {
        if (!Double.isFinite(value) || value == 0) {
            return value == 0 ? "0" : Double.isNaN(value) ? "NaN" : value < 0 ? "-∞" : "∞";
        }
        BigDecimal exact = new BigDecimal(value);
        BigDecimal rounded = exact;
        for (int digits = LEAST_DIGITS; digits <= MOST_DIGITS; digits++) {
            rounded = exact.round(new MathContext(digits));
            double its = rounded.doubleValue();
            if (Math.abs(its - value) <= error || its == value) {
                break;
            }
        }
        BigDecimal shortest = rounded.stripTrailingZeros();
        int exponent = shortest.precision() - shortest.scale() - 1;
        return exponent >= LOWEST && exponent <= HIGHEST
                ? shortest.toPlainString()
                : String.format(
                        Locale.ROOT, "%se%d", shortest.movePointLeft(exponent).toPlainString(), exponent);
    }
}

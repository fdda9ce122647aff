package dev.jacquard.expressions.language;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * A number with {@value #FRACTION} bits after the point. {@link java.math.BigDecimal} has such numbers, too, but its
 * class computes long tables when it is first used, which is a tenth of the time that a model takes in a fresh JVM.
 *
 * @param units the number times 2 to the power of the bits
 */
record FixedPoint(BigInteger units) {
    static final int FRACTION = 320;

    private static final int MANTISSA = 52;

    /** Returns a number that is written with a point. */
    static FixedPoint of(String decimal) {
        int digits = decimal.length() - 1 - decimal.indexOf('.');
        BigInteger whole = new BigInteger(decimal.replace(".", ""));
        return new FixedPoint(whole.shiftLeft(FRACTION).divide(BigInteger.TEN.pow(digits)));
    }

    /** Returns {@code numerator / (factor · this)}. */
    FixedPoint divides(int numerator, int factor) {
        return new FixedPoint(BigInteger.valueOf(numerator)
                .shiftLeft(2 * FRACTION)
                .divide(units.multiply(BigInteger.valueOf(factor))));
    }

    /** Returns the nearest double. */
    double nearest() {
        return Math.scalb(units.doubleValue(), -FRACTION);
    }

    /**
     * Returns numbers of {@code bits} bits each, but the last one; their sum is as near to this as it can be.
     *
     * @param single if they are floats
     */
    List<Double> parts(int bits, int count, boolean single) {
        List<Double> parts = new ArrayList<>();
        FixedPoint rest = this;
        for (int i = 0; i < count; i++) {
            double part = i < count - 1 ? rest.leading(bits) : rest.nearest();
            double kept = single ? (double) (float) part : part;
            parts.add(kept);
            rest = new FixedPoint(rest.units.subtract(unitsOf(kept)));
        }
        return parts;
    }

    /** Returns the first bits, without the bits that follow. */
    private double leading(int bits) {
        if (units.signum() == 0) {
            return 0;
        }
        int exponent = Math.getExponent(nearest()) - bits + 1;
        BigInteger unit = BigInteger.ONE.shiftLeft(FRACTION + exponent);
        return Math.scalb(units.divide(unit).doubleValue(), exponent);
    }

    private static BigInteger unitsOf(double number) {
        int exponent = Math.getExponent(number) - MANTISSA;
        return BigInteger.valueOf((long) Math.scalb(number, -exponent)).shiftLeft(FRACTION + exponent);
    }
}

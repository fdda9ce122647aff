package dev.jacquard.expressions.language;

import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import java.util.List;

/**
 * Powers as simple operations: 2 to the power of y times the binary logarithm of x, which has half as many digits
 * again.
 *
 * <p>Source: the algorithm is that of Sun's fdlibm.
 */
final class Powers extends Arithmetic {
    /** The binary logarithm of 1.5. */
    private static final FixedPoint LOG_3_HALVES =
            FixedPoint.of("0.58496250072115618145373894394781650875981440769248106045575265454109822779435856252229");

    Powers(BodyBuilder builder) {
        super(builder);
    }

    /** Returns x to a power, with the special cases of {@link Math#pow}. */
    Value pow(Value x, Value y) {
        Double exponent = b.constantOf(y);
        if (exponent != null && exponent >= -1 && exponent <= 3 && exponent == Math.rint(exponent)) {
            return power(x, exponent.intValue());
        }
        Value size = b.apply(Operator.ABS, x);
        Value result = powerOfPositive(size, y);
        // An integer is odd if its half is none; from 2 to the power of the mantissa's bits on, all are even.
        Value isInteger = equal(roundedTowardsEven(y), y);
        Value isOdd = and(isInteger, not(equal(roundedTowardsEven(mul(y, c(0.5))), mul(y, c(0.5)))));
        Value sign = integers(Operator.AND_BITS, bits(x), b.integer(single ? Integer.MIN_VALUE : Long.MIN_VALUE));
        Value isNegative = less(real(integers(Operator.OR_BITS, sign, bits(c(1)))), c(0));
        Value signed = select(and(isNegative, isOdd), neg(result), result);
        Value isRefused = and(and(less(x, c(0)), not(isInteger)), less(size, c(Double.POSITIVE_INFINITY)));
        Value finite = select(isRefused, c(Double.NaN), signed);
        Value one = c(1);
        Value isEndless = equal(b.apply(Operator.ABS, y), c(Double.POSITIVE_INFINITY));
        Value ofOne = select(and(isEndless, equal(size, one)), c(Double.NaN), finite);
        Value isNone = not(and(equal(x, x), equal(y, y)));
        return select(equal(y, c(0)), one, select(isNone, c(Double.NaN), ofOne));
    }

    /** Returns a power that takes so few products that it is near enough. */
    private Value power(Value x, int n) {
        return switch (n) {
            case -1 -> div(c(1), x);
            case 0 -> c(1);
            case 1 -> x;
            case 2 -> mul(x, x);
            default -> mul(mul(x, x), x);
        };
    }

    /** Returns y rounded to an integer, as is a number so large that it is one; NaN stays. */
    private Value roundedTowardsEven(Value y) {
        Value limit = c(Math.scalb(1.0, mantissa));
        Value size = b.apply(Operator.ABS, y);
        Value rounded = sub(add(size, limit), limit);
        return select(less(size, limit), select(less(y, c(0)), neg(rounded), rounded), y);
    }

    /**
     * Returns x, which has no sign, to the power y: 2 to the power of y times the binary logarithm, in two parts each.
     */
    private Value powerOfPositive(Value x, Value y) {
        Parts log = log2(x);
        Value yHigh = high(y);
        Value low = add(mul(sub(y, yHigh), log.high), mul(y, log.low));
        Value product = mul(yHigh, log.high);
        Value sum = add(low, product);
        double most = single ? 160 : 1100;
        Value bounded = select(less(sum, c(-most)), c(-most), select(less(c(most), sum), c(most), sum));
        Value turned = add(bounded, c(magic));
        Value n = sub(turned, c(magic));
        Value rest = sub(product, n);
        Value t = high(add(low, rest));
        List<Double> ln2 = parts(LN_2, (mantissa + 1) / 2, 2);
        Value u = mul(t, c(ln2.get(0)));
        Value v = add(mul(sub(low, sub(t, rest)), c(LN_2.nearest())), mul(t, c(ln2.get(1))));
        Value z = add(u, v);
        Value w = sub(v, sub(z, u));
        Value square = mul(z, z);
        Value t1 = sub(
                z,
                mul(
                        square,
                        polynomial(
                                square,
                                0.16666666666666602,
                                -0.0027777777777015593,
                                6.613756321437934e-05,
                                -1.6533902205465252e-06,
                                4.1381367970572385e-08)));
        Value r = sub(div(mul(z, t1), sub(t1, c(2))), add(w, mul(z, w)));
        Value result = scaled(sub(c(1), sub(r, z)), subtract(bits(turned), bits(c(magic))));
        Value zero = c(0);
        Value endless = c(Double.POSITIVE_INFINITY);
        Value inside = select(less(c(most - 1), sum), endless, select(less(sum, c(1 - most)), zero, result));
        Value isRising = less(zero, y);
        Value ofZero = select(isRising, zero, endless);
        Value ofEndless = select(isRising, endless, zero);
        return select(equal(x, zero), ofZero, select(equal(x, endless), ofEndless, ofEndlessPower(x, y, inside)));
    }

    private Value ofEndlessPower(Value x, Value y, Value finite) {
        Value grows = equalConditions(less(c(1), x), less(c(0), y));
        Value isEndless = equal(b.apply(Operator.ABS, y), c(Double.POSITIVE_INFINITY));
        return select(isEndless, select(grows, c(Double.POSITIVE_INFINITY), c(0)), finite);
    }

    /** A number in two parts, of which the first has half of the bits only. */
    private record Parts(Value high, Value low) {}

    private Parts log2(Value x) {
        Split split = splitAtRoots(x);
        Value isUpper = less(c(Math.sqrt(1.5)), split.fraction());
        Value base = select(isUpper, c(1.5), c(1));
        Value u = sub(split.fraction(), base);
        Value sum = add(split.fraction(), base);
        Value v = div(c(1), sum);
        Value s = mul(u, v);
        Value sHigh = high(s);
        Value tHigh = high(sum);
        Value tLow = sub(split.fraction(), sub(tHigh, base));
        Value sLow = mul(v, sub(sub(u, mul(sHigh, tHigh)), mul(sHigh, tLow)));
        Value s2 = mul(s, s);
        Value r = mul(
                mul(s2, s2),
                polynomial(
                        s2,
                        0.5999999999999946,
                        0.4285714285785502,
                        0.33333332981837743,
                        0.272728123808534,
                        0.23066074577556175,
                        0.20697501780033842));
        Value more = add(r, mul(sLow, add(sHigh, s)));
        Value square = mul(sHigh, sHigh);
        Value high = high(add(add(c(3), square), more));
        Value low = sub(more, sub(sub(high, c(3)), square));
        Value first = mul(sHigh, high);
        Value second = add(mul(sLow, high), mul(low, s));
        Value pHigh = high(add(first, second));
        Value pLow = sub(second, sub(pHigh, first));
        FixedPoint ratio = LN_2.divides(2, 3);
        List<Double> cp = parts(ratio, (mantissa + 1) / 2, 2);
        List<Double> logs = parts(LOG_3_HALVES, (mantissa + 1) / 2, 2);
        Value zHigh = mul(c(cp.get(0)), pHigh);
        Value zLow = add(
                add(mul(c(cp.get(1)), pHigh), mul(pLow, c(ratio.nearest()))), select(isUpper, c(logs.get(1)), c(0)));
        Value baseHigh = select(isUpper, c(logs.get(0)), c(0));
        Value t1 = high(add(add(add(zHigh, zLow), baseHigh), split.exponent()));
        Value t2 = sub(zLow, sub(sub(sub(t1, split.exponent()), baseHigh), zHigh));
        return new Parts(t1, t2);
    }

    /** Splits x so that the fraction is between half of the root of 3 and the root of 3. */
    private Split splitAtRoots(Value x) {
        Split split = split(x);
        // From the root of one half on it is doubled up to half of the root of 3.
        Value isLow = less(split.fraction(), c(Math.sqrt(3) / 2));
        return new Split(
                select(isLow, mul(c(2), split.fraction()), split.fraction()),
                select(isLow, sub(split.exponent(), c(1)), split.exponent()));
    }
}

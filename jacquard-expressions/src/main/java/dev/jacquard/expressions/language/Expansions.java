package dev.jacquard.expressions.language;

import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import java.util.List;

/**
 * Functions as simple operations, so that every end computes the same bits. Results are within 2 units in the last
 * place of {@link StrictMath}, for doubles and, of the nearest float, for floats.
 *
 * <p>Sources: Cody and Waite, Software Manual for the Elementary Functions, 1980 (reductions); the algorithms of the
 * logarithm and of powers are from Sun's fdlibm; the rational form of the hyperbolic tangent is that of Cephes.
 */
final class Expansions extends Arithmetic {
    private static final FixedPoint HALF_PI =
            FixedPoint.of("1.57079632679489661923132169163975144209858469968755291048747229615390820314310449931402");

    /**
     * The polynomial p for which 1 + r + r² p(r) is nearest to the exponential, relative to it, of r up to half of the
     * logarithm of 2: by Remez's exchange; 4e-18 away. Of its ten terms in r, 0.5000000000000011, 0.1666666666666641,
     * 0.041666666666529815, 0.00833333333349548, 0.0013888888943742186, 0.00019841269504724363, 2.4801492964155037e-05,
     * 2.7557587688547573e-06, 2.763030214034081e-07, 2.4999755837746588e-08, the ones after the first are adapted, as
     * {@link #expOfDoubles} has them: two operations fewer than by Horner's rule (Eve's method: Knuth, The Art of
     * Computer Programming, volume 2, section 4.6.4).
     */
    private static final double[] EXP = {
        0.5000000000000011,
        0.056759020080552364,
        49.68031461467788,
        0.0006589750007288271,
        2.6812651440114614e-05,
        3035.4199685756316,
        40.08161718824782,
        5.117323902571544e-07,
        2.763030214034081e-07,
        2.4999755837746588e-08
    };
    /** The same for floats; 3e-9 away. */
    private static final double[] EXP_OF_FLOATS = {
        0.49999993431974377, 0.16666520399457485, 0.04166839083439133, 0.008368745080916883, 0.0013814537082063353
    };

    Expansions(BodyBuilder builder) {
        super(builder);
    }

    // ---- exponential

    /** Returns e to the power x: overflows to infinity, underflows to subnormal numbers and zero. */
    Value exp(Value x) {
        double most = single ? 90 : 710;
        double least = single ? -105 : -746;
        Value bounded = select(less(x, c(least)), c(least), select(less(c(most), x), c(most), x));
        // A power of 2 that is normal for all n of one sign, and one that takes its rest back: the only step that
        // rounds. Its exponent comes with n, since the number that turns x / ln 2 to an integer has the rest and the
        // bias in its last bits.
        int rest = single ? 32 : 64;
        Value isBelow = less(x, c(0));
        Value magics = select(isBelow, c(magic + bias + rest), c(magic + bias - rest));
        Value back = select(isBelow, c(Math.scalb(1.0, -rest)), c(Math.scalb(1.0, rest)));
        Value turned = add(mul(bounded, c(1 / Math.log(2))), magics);
        Value n = sub(turned, magics);
        List<Double> ln2 = parts(LN_2, single ? 12 : 40, 2);
        Value r = sub(sub(bounded, mul(n, c(ln2.get(0)))), mul(n, c(ln2.get(1))));
        Value square = mul(r, r);
        Value terms = single ? polynomial(r, EXP_OF_FLOATS) : expOfDoubles(r, square);
        Value fraction = add(c(1), add(r, mul(square, terms)));
        Value power = real(integers(Operator.SHIFT_LEFT, bits(turned), b.integer(mantissa)));
        return mul(mul(fraction, power), back);
    }

    /** Returns p(r), see {@link #EXP}. */
    private Value expOfDoubles(Value r, Value z) {
        Value quadratic = add(mul(add(z, c(EXP[6])), z), c(EXP[5]));
        Value linear = add(add(mul(r, c(EXP[8])), mul(z, c(EXP[9]))), c(EXP[7]));
        Value inner = add(mul(quadratic, linear), add(mul(z, c(EXP[4])), c(EXP[3])));
        Value behind = add(mul(add(z, c(EXP[2])), inner), c(EXP[1]));
        return add(mul(behind, r), c(EXP[0]));
    }

    // ---- logarithm

    /** Returns the natural logarithm: NaN of negative numbers, minus infinity of zero. */
    Value log(Value x) {
        Split split = split(x);
        Value f = sub(split.fraction(), c(1));
        Value s = div(f, add(c(2), f));
        Value z = mul(s, s);
        double[] terms = single
                ? new double[] {0.6666666269302368, 0.40000972151756287, 0.2849878668785095, 0.24279078841209412}
                : new double[] {
                    0.6666666666666735, 0.3999999999940942, 0.2857142874366239,
                    0.22222198432149784, 0.1818357216161805, 0.15313837699209373,
                    0.14798198605116586
                };
        Value r = mul(z, polynomial(z, terms));
        Value half = mul(c(0.5), mul(f, f));
        List<Double> ln2 = parts(LN_2, single ? 12 : 32, 2);
        Value k = split.exponent();
        Value low = add(mul(s, add(half, r)), mul(k, c(ln2.get(1))));
        Value result = sub(mul(k, c(ln2.get(0))), sub(sub(half, low), f));
        return select(
                less(c(0), x),
                select(atMost(x, c(largest())), result, x),
                select(equal(x, c(0)), c(Double.NEGATIVE_INFINITY), c(Double.NaN)));
    }

    // ---- circular functions

    /**
     * Returns the sine: of arguments up to 2 to the power 47, of floats up to 2 to the power 18; NaN of larger ones, of
     * which the digits that count are not there.
     */
    Value sin(Value x) {
        return circular(x, 0);
    }

    /** Returns the cosine, of the same arguments. */
    Value cos(Value x) {
        return circular(x, 1);
    }

    /** Returns the sine of x and {@code quarters} quarters of a turn. */
    private Value circular(Value x, int quarters) {
        Value turned = add(mul(x, c(2 / Math.PI)), c(magic));
        Value n = sub(turned, c(magic));
        // Parts of pi/2 and of n are so short that the products of two are exact.
        int half = (mantissa + 1) / 2;
        List<Double> parts = parts(HALF_PI, half, 6);
        double coarse = magic * Math.scalb(1.0, half);
        Value high = sub(add(n, c(coarse)), c(coarse));
        Value low = sub(n, high);
        Value r = x;
        Value rest = c(0);
        for (int i = 0; i < parts.size(); i++) {
            for (Value part : List.of(high, low)) {
                Value product = mul(part, c(parts.get(i)));
                Value next = sub(r, product);
                if (i >= 2) { // before, differences are exact
                    rest = add(rest, lost(r, product, next));
                }
                r = next;
            }
        }
        Value turns = integers(Operator.ADD_INTEGERS, bits(turned), b.integer(quarters));
        Value isOdd = equal(toReal(integers(Operator.AND_BITS, turns, b.integer(1))), c(1));
        Value isBack = equal(toReal(integers(Operator.AND_BITS, turns, b.integer(2))), c(2));
        Value its = select(isOdd, cosineOf(r, rest), sineOf(r, rest));
        Value limit = c(Math.scalb(1.0, single ? 18 : 47));
        return select(atMost(b.apply(Operator.ABS, x), limit), select(isBack, neg(its), its), c(Double.NaN));
    }

    /** Returns what {@code result}, which is {@code from - what}, lost by rounding (Knuth's two-sum). */
    private Value lost(Value from, Value what, Value result) {
        Value back = sub(result, from);
        return sub(sub(from, sub(result, back)), add(what, back));
    }

    /** Returns the sine of r and a rest, where r is at most an eighth of a turn. */
    private Value sineOf(Value r, Value rest) {
        double[] terms = single
                ? new double[] {0.008333329385889463, -0.00019839334836096632, 2.718311493989822e-06}
                : new double[] {
                    0.00833333333332249,
                    -0.0001984126982985795,
                    2.7557313707070068e-06,
                    -2.5050760253406863e-08,
                    1.58969099521155e-10
                };
        Value z = mul(r, r);
        Value cube = mul(z, r);
        Value third = c(single ? -0.16666666641626524 : -0.16666666666666632);
        Value more = sub(mul(c(0.5), rest), mul(cube, polynomial(z, terms)));
        return sub(r, sub(sub(mul(z, more), rest), mul(cube, third)));
    }

    /** Returns the cosine of r and a rest, where r is at most an eighth of a turn. */
    private Value cosineOf(Value r, Value rest) {
        double[] terms = single
                ? new double[] {0.04166664568298827, -0.001388731625493765, 2.443315711809948e-05}
                : new double[] {
                    0.0416666666666666,
                    -0.001388888888887411,
                    2.480158728947673e-05,
                    -2.7557314351390663e-07,
                    2.087572321298175e-09,
                    -1.1359647557788195e-11
                };
        Value z = mul(r, r);
        Value half = mul(c(0.5), z);
        Value main = sub(c(1), half);
        Value more = sub(mul(z, mul(z, polynomial(z, terms))), mul(r, rest));
        return add(main, add(sub(sub(c(1), main), half), more));
    }

    // ---- hyperbolic tangent

    /** Returns the hyperbolic tangent. */
    Value tanh(Value x) {
        Value z = mul(x, x);
        Value ratio = single
                ? polynomial(
                        z, -3.33332819422e-1, 1.33314422036e-1, -5.37397155531e-2, 2.06390887954e-2, -5.70498872745e-3)
                : div(
                        polynomial(z, -1614.6876844170845, -99.28772310019185, -0.9643991794250523),
                        polynomial(z, 4844.063053251255, 2235.4883906010045, 112.81167849163293, 1.0));
        Value small = add(x, mul(mul(x, z), ratio));
        Value size = b.apply(Operator.ABS, x);
        Value large = sub(c(1), div(c(2), add(exp(mul(c(2), size)), c(1))));
        Value signed = select(less(x, c(0)), neg(large), large);
        return select(equal(x, c(0)), x, select(less(size, c(0.625)), small, signed));
    }

    // ---- powers

    /** Returns x to a power, with the special cases of {@link Math#pow}. */
    Value pow(Value x, Value y) {
        return new Powers(b).pow(x, y);
    }
}

package dev.jacquard.expressions.language;

import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.DataType;
import java.util.List;

/** Simple operations in short, and numbers of more digits than one value has. */
abstract class Arithmetic {
    /** The natural logarithm of 2. */
    static final FixedPoint LN_2 =
            FixedPoint.of("0.69314718055994530941723212145817656807550013436025525412068000949339362196969471560586");

    final BodyBuilder b;
    final boolean single;
    /** The number of bits after the leading one. */
    final int mantissa;

    final int bias;
    /** A sum with this number has no bits after the point: it is rounded to an integer, which its last bits are. */
    final double magic;

    Arithmetic(BodyBuilder builder) {
        this.b = builder;
        this.single = builder.type() == DataType.FLOAT32;
        this.mantissa = single ? 23 : 52;
        this.bias = single ? 127 : 1023;
        this.magic = 1.5 * Math.scalb(1.0, mantissa);
    }

    // ---- powers of 2

    /** Returns x times 2 to the power n, in two steps: each factor is a normal number, and only the second rounds. */
    final Value scaled(Value x, Value n) {
        Value half = integers(Operator.SHIFT_RIGHT, n, b.integer(1));
        return mul(mul(x, powerOf2(half)), powerOf2(subtract(n, half)));
    }

    final Value powerOf2(Value n) {
        return real(integers(
                Operator.SHIFT_LEFT, integers(Operator.ADD_INTEGERS, n, b.integer(bias)), b.integer(mantissa)));
    }

    /** A positive number as a fraction near 1 and a power of 2. */
    record Split(Value fraction, Value exponent) {}

    /** Splits x so that the fraction is between the root of one half and the root of 2. */
    final Split split(Value x) {
        int up = single ? 25 : 54;
        Value isTiny = less(x, c(single ? Float.MIN_NORMAL : Double.MIN_NORMAL));
        Value normal = select(isTiny, mul(x, c(Math.scalb(1.0, up))), x);
        Value itsBits = bits(normal);
        long root =
                single ? Float.floatToRawIntBits((float) Math.sqrt(0.5)) : Double.doubleToRawLongBits(Math.sqrt(0.5));
        Value k = integers(Operator.SHIFT_RIGHT, subtract(itsBits, b.integer(root)), b.integer(mantissa));
        Value fraction = real(subtract(itsBits, integers(Operator.SHIFT_LEFT, k, b.integer(mantissa))));
        Value exponent = sub(toReal(k), select(isTiny, c(up), c(0)));
        return new Split(fraction, exponent);
    }

    // ---- numbers in parts

    /** Returns x with half of its bits: products of two such numbers are exact. */
    final Value high(Value x) {
        long mask = -1L << ((mantissa + 2) / 2);
        return real(integers(Operator.AND_BITS, bits(x), b.integer(mask)));
    }

    /** Returns the number in parts of {@code bits} bits each, but the last one. */
    final List<Double> parts(FixedPoint exact, int bits, int count) {
        return exact.parts(bits, count, single);
    }

    final double largest() {
        return single ? Float.MAX_VALUE : Double.MAX_VALUE;
    }

    // ---- operations, in short

    final Value polynomial(Value z, double... terms) {
        Value sum = c(terms[terms.length - 1]);
        for (int i = terms.length - 2; i >= 0; i--) {
            sum = add(mul(sum, z), c(terms[i]));
        }
        return sum;
    }

    final Value c(double number) {
        return b.constant(number);
    }

    final Value add(Value one, Value other) {
        return b.apply(Operator.ADD, one, other);
    }

    final Value sub(Value one, Value other) {
        return b.apply(Operator.SUBTRACT, one, other);
    }

    final Value mul(Value one, Value other) {
        return b.apply(Operator.MULTIPLY, one, other);
    }

    final Value div(Value one, Value other) {
        return b.apply(Operator.DIVIDE, one, other);
    }

    final Value neg(Value of) {
        return b.apply(Operator.NEGATE, of);
    }

    final Value less(Value one, Value other) {
        return b.apply(Operator.LESS, one, other);
    }

    final Value atMost(Value one, Value other) {
        return b.apply(Operator.AT_MOST, one, other);
    }

    final Value equal(Value one, Value other) {
        return b.apply(Operator.EQUAL, one, other);
    }

    final Value and(Value one, Value other) {
        return b.apply(Operator.AND, one, other);
    }

    final Value not(Value of) {
        return b.apply(Operator.NOT, of);
    }

    final Value equalConditions(Value one, Value other) {
        return b.apply(Operator.OR, and(one, other), and(not(one), not(other)));
    }

    final Value select(Value condition, Value yes, Value no) {
        return b.apply(Operator.SELECT, condition, yes, no);
    }

    final Value bits(Value of) {
        return b.apply(Operator.BITS, of);
    }

    final Value real(Value bits) {
        return b.apply(Operator.FROM_BITS, bits);
    }

    final Value integers(Operator operator, Value one, Value other) {
        return b.apply(operator, one, other);
    }

    final Value subtract(Value one, Value other) {
        return integers(Operator.SUBTRACT_INTEGERS, one, other);
    }

    /** Returns a small integer as a real. */
    final Value toReal(Value integer) {
        return sub(real(integers(Operator.ADD_INTEGERS, integer, bits(c(magic)))), c(magic));
    }
}

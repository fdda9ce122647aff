package dev.jacquard.expressions.loop;

import dev.jacquard.expressions.loop.Value.Kind;
import java.util.List;

/**
 * One value of a loop body, at each point. Immutable; made by a {@link BodyBuilder}, which has only one of equal
 * values.
 *
 * <p>Equality is identity.
 */
public final class Value {
    /** The kinds of values. */
    public enum Kind {
        /** A number of the loop's element type. */
        REAL,
        /** An integer as wide as the reals. */
        INTEGER,
        /** True or false. */
        CONDITION
    }

    private final int number;
    private final Operator operator;
    private final List<Value> operands;
    private final Object detail;

    Value(int number, Operator operator, List<Value> operands, Object detail) {
        this.number = number;
        this.operator = operator;
        this.operands = operands;
        this.detail = detail;
    }

    /** Returns its number in its body: operands have smaller ones. */
    public int number() {
        return number;
    }

    /** Returns the operation that makes it. */
    public Operator operator() {
        return operator;
    }

    /** Returns the values that it is made of. */
    public List<Value> operands() {
        return operands;
    }

    /** Returns the element that an {@link Operator#INPUT} is. */
    public Element element() {
        return (Element) detail;
    }

    /** Returns the integer of an {@link Operator#INTEGER}, or the axis of an {@link Operator#INDEX}: 0 is x. */
    public long integer() {
        return (Long) detail;
    }

    /** Returns the place of an {@link Operator#CONSTANT} among the constants, or of an {@link Operator#PARAMETER}. */
    public int slot() {
        return (Integer) detail;
    }

    /** Returns the data that the operation needs in addition to its operands. */
    Object detail() {
        return detail;
    }

    /** Returns the kind of the value. */
    public Kind kind() {
        return operator.kind();
    }

    /**
     * An element of an input.
     *
     * @param input the number of the input
     * @param dx the distance from the point along x, in elements
     * @param dy the distance along y
     * @param dz the distance along z
     */
    public record Element(int input, int dx, int dy, int dz) {
        /** Returns the distance along an axis, 0 for x. */
        public int distance(int axis) {
            return axis == 0 ? dx : axis == 1 ? dy : dz;
        }

        @Override
        public String toString() {
            return "in" + input + "[" + dx + "," + dy + "," + dz + "]";
        }
    }

    /**
     * The operations that a loop body consists of. Every end computes each of them to the same bits: reals are rounded
     * after each operation to the type of the loop, integers are as wide as the reals and wrap around.
     */
    public enum Operator {
        /** An element of an input, at a fixed distance from the point. */
        INPUT(Kind.REAL),
        /** A number that is known when the loop is made, and no part of its shape. */
        CONSTANT(Kind.REAL),
        /** A number that is given at each run. */
        PARAMETER(Kind.REAL),
        /** The index of the point along an axis, as a real. */
        INDEX(Kind.REAL),
        /** An integer that is a part of the loop's shape. */
        INTEGER(Kind.INTEGER),

        /** The sum. */
        ADD(Kind.REAL),
        /** The difference. */
        SUBTRACT(Kind.REAL),
        /** The product. */
        MULTIPLY(Kind.REAL),
        /** The quotient. */
        DIVIDE(Kind.REAL),
        /** The value with the other sign. */
        NEGATE(Kind.REAL),
        /** The value without its sign. */
        ABS(Kind.REAL),
        /** The square root, correctly rounded. */
        SQRT(Kind.REAL),
        /** The smaller one as {@link Math#min(double, double)} has it. */
        MIN(Kind.REAL),
        /** The larger one as {@link Math#max(double, double)} has it. */
        MAX(Kind.REAL),

        /** True if the first real is less than the second. */
        LESS(Kind.CONDITION),
        /** True if the first real is at most the second. */
        AT_MOST(Kind.CONDITION),
        /** True if the reals are equal; zeros are, and no NaN is. */
        EQUAL(Kind.CONDITION),
        /** True if both conditions are. */
        AND(Kind.CONDITION),
        /** True if one of the conditions is. */
        OR(Kind.CONDITION),
        /** True if the condition is not. */
        NOT(Kind.CONDITION),
        /** The second where the condition, which is the first, holds; else the third. */
        SELECT(Kind.REAL),

        /** The bits of a real as an integer. The bits of a NaN may differ from one form of the loop to another. */
        BITS(Kind.INTEGER),
        /** The real that has these bits. */
        FROM_BITS(Kind.REAL),
        /** The sum of two integers. */
        ADD_INTEGERS(Kind.INTEGER),
        /** The difference of two integers. */
        SUBTRACT_INTEGERS(Kind.INTEGER),
        /** The bits that both integers have. */
        AND_BITS(Kind.INTEGER),
        /** The bits that one of the integers has. */
        OR_BITS(Kind.INTEGER),
        /**
         * The first integer, its bits moved to the left by the second, which is an {@link #INTEGER}, modulo its width.
         */
        SHIFT_LEFT(Kind.INTEGER),
        /** The same to the right; the sign stays. */
        SHIFT_RIGHT(Kind.INTEGER);

        private final Kind kind;

        Operator(Kind kind) {
            this.kind = kind;
        }

        /** Returns the kind of the results. */
        public Kind kind() {
            return kind;
        }

        /** Returns true if the value is the same at all points of a run. */
        boolean isUniform() {
            return this == CONSTANT || this == PARAMETER || this == INTEGER;
        }
    }
}

package dev.jacquard.expressions.field;

import dev.jacquard.memory.data.DataType;

/** The range of the numbers that elements of a type hold. */
public final class NumberRange {
    private NumberRange() {}

    /**
     * Returns why a number is none of a type: it would become 0, or infinite. Numbers that are infinite, or NaN, are of
     * each type.
     *
     * @return a clause such as "would be 0 in FLOAT32, whose smallest number is 1.4E-45"; empty if the type has the
     *     number, or one near it
     */
    public static String misfit(double value, DataType type) {
        if (type != DataType.FLOAT32) {
            return "";
        }
        float its = (float) value;
        if (value != 0 && its == 0) {
            return "would be 0 in " + type + ", whose smallest number is " + Float.MIN_VALUE;
        }
        return Float.isInfinite(its) && !Double.isInfinite(value)
                ? "would be infinite in " + type + ", whose largest number is " + Float.MAX_VALUE
                : "";
    }
}

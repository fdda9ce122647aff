package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Value;

/** The texts of values that are the same in Java and in the languages of devices. */
final class ValueText {
    private ValueText() {}

    /** Returns the name of the variable that holds a value. */
    static String name(Value value) {
        return "v" + value.number();
    }

    /** Returns the name of an operand of a value. */
    static String name(Value value, int operand) {
        return name(value.operands().get(operand));
    }

    /** Returns a value as an operator between its two operands. */
    static String infix(Value value, String operator) {
        return name(value, 0) + " " + operator + " " + name(value, 1);
    }

    /** Returns a value as the call of a function with its one or two operands. */
    static String call(Value value, String function) {
        String others = value.operands().size() > 1 ? ", " + name(value, 1) : "";
        return function + "(" + name(value, 0) + others + ")";
    }
}

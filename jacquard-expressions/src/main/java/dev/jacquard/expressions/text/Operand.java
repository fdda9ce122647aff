package dev.jacquard.expressions.text;

import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.text.ExpressionParser.PointFunction;
import org.jspecify.annotations.Nullable;

/** A part of an expression that has been read. Immutable. */
sealed interface Operand {
    /** Returns where it has values. */
    Centre centre();

    /** Returns the token where it begins. */
    Token start();

    /**
     * A value.
     *
     * @param expression the same as an expression of some location, which {@code centre} stands for
     * @param function the same as a function of a point; null if it reads fields or neighbours
     * @param isNumber true if it is made of numbers alone, so that the function has one value
     */
    record Quantity(
            Centre centre,
            Token start,
            Expr<?> expression,
            @Nullable PointFunction function,
            boolean isNumber) implements Operand {
        /** Returns the expression at a location that the centring fits. */
        @SuppressWarnings("unchecked") // the grammar joins what fits, and expressions know no location when they run
        <L extends Location> Expr<L> as() {
            return (Expr<L>) expression;
        }
    }

    /** True or false; only the choice between two values takes it. */
    record Truth(
            Centre centre,
            Token start,
            Expr.Condition<Location> condition,
            @Nullable Test test) implements Operand {
        /** A condition at a point. */
        @FunctionalInterface
        interface Test {
            boolean at(double x, double y, double z, double t);
        }
    }

    /** Returns the value, which a condition is not. */
    default Quantity quantity() {
        return switch (this) {
            case Quantity value -> value;
            case Truth condition ->
                throw condition.start().wrong("a comparison is no value: only where(condition, yes, no) takes it");
        };
    }

    /** Returns the condition, which a value is not. */
    default Truth truth() {
        return switch (this) {
            case Truth condition -> condition;
            case Quantity value ->
                throw value.start().wrong("where(condition, yes, no) takes a comparison first, such as x < 0.5");
        };
    }
}

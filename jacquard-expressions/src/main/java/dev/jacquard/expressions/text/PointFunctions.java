package dev.jacquard.expressions.text;

import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Functions;
import dev.jacquard.expressions.text.ExpressionParser.PointFunction;
import dev.jacquard.expressions.text.Operand.Quantity;
import dev.jacquard.expressions.text.Operand.Truth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Signs, arithmetic, comparisons and functions of values at one point. A value of numbers alone is computed at once, in
 * double precision: in single precision numbers that are not wanted themselves might be 0 or infinite.
 */
final class PointFunctions {
    /** The function that takes a condition. */
    static final String WHERE = "where";

    /** A function of one value. */
    private record One(UnaryOperator<Expr<Location>> expression, DoubleUnaryOperator function) {}

    /** A function of two values. */
    private record Two(BinaryOperator<Expr<Location>> expression, DoubleBinaryOperator function) {}

    private static final Map<String, One> ONE = new LinkedHashMap<>();
    private static final Map<String, Two> TWO = new LinkedHashMap<>();

    static {
        ONE.put("abs", new One(Functions::abs, Math::abs));
        ONE.put("sqrt", new One(Functions::sqrt, Math::sqrt));
        ONE.put("exp", new One(Functions::exp, StrictMath::exp));
        ONE.put("log", new One(Functions::log, StrictMath::log));
        ONE.put("sin", new One(Functions::sin, StrictMath::sin));
        ONE.put("cos", new One(Functions::cos, StrictMath::cos));
        ONE.put("tanh", new One(Functions::tanh, StrictMath::tanh));
        ONE.put("-", new One(Expr::negate, value -> -value));
        TWO.put("min", new Two(Functions::min, Math::min));
        TWO.put("max", new Two(Functions::max, Math::max));
        TWO.put("pow", new Two(Functions::pow, StrictMath::pow));
        TWO.put("^", new Two(Functions::pow, StrictMath::pow));
        TWO.put("+", new Two(Expr::plus, Double::sum));
        TWO.put("-", new Two(Expr::minus, (one, other) -> one - other));
        TWO.put("*", new Two(Expr::times, (one, other) -> one * other));
        TWO.put("/", new Two(Expr::dividedBy, (one, other) -> one / other));
    }

    private PointFunctions() {}

    /** Returns the names of functions. */
    static List<String> names() {
        return Stream.of(TWO.keySet(), ONE.keySet())
                .flatMap(Set::stream)
                .filter(Lexer::isName)
                .toList();
    }

    /** Returns the number of values that a function takes; 0 if there is none of that name. */
    static int arguments(String name) {
        return ONE.containsKey(name) ? 1 : TWO.containsKey(name) ? 2 : 0;
    }

    static Quantity number(double value, Token at) {
        return new Quantity(Centre.ANYWHERE, at, Functions.number(value), (x, y, z, t) -> value, true);
    }

    static Quantity one(String name, Token start, Quantity of) {
        One one = Objects.requireNonNull(ONE.get(name));
        PointFunction function = of.function();
        DoubleUnaryOperator operator = one.function();
        if (of.isNumber()) {
            return number(operator.applyAsDouble(valueOf(of)), start);
        }
        return new Quantity(
                of.centre(),
                start,
                one.expression().apply(of.as()),
                function == null ? null : (x, y, z, t) -> operator.applyAsDouble(function.at(x, y, z, t)),
                false);
    }

    /** Returns the value of a quantity that is a number. */
    private static double valueOf(Quantity number) {
        return Objects.requireNonNull(number.function()).at(0, 0, 0, 0);
    }

    /**
     * Joins two values.
     *
     * @param joined the operator that joins them, which is wrong if they have different centrings
     */
    static Quantity two(Token joined, Token start, Quantity left, Quantity right) {
        Two two = Objects.requireNonNull(TWO.get(joined.text()));
        PointFunction one = left.function();
        PointFunction other = right.function();
        DoubleBinaryOperator operator = two.function();
        if (left.isNumber() && right.isNumber()) {
            return number(operator.applyAsDouble(valueOf(left), valueOf(right)), start);
        }
        return new Quantity(
                left.centre().with(right.centre(), joined),
                start,
                two.expression().apply(left.as(), right.as()),
                one == null || other == null ? null : Chain.of(one, operator, other),
                false);
    }

    static Truth compare(Token sign, Quantity left, Quantity right) {
        Centre centre = left.centre().with(right.centre(), sign);
        Expr<Location> a = left.as();
        Expr<Location> b = right.as();
        PointFunction one = left.function();
        PointFunction other = right.function();
        Expr.Condition<Location> condition = switch (sign.text()) {
            case "<" -> a.lessThan(b);
            case "<=" -> a.atMost(b);
            case ">" -> b.lessThan(a);
            case ">=" -> b.atMost(a);
            case "==" -> a.equalTo(b);
            default -> a.equalTo(b).not();
        };
        return new Truth(
                centre,
                left.start(),
                condition,
                one == null || other == null
                        ? null
                        : (x, y, z, t) -> holds(sign.text(), one.at(x, y, z, t), other.at(x, y, z, t)));
    }

    private static boolean holds(String sign, double a, double b) {
        return switch (sign) {
            case "<" -> a < b;
            case "<=" -> a <= b;
            case ">" -> a > b;
            case ">=" -> a >= b;
            case "==" -> a == b;
            default -> a != b;
        };
    }

    static Quantity where(Token name, Truth condition, Quantity yes, Quantity no) {
        Centre centre = condition.centre().with(yes.centre(), name).with(no.centre(), name);
        Truth.Test test = condition.test();
        PointFunction one = yes.function();
        PointFunction other = no.function();
        return new Quantity(
                centre,
                name,
                Functions.where(condition.condition(), yes.as(), no.as()),
                test == null || one == null || other == null
                        ? null
                        : (x, y, z, t) -> test.at(x, y, z, t) ? one.at(x, y, z, t) : other.at(x, y, z, t),
                false);
    }
}

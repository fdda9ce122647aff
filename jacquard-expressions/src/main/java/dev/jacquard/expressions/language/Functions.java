package dev.jacquard.expressions.language;

import dev.jacquard.expressions.field.Location;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Functions of values at one point, numbers and coordinates. To be imported statically. */
public final class Functions {
    private Functions() {}

    static <L extends Location> Expr<L> apply(Function function, Expr<?>... arguments) {
        List<Term> all = Stream.of(arguments).map(Term::of).toList();
        Double number = Folding.fold(function, all);
        return number == null ? new Formula<>(new Term.Apply(function, all)) : number(number);
    }

    // ---- functions that need no field

    /** Returns a number, at every location. */
    public static <L extends Location> Expr<L> number(double value) {
        return new Formula<>(new Term.Literal(value));
    }

    /** Returns a number that is given by name at each run: it may change without a new loop. */
    public static <L extends Location> Expr<L> parameter(String name) {
        return new Formula<>(new Term.Parameter(Objects.requireNonNull(name, "name")));
    }

    /** Returns the coordinate of each point along x. */
    public static <L extends Location> Expr<L> x() {
        return new Formula<>(new Term.Coordinate(0));
    }

    /** Returns the coordinate of each point along y. */
    public static <L extends Location> Expr<L> y() {
        return new Formula<>(new Term.Coordinate(1));
    }

    /** Returns the coordinate of each point along z. */
    public static <L extends Location> Expr<L> z() {
        return new Formula<>(new Term.Coordinate(2));
    }

    /**
     * Returns the coordinate of each point along an axis as if the {@link #whole} were computed elsewhere along it:
     * where a grid repeats itself, an operator then sees the same coordinates at an end as at the point that this
     * repeats.
     *
     * @param axis 0 for x
     * @param index where the whole is computed, the numbers of the points along the axis
     */
    public static <L extends Location> Expr<L> coordinate(int axis, Expr<?> index) {
        return new Formula<>(new Term.Counted(axis, Term.of(index)));
    }

    /** Returns the same values; {@link #coordinate coordinates} within are counted from the point of these. */
    public static <L extends Location> Expr<L> whole(Expr<L> of) {
        return new Formula<>(new Term.Whole(Term.of(of)));
    }

    // ---- derivatives

    /**
     * Returns the change of an expression when a field changes a little: its derivative in the direction in which it
     * does, which is linear in that direction. Where an expression has a kink, one of the sides counts for {@code abs};
     * for {@code min} and {@code max} of equal values, whatever their order, the constant one does, or the mean of both
     * derivatives if none is constant.
     *
     * @param by the field
     * @param direction the name of a field that says by how much it changes at each point
     */
    public static <L extends Location, M extends Location> Expr<L> derivative(Expr<L> of, Tag<M> by, Tag<M> direction) {
        return new Formula<>(Derivative.of(Term.of(of), by, direction));
    }

    // ---- functions

    /** Returns the first where the condition holds, and the second elsewhere; both are computed everywhere. */
    public static <L extends Location> Expr<L> where(Expr.Condition<L> condition, Expr<L> yes, Expr<L> no) {
        Objects.requireNonNull(condition, "condition");
        return new Formula<>(new Term.Apply(Function.WHERE, List.of(condition.term(), Term.of(yes), Term.of(no))));
    }

    /** Returns the smaller one, as {@link Math#min(double, double)} does. */
    public static <L extends Location> Expr<L> min(Expr<L> one, Expr<L> other) {
        return apply(Function.MIN, one, other);
    }

    /** Returns the larger one, as {@link Math#max(double, double)} does. */
    public static <L extends Location> Expr<L> max(Expr<L> one, Expr<L> other) {
        return apply(Function.MAX, one, other);
    }

    /** Returns the value without its sign. */
    public static <L extends Location> Expr<L> abs(Expr<L> of) {
        return apply(Function.ABS, of);
    }

    /** Returns the square root, correctly rounded. */
    public static <L extends Location> Expr<L> sqrt(Expr<L> of) {
        return apply(Function.SQRT, of);
    }

    /** Returns e to this power, within 2 ulp. */
    public static <L extends Location> Expr<L> exp(Expr<L> of) {
        return apply(Function.EXP, of);
    }

    /** Returns the natural logarithm, within 2 ulp. */
    public static <L extends Location> Expr<L> log(Expr<L> of) {
        return apply(Function.LOG, of);
    }

    /** Returns the first raised to the power of the second, within 2 ulp. */
    public static <L extends Location> Expr<L> pow(Expr<L> base, Expr<L> exponent) {
        return apply(Function.POW, base, exponent);
    }

    /** Returns the sine, within 2 ulp. */
    public static <L extends Location> Expr<L> sin(Expr<L> of) {
        return apply(Function.SIN, of);
    }

    /** Returns the cosine, within 2 ulp. */
    public static <L extends Location> Expr<L> cos(Expr<L> of) {
        return apply(Function.COS, of);
    }

    /** Returns the hyperbolic tangent, within 2 ulp. */
    public static <L extends Location> Expr<L> tanh(Expr<L> of) {
        return apply(Function.TANH, of);
    }
}

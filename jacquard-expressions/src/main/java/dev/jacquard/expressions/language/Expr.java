package dev.jacquard.expressions.language;

import static dev.jacquard.expressions.language.Functions.apply;
import static dev.jacquard.expressions.language.Functions.number;

import dev.jacquard.expressions.field.Location;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A value at every point of a location: a field, a number, or a formula of such. Immutable. Each operation is rounded
 * to the type of the fields, in the order in which it is written; nothing is reordered but what {@link Lowering} says.
 *
 * @param <L> where the values lie; expressions are combined with others of the same location only
 */
public sealed interface Expr<L extends Location> permits Tag, Formula {
    /** Returns the sum. */
    default Expr<L> plus(Expr<L> other) {
        return apply(Function.ADD, this, other);
    }

    /** Returns the sum with a number. */
    default Expr<L> plus(double other) {
        return plus(number(other));
    }

    /** Returns the difference. */
    default Expr<L> minus(Expr<L> other) {
        return apply(Function.SUBTRACT, this, other);
    }

    /** Returns the difference to a number. */
    default Expr<L> minus(double other) {
        return minus(number(other));
    }

    /** Returns the product; of vectors, component by component. */
    default Expr<L> times(Expr<L> other) {
        return apply(Function.MULTIPLY, this, other);
    }

    /** Returns the product with a number. */
    default Expr<L> times(double other) {
        return times(number(other));
    }

    /** Returns the quotient. */
    default Expr<L> dividedBy(Expr<L> other) {
        return apply(Function.DIVIDE, this, other);
    }

    /** Returns the quotient with a number. */
    default Expr<L> dividedBy(double other) {
        return dividedBy(number(other));
    }

    /** Returns the value with the other sign. */
    default Expr<L> negate() {
        return apply(Function.NEGATE, this);
    }

    /** Returns the value raised to a power. */
    default Expr<L> pow(double exponent) {
        return apply(Function.POW, this, number(exponent));
    }

    /** Returns the condition that this is less. */
    default Condition<L> lessThan(Expr<L> other) {
        return Condition.of(Function.LESS, Term.of(this), Term.of(other));
    }

    /** Returns the condition that this is less than a number. */
    default Condition<L> lessThan(double other) {
        return lessThan(number(other));
    }

    /** Returns the condition that this is less or equal. */
    default Condition<L> atMost(Expr<L> other) {
        return Condition.of(Function.AT_MOST, Term.of(this), Term.of(other));
    }

    /** Returns the condition that this is at most a number. */
    default Condition<L> atMost(double other) {
        return atMost(number(other));
    }

    /** Returns the condition that both are equal. */
    default Condition<L> equalTo(Expr<L> other) {
        return Condition.of(Function.EQUAL, Term.of(this), Term.of(other));
    }

    /** Returns the condition that this equals a number. */
    default Condition<L> equalTo(double other) {
        return equalTo(number(other));
    }

    /** Returns the fields that the expression reads, in the order in which they occur. */
    default Set<Tag<?>> reads() {
        return Substitution.reads(this);
    }

    /** Returns the names of the parameters that are written in the expression, whatever becomes of them. */
    default Set<String> parameters() {
        return Substitution.parameters(this);
    }

    /**
     * Returns the expression with others in the place of fields: they are computed at each point where the field would
     * have been read, and rounded as if they had been stored. Fields that these read are replaced, too. A field for
     * which {@code definitions} returns null stays.
     *
     * @throws IllegalArgumentException if the expression that stands for a field reads that field, itself or by way of
     *     others
     */
    default Expr<L> inline(java.util.function.Function<Tag<?>, @Nullable Expr<?>> definitions) {
        return Substitution.inline(this, definitions);
    }

    /**
     * True or false at every point of a location. Immutable.
     *
     * @param <L> where
     */
    final class Condition<L extends Location> {
        private final Term term;

        private Condition(Term term) {
            this.term = term;
        }

        static <L extends Location> Condition<L> of(Function function, Term... arguments) {
            return new Condition<>(new Term.Apply(function, List.of(arguments)));
        }

        Term term() {
            return term;
        }

        /** Returns the condition that both hold. */
        public Condition<L> and(Condition<L> other) {
            return of(Function.AND, term, other.term);
        }

        /** Returns the condition that one of both holds, or both. */
        public Condition<L> or(Condition<L> other) {
            return of(Function.OR, term, other.term);
        }

        /** Returns the condition that this does not hold. */
        public Condition<L> not() {
            return of(Function.NOT, term);
        }
    }
}

package dev.jacquard.expressions.language;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Differentiates an expression along a direction in which one field changes: the result is linear in that direction.
 * Where an expression has a kink, one of the sides counts for {@code abs}; for {@code min} and {@code max} of equal
 * values, whatever their order, the constant one does, or the mean of both derivatives if none is constant.
 *
 * <p>Confined to one thread.
 *
 * <p>Source: Griewank and Walther, Evaluating Derivatives, second edition, section 3.1 (forward mode).
 */
final class Derivative {
    private static final Term ZERO = new Term.Literal(0);
    private static final Term ONE = new Term.Literal(1);

    private final Tag<?> by;
    private final Term direction;
    private final IdentityHashMap<Term, Term> known = new IdentityHashMap<>();
    private final DeepWalk<Term> walk = new DeepWalk<>();

    private Derivative(Tag<?> by, Tag<?> direction) {
        this.by = by;
        this.direction = new Term.Read(direction);
    }

    /** Returns the derivative; see {@link Functions#derivative}. */
    static Term of(Term term, Tag<?> by, Tag<?> direction) {
        Derivative its = new Derivative(by, direction);
        return its.walk.run(() -> its.d(term), its::d);
    }

    private static boolean isZero(Term term) {
        return term == ZERO;
    }

    private Term d(Term term) {
        Term made = known.get(term);
        if (made == null) {
            walk.enter(term);
            made = make(term);
            walk.leave();
            known.put(term, made);
        }
        return made;
    }

    private Term make(Term term) {
        return switch (term) {
            case Term.Read read -> read.tag().equals(by) ? direction : ZERO;
            case Term.Inlined its -> d(its.of());
            case Term.Literal any -> ZERO;
            case Term.Parameter any -> ZERO;
            case Term.Coordinate any -> ZERO;
            case Term.Counted any -> ZERO;
            case Term.Whole its -> linear(its.of(), Term.Whole::new);
            case Term.Apply its -> apply(its.function(), its.arguments(), term);
            case Term.Vector its -> vector(its);
            case Term.Gradient its -> linear(its.of(), of -> new Term.Gradient(of, its.axis()));
            case Term.ToFaces its -> linear(its.of(), of -> new Term.ToFaces(of, its.axis()));
            case Term.Divergence its -> linear(its.of(), of -> new Term.Divergence(of, its.axis()));
            case Term.ToCells its -> linear(its.of(), of -> new Term.ToCells(of, its.axis()));
            case Term.ToNodes its -> linear(its.of(), Term.ToNodes::new);
            case Term.FromNodes its -> linear(its.of(), Term.FromNodes::new);
            case Term.Central its -> linear(its.of(), of -> new Term.Central(of, its.axis()));
            case Term.Weighted its -> linear(its.of(), of -> new Term.Weighted(of, its.stencil()));
            case Term.Component its -> linear(its.of(), of -> new Term.Component(of, its.axis()));
        };
    }

    private Term linear(Term of, UnaryOperator<Term> operator) {
        Term its = d(of);
        return isZero(its) ? ZERO : operator.apply(its);
    }

    private Term vector(Term.Vector vector) {
        List<Term> all = vector.components().stream().map(this::d).toList();
        return all.stream().allMatch(Derivative::isZero) ? ZERO : new Term.Vector(all);
    }

    private Term apply(Function function, List<Term> of, Term whole) {
        Term a = of.getFirst();
        Term b = of.getLast();
        return switch (function) {
            case ADD -> sum(d(a), d(b));
            case SUBTRACT -> sum(d(a), negated(d(b)));
            case MULTIPLY -> sum(times(d(a), b), times(a, d(b)));
            case DIVIDE -> sum(over(d(a), b), negated(times(over(whole, b), d(b))));
            case NEGATE -> negated(d(a));
            case ABS -> times(where(Function.LESS, a, ZERO, new Term.Literal(-1), ONE), d(a));
            case SQRT -> over(d(a), times(new Term.Literal(2), whole));
            case MIN -> choice(a, b, d(a), d(b));
            case MAX -> choice(a, b, d(b), d(a));
            case EXP -> times(whole, d(a));
            case LOG -> over(d(a), a);
            case POW -> pow(a, b, whole);
            case SIN -> times(applied(Function.COS, a), d(a));
            case COS -> negated(times(applied(Function.SIN, a), d(a)));
            case TANH -> times(applied(Function.SUBTRACT, ONE, times(whole, whole)), d(a));
            case WHERE -> {
                Term yes = d(of.get(1));
                Term no = d(of.get(2));
                yield isZero(yes) && isZero(no) ? ZERO : applied(Function.WHERE, of.getFirst(), yes, no);
            }
            case LESS, AT_MOST, EQUAL, AND, OR, NOT -> ZERO;
        };
    }

    private Term pow(Term base, Term exponent, Term whole) {
        Term byBase = byBase(base, exponent);
        Term byExponent = isZero(d(exponent)) ? ZERO : times(times(whole, applied(Function.LOG, base)), d(exponent));
        return sum(byBase, byExponent);
    }

    /**
     * The derivative for an exponent that stays: none for 0, whatever the base; a quotient as a root's for less than 1.
     */
    private Term byBase(Term base, Term exponent) {
        Term its = d(base);
        if (isZero(its)) {
            return ZERO;
        }
        if (exponent instanceof Term.Literal literal) {
            double power = literal.value();
            return power == 0
                    ? ZERO
                    : power >= 1
                            ? times(times(exponent, applied(Function.POW, base, new Term.Literal(power - 1))), its)
                            : over(times(exponent, its), applied(Function.POW, base, new Term.Literal(1 - power)));
        }
        Term steep = over(times(exponent, its), applied(Function.POW, base, applied(Function.SUBTRACT, ONE, exponent)));
        return where(Function.EQUAL, exponent, ZERO, ZERO, steep);
    }

    /** The derivative of the smaller of two values; of the larger one for the derivatives in the other order. */
    private static Term choice(Term a, Term b, Term ofSmaller, Term ofLarger) {
        if (isZero(ofSmaller) && isZero(ofLarger)) {
            return ZERO;
        }
        boolean isFlat = isZero(ofSmaller) || isZero(ofLarger);
        Term ofEqual = isFlat ? ZERO : times(new Term.Literal(0.5), sum(ofSmaller, ofLarger));
        return where(Function.LESS, a, b, ofSmaller, where(Function.LESS, b, a, ofLarger, ofEqual));
    }

    private static Term applied(Function function, Term... arguments) {
        return new Term.Apply(function, List.of(arguments));
    }

    private static Term where(Function condition, Term a, Term b, Term yes, Term no) {
        return isZero(yes) && isZero(no) ? ZERO : applied(Function.WHERE, applied(condition, a, b), yes, no);
    }

    private static Term sum(Term a, Term b) {
        return isZero(a) ? b : isZero(b) ? a : applied(Function.ADD, a, b);
    }

    private static Term times(Term a, Term b) {
        return isZero(a) || isZero(b) ? ZERO : applied(Function.MULTIPLY, a, b);
    }

    private static Term over(Term a, Term b) {
        return isZero(a) ? ZERO : applied(Function.DIVIDE, a, b);
    }

    private static Term negated(Term a) {
        return isZero(a) ? ZERO : applied(Function.NEGATE, a);
    }
}

package dev.jacquard.expressions.language;

import dev.jacquard.expressions.field.Location;

/**
 * An expression that is more than a field. Equality is identity: parts of an expression may be shared so often that
 * written out it has no end.
 */
final class Formula<L extends Location> implements Expr<L> {
    private final Term term;

    Formula(Term term) {
        this.term = term;
    }

    Term term() {
        return term;
    }

    @Override
    public String toString() {
        return "an expression that reads " + Substitution.reads(this);
    }
}

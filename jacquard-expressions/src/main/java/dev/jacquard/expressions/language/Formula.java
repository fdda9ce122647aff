package dev.jacquard.expressions.language;

import dev.jacquard.expressions.field.Location;

/** An expression that is more than a field. */
record Formula<L extends Location>(Term term) implements Expr<L> {}

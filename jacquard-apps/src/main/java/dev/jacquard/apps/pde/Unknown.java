package dev.jacquard.apps.pde;

import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import org.jspecify.annotations.Nullable;

/**
 * A field that advances in time. Immutable.
 *
 * @param tag the field
 * @param rate the field that is its derivative
 * @param equation the expression of the rate
 * @param text the same as it is written
 * @param initial its values at t = 0
 * @param exact its solution, if that is known
 */
record Unknown(
        Tag<Cell> tag,
        Tag<Cell> rate,
        Expr<Cell> equation,
        Text text,
        Text initial,
        @Nullable Text exact) {
    String name() {
        return tag.name();
    }
}

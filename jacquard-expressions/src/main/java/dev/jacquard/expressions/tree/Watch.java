package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import java.util.List;

/**
 * A field's distance from {@code a · first + b · second}, at each point alone, found while the field is computed.
 * Immutable.
 *
 * @param a 1, or another power of 2, so that all orders of operations have the same bits
 * @param b the same, with any sign; 0 if there is no second field
 * @param deviation gets the distance
 */
record Watch(Tag<?> first, double a, Tag<?> second, double b, Deviation deviation) {
    /** Returns loops with the distance and the magnitude as further results, which read all fields. */
    @SuppressWarnings("unchecked") // a field is watched with others of its location
    <L extends Location> List<Lowering.Plan> plans(Grid grid, Tag<L> target, Expr<L> expression) {
        Expr<L> one = (Tag<L>) first;
        Expr<L> other = b == 0 ? one.times(a) : one.times(a).plus(((Tag<L>) second).times(b));
        return Lowering.loops(grid, target.location(), expression, other);
    }

    /** Returns the watch of a loop. */
    WatchedLoop of(Lowering.Plan plan) {
        return new WatchedLoop(
                plan,
                plan.inputs().indexOf(new Lowering.Plan.Input(first, first.isVector() ? plan.axis() : 0)),
                plan.inputs().indexOf(new Lowering.Plan.Input(second, second.isVector() ? plan.axis() : 0)),
                this);
    }
}

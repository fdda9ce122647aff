package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;

/**
 * A loop of the user's that multiplies a field.
 *
 * @param each called whenever the loop begins
 */
record HookedLoop(Grid grid, Tag<Cell> from, double factor, Tag<Cell> to, Runnable each) implements Expression {
    @Override
    public void advertise(Dependents dependents) {
        dependents.reads(from).computes(to);
    }

    @Override
    public Evaluation bind(Bindings bindings) {
        Values values = bindings.reads(from);
        Results results = bindings.computes(to);
        return run -> {
            each.run();
            for (int y = 0; y < grid.cells(1); y++) {
                for (int x = 0; x < grid.cells(0); x++) {
                    results.set(x, y, 0, factor * values.get(x, y, 0));
                }
            }
        };
    }
}

package dev.jacquard.bench.fields;

import dev.jacquard.bench.fields.Inputs.PointValue;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.Assignment;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.memory.data.DataType;
import java.util.List;

/**
 * A computation that the systems of one workload do.
 *
 * @param grid of the fields
 * @param inputs the fields that are set; their places in this list are their numbers
 * @param steps the computations of Jacquard, one after the other; the last one is the result
 * @param expected the result's values
 * @param loops the loops of {@code fields.cpp} that compute the same; none where there is no C
 */
record Recipe(Grid grid, List<Tag<?>> inputs, List<Step<?>> steps, PointValue expected, List<String> loops) {
    private static final double DOUBLE_TOLERANCE = 1e-10;
    private static final double FLOAT_TOLERANCE = 1e-4;

    Recipe {
        inputs = List.copyOf(inputs);
        steps = List.copyOf(steps);
        loops = List.copyOf(loops);
    }

    /**
     * An expression and the field that it is assigned to.
     *
     * @param <L> where the values lie
     */
    record Step<L extends Location>(Tag<L> target, Expr<L> expression) {
        List<Lowering.Plan> plans(Grid grid) {
            return Lowering.loops(grid, target.location(), expression);
        }

        Assignment assignment(FieldStore fields, Loops.Form form) {
            return Assignment.of(fields, target, expression, form);
        }
    }

    /** Returns the recipe of one expression. */
    static <L extends Location> Recipe of(
            Grid grid, List<Tag<?>> inputs, Tag<L> target, Expr<L> expression, PointValue expected, String... loops) {
        return new Recipe(grid, inputs, List.of(new Step<>(target, expression)), expected, List.of(loops));
    }

    Tag<?> result() {
        return steps.getLast().target();
    }

    /** Returns the number of points of the result. */
    long points() {
        return grid.interior(result().centring(0)).points();
    }

    /** Returns the sum that a right result has. */
    Inputs.Sum sum() {
        return Inputs.sum(grid.interior(result().centring(0)), expected);
    }

    /** Returns how far a sum may be from that, as a part of the sum of absolute values. */
    double tolerance() {
        return grid.type() == DataType.FLOAT32 ? FLOAT_TOLERANCE : DOUBLE_TOLERANCE;
    }
}

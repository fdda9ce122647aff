package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A field that an expression of the language gives, by one loop for each component.
 *
 * @param target the field
 * @param formula the expression
 * @param <L> where both lie
 */
record FormulaComputation<L extends Location>(Tag<L> target, Expr<L> formula) implements Computation {
    @Override
    public Set<Tag<?>> computes() {
        return Set.of(target);
    }

    @Override
    public Set<Tag<?>> reads() {
        return formula.reads();
    }

    @Override
    public Set<String> parameters() {
        return formula.parameters();
    }

    @Override
    public int ghostsRead(Grid grid, Tag<?> tag) {
        int layers = 0;
        for (Lowering.Plan plan : plans(grid)) {
            for (int i = 0; i < plan.inputs().size(); i++) {
                layers = plan.inputs().get(i).tag().equals(tag) ? Math.max(layers, plan.ghosts(i, grid)) : layers;
            }
        }
        return layers;
    }

    @Override
    public int ghostsComputed(Tag<?> tag) {
        return 0;
    }

    @Override
    public int loops(Grid grid) {
        return target.components(grid);
    }

    @Override
    public long movedBytes(Grid grid) {
        long bytes = 0;
        for (Lowering.Plan plan : plans(grid)) {
            bytes += (plan.inputs().size() + 1)
                    * grid.interior(plan.centring()).points()
                    * grid.type().bytes();
        }
        return bytes;
    }

    /** Returns the loops, one for each component. */
    List<Lowering.Plan> plans(Grid grid) {
        return Lowering.loops(grid, target.location(), formula);
    }

    @Override
    @SuppressWarnings("unchecked") // another name has the same location
    public Computation renamed(UnaryOperator<Tag<?>> names) {
        return new FormulaComputation<>((Tag<L>) names.apply(target), formula.inline(read -> {
            Tag<?> name = names.apply(read);
            return name.equals(read) ? null : name;
        }));
    }

    @Override
    public Assignment assignment(
            FieldStore fields, FieldLookup lookup, Loops.Form form, List<Integer> tile, @Nullable Watch watch) {
        return Assignment.of(fields, lookup, target, formula, form, tile, watch);
    }
}

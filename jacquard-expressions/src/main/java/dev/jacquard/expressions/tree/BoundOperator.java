package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.tree.Expression.Results;
import dev.jacquard.expressions.tree.Expression.Run;
import dev.jacquard.expressions.tree.Expression.Values;
import dev.jacquard.expressions.tree.OperatorDatabase.Formula;
import dev.jacquard.expressions.tree.OperatorDatabase.Implementation;
import dev.jacquard.expressions.tree.OperatorDatabase.Signature;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operator that was looked up for the fields of one store on the host: a loop that was registered, or the one that
 * is generated for a formula.
 *
 * <p>Threads: any.
 */
final class BoundOperator implements OperatorDatabase.Loop {
    private static final double[] NO_PARAMETERS = {};

    private final Signature<?, ?> type;
    private final Centring from;
    private final Centring to;
    private final int ghosts;
    private final OperatorDatabase.Loop loop;

    private BoundOperator(Signature<?, ?> type, int ghosts, OperatorDatabase.Loop loop) {
        this.type = type;
        this.from = new Tag<>("operand", type.from()).centring(0);
        this.to = new Tag<>("result", type.to()).centring(0);
        this.ghosts = ghosts;
        this.loop = loop;
    }

    /**
     * Returns the operator of an entry.
     *
     * @throws IllegalArgumentException if it is from or to a vector, or reads more than its operand
     */
    static BoundOperator of(FieldStore fields, Signature<?, ?> type, Implementation entry) {
        if (new Tag<>("operand", type.from()).isVector() || new Tag<>("result", type.to()).isVector()) {
            throw new IllegalArgumentException("loops are applied to fields, and operator " + type
                    + " has a vector: look up one for FaceX, FaceY" + " or FaceZ");
        }
        OperatorDatabase.Loop loop = entry.loop();
        return loop == null ? generated(fields, type, entry.formula()) : new BoundOperator(type, entry.ghosts(), loop);
    }

    @SuppressWarnings("unchecked") // an entry's formula is of the entry's type
    private static <S extends Location, T extends Location> BoundOperator generated(
            FieldStore fields, Signature<S, T> type, @Nullable Formula<?, ?> formula) {
        Grid grid = fields.grid();
        Tag<S> operand = new Tag<>("operand", type.from());
        Formula<S, T> its = (Formula<S, T>) Objects.requireNonNull(formula);
        Lowering.Plan plan = Lowering.loops(grid, type.to(), OperatorDatabase.value(type, its, operand))
                .getFirst();
        if (plan.inputs().size() != 1
                || !plan.inputs().getFirst().tag().equals(operand)
                || !plan.body().parameters().isEmpty()) {
            throw new IllegalArgumentException("operator " + type + " reads " + plan.inputs() + " and parameters "
                    + plan.body().parameters() + ", and a loop gives it its operand alone: use its formula");
        }
        Loop padded = fields.loops().loop(plan.body(), Loops.Form.AUTO);
        return new BoundOperator(type, plan.ghosts(0, grid), (run, values, results) -> {
            boolean arePadded = values.isPadded() && results.isPadded();
            Loop loop = arePadded ? padded : fields.loops().loop(plan.body(), Loops.Form.PLAIN);
            Binding binding = new Binding(plan.body(), List.of(values.place(), results.place()));
            run.parallel(results.interior(), part -> loop.run(binding, NO_PARAMETERS, part));
        });
    }

    @Override
    public void apply(Run run, Values operand, Results result) throws Exception {
        require(operand, from, "is applied to");
        require(result, to, "gives");
        if (operand.ghosts() < ghosts) {
            throw new IllegalArgumentException("operator " + type + " reads " + UserExpression.layers(ghosts) + " of \""
                    + operand.field().name() + "\", of which the expression advertises " + operand.ghosts()
                    + ": dependents.reads(tag, " + ghosts + ") does");
        }
        loop.apply(run, operand, result);
    }

    private void require(Values values, Centring expected, String does) {
        if (values.field().centring() != expected) {
            throw new IllegalArgumentException(
                    "operator " + type + " " + does + " " + values.field() + ", which lies elsewhere");
        }
    }
}

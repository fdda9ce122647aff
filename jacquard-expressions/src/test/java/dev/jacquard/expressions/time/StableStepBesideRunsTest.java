package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.Assignment;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.expressions.tree.RunsBeside;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The longest stable step while another thread changes the field that advances. */
@Timeout(180)
class StableStepBesideRunsTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> RATE = Tag.cell("dT/dt");

    /** T is 1 or 10 everywhere, and so are its ghosts: the conductivity is 1 or 100. */
    @Test
    void itIsThatOfOneMoment() {
        Grid grid = Grid.of(16, 16).ghosts(1);
        ExpressionTree tree = Model.of(grid)
                .source(T)
                .define(RATE, div(faces(T.times(T)).times(grad(T))))
                .tree(RATE);
        try (Session session = Session.builder().workers(2).noMainThread().open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> 1);
            Ssp.Of method = Ssp.order(2).advance(T, RATE).of(tree);
            for (Side side : Set.of(Side.X_LOW, Side.X_HIGH, Side.Y_LOW, Side.Y_HIGH)) {
                method = method.boundary(T, side, Condition.neumann(0));
            }
            Integrator steps = method.compile(fields);
            CompiledGraph change = session.record(
                    graph -> Assignment.of(fields, T, T.pow(-1).times(10)).submit(graph));
            double one = steps.stableStep();
            change.run();
            double other = steps.stableStep();
            try (RunsBeside _ = new RunsBeside(change)) {
                for (int i = 0; i < 500; i++) {
                    double step = steps.stableStep();
                    assertTrue(step == one || step == other, step + " is neither " + one + " nor " + other);
                }
            }
        }
    }
}

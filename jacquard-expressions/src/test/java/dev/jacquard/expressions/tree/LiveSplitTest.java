package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.parameter;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.atomic.DoubleAccumulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Trees in two slabs whose tasks are submitted live, beside runs of another graph. */
@Timeout(180)
class LiveSplitTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> NEXT = Tag.cell("next");

    /**
     * A run of another graph may come between the tasks of the slabs, and finds one slab or both as they were before.
     */
    @Test
    void aSlabThatIsNotYetSubmittedHasTheValuesOfTheStepBefore() {
        Grid grid = Grid.of(8, 8).ghosts(1);
        ExpressionTree tree = Model.of(grid)
                .source(T)
                .define(NEXT, T.times(parameter("k")))
                .tree(NEXT)
                .split(ExecutionTarget.EMULATED, 0.5);
        try (Session session = Session.builder().workers(2).devices("emulated0").open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> 1);
            fields.set(NEXT, (x, y, z) -> 0);
            GridField next = fields.field(NEXT);
            DoubleAccumulator worst = new DoubleAccumulator(Math::max, 0);
            CompiledGraph look = session.record(graph -> graph.task("look")
                    .reads(next.data())
                    .run(context -> {
                        Binding.Place place = next.place(context.memory(next.data()));
                        double apart = Math.abs(value(place, 0) - value(place, 7));
                        worst.accumulate(apart);
                    }));
            try (RunsBeside _ = new RunsBeside(look)) {
                for (int k = 1; k <= 1_000; k++) {
                    tree.submit(fields, session.graph(), Map.of("k", (double) k));
                    session.graph().await();
                }
            }
            assertTrue(worst.get() <= 1, () -> "slabs of steps that are " + worst + " apart");
        }
    }

    private static double value(Binding.Place place, int y) {
        return place.segment().get(ValueLayout.JAVA_DOUBLE_UNALIGNED, place.start() + y * place.strideY());
    }
}

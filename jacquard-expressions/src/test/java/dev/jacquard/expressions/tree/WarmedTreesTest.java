package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.tree.Boundaries.Condition.dirichlet;
import static dev.jacquard.expressions.tree.Boundaries.Condition.neumann;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import org.junit.jupiter.api.Test;

/** Trees whose loops are compiled before they first run. */
class WarmedTreesTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<Cell> RATE = Tag.cell("dT/dt");
    private static final Grid LARGE = Grid.of(64, 64, 32).ghosts(1);

    @Test
    void loopsOfLargeFieldsAreWarmedUnlessTheUserSaysNo() {
        try (Session session = Session.builder().workers(2).open();
                FieldStore warm = FieldStore.open(session, LARGE);
                FieldStore cold = FieldStore.open(session, LARGE);
                FieldStore small = FieldStore.open(session, Grid.of(64, 64, 31).ghosts(1))) {
            cold.loops().warm(false);
            double[] expected = rates(session, cold);
            assertEquals(0, cold.loops().warmed());
            assertArrayEquals(expected, rates(session, warm));
            assertEquals(1, warm.loops().warmed());
            rates(session, small);
            assertEquals(0, small.loops().warmed());
        }
    }

    @Test
    void loopsThatDevicesMayRunAreNotWarmed() {
        try (Session session = Session.builder().devices("emulated0").open();
                FieldStore fields = FieldStore.open(session, LARGE)) {
            rates(session, fields);
            assertEquals(0, fields.loops().warmed());
        }
    }

    /** The loop is interpreted first. Whether the other one has replaced it by the end depends on the JVM. */
    @Test
    void loopsOfSmallFieldsAreWarmedWhenTheyHaveDoneMuchWork() {
        try (Session session = Session.builder().workers(2).open();
                FieldStore small = FieldStore.open(session, Grid.of(64, 64, 31).ghosts(1))) {
            CompiledGraph graph = compiled(session, small);
            graph.run();
            double[] expected = small.values(RATE);
            assertEquals(0, small.loops().warmed());
            for (int i = 0; i < 500 && small.loops().warmed() == 0; i++) {
                graph.run();
            }
            assertTrue(small.loops().warmed() > 0);
            small.loops().awaitWarm();
            graph.run();
            assertArrayEquals(expected, small.values(RATE));
        }
    }

    private static double[] rates(Session session, FieldStore fields) {
        CompiledGraph graph = compiled(session, fields);
        for (int i = 0; i < 3; i++) {
            graph.run();
        }
        return fields.values(RATE);
    }

    private static CompiledGraph compiled(Session session, FieldStore fields) {
        fields.set(T, (x, y, z) -> Math.sin(0.1 * x + 0.2 * y - 0.3 * z));
        fields.set(K, (x, y, z) -> 1 + 0.01 * x * y);
        Boundaries walls = Boundaries.of(fields, T);
        for (Side side : Side.values()) {
            walls = walls.on(side, side.isHigh() ? neumann(0.5) : dirichlet(1));
        }
        walls.submit(session.graph(), 0);
        return Model.of(fields.grid())
                .source(T, K)
                .define(RATE, div(faces(K).times(grad(T))))
                .tree(RATE)
                .compile(fields);
    }
}

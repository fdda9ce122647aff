package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.tree.Boundaries.Condition.dirichlet;
import static dev.jacquard.expressions.tree.Boundaries.Condition.neumann;
import static dev.jacquard.expressions.tree.Boundaries.Condition.periodic;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.DataType;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ghost cells by boundary conditions. */
class BoundariesTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> R = Tag.cell("r");

    private final Session session = Session.builder().workers(1).open();

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void conditionsFillAllLayers() {
        Grid grid = Grid.of(4, 3).lengths(2, 1.5).ghosts(2);
        FieldStore fields = FieldStore.open(session, grid);
        fields.set(T, (x, y, z) -> 10 * x + y);
        TaskGraph graph = session.graph();
        Boundaries.of(fields, T)
                .on(Side.X_LOW, dirichlet((x, y, z, t) -> x + y + t))
                .on(Side.X_HIGH, neumann((x, y, z, t) -> x))
                .on(Side.Y_LOW, periodic())
                .on(Side.Y_HIGH, periodic())
                .submit(graph, 100);
        graph.await();
        // Cells lie at 0.25, 0.75, ...; h is 0.5.
        assertEquals(2 * (0 + 0.25 + 100) - (2.5 + 0.25), at(fields, -1, 0), 1e-12);
        assertEquals(2 * (0 + 0.75 + 100) - (7.5 + 0.75), at(fields, -2, 1), 1e-12);
        assertEquals(17.5 + 0.25 + 0.5 * 2, at(fields, 4, 0), 1e-12);
        assertEquals(12.5 + 0.25 + 3 * 0.5 * 2, at(fields, 5, 0), 1e-12);
        assertEquals(at(fields, 1, 2), at(fields, 1, -1));
        assertEquals(at(fields, 1, 1), at(fields, 1, -2));
        assertEquals(at(fields, 2, 0), at(fields, 2, 3));
        assertEquals(at(fields, 2, 1), at(fields, 2, 4));
        assertEquals(at(fields, -1, 2), at(fields, -1, -1)); // a corner
        assertEquals(at(fields, 5, 1), at(fields, 5, 4));
        fields.close();
    }

    /** The wall of a corner's ghost is that of the cell which it repeats, whichever axis is periodic. */
    @Test
    void whatIsGivenAtAWallIsThatOfTheOtherEndBehindAPeriodicOne() {
        FieldStore fields = FieldStore.open(session, Grid.of(3, 4).lengths(3, 4).ghosts(1));
        fields.set(T, (x, y, z) -> 10 * x + y);
        TaskGraph graph = session.graph();
        Boundaries.of(fields, T)
                .on(Side.X_LOW, periodic())
                .on(Side.X_HIGH, periodic())
                .on(Side.Y_LOW, dirichlet((x, y, z, t) -> x))
                .on(Side.Y_HIGH, neumann((x, y, z, t) -> x))
                .submit(graph, 0);
        graph.await();
        assertEquals(2 * 2.5 - (25 + 0.5), at(fields, 2, -1), 1e-12);
        assertEquals(at(fields, 2, -1), at(fields, -1, -1));
        assertEquals(at(fields, 0, -1), at(fields, 3, -1));
        assertEquals(at(fields, 2, 4), at(fields, -1, 4));
        assertEquals(at(fields, 0, 4), at(fields, 3, 4));
        fields.close();
    }

    private static double at(FieldStore fields, int x, int y) {
        try (UserView view = fields.session().data().open(fields.field(T).data(), Mode.READ)) {
            Binding.Place place = fields.field(T).place(view.memory());
            return place.segment().get(ValueLayout.JAVA_DOUBLE_UNALIGNED, place.start() + y * place.strideY() + 8L * x);
        }
    }

    /** The Laplacian of a wave on a periodic grid is the discrete one everywhere, walls included. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void periodicGridsHaveNoWalls(int dimensions) {
        int n = 12;
        Grid grid = Grid.of(java.util.Arrays.copyOf(new int[] {n, n, n}, dimensions))
                .lengths(java.util.Arrays.copyOf(new double[] {1, 1, 1}, dimensions))
                .ghosts(1)
                .type(dimensions == 2 ? DataType.FLOAT32 : DataType.FLOAT64);
        FieldStore fields = FieldStore.open(session, grid);
        double k = 2 * Math.PI;
        fields.set(T, (x, y, z) -> x < 0 || x > 1 ? Double.NaN : Math.sin(k * x));
        TaskGraph graph = session.graph();
        Boundaries walls = Boundaries.of(fields, T);
        for (Side side : Side.values()) {
            walls = side.axis() < dimensions ? walls.on(side, periodic()) : walls;
        }
        walls.submit(graph, 0);
        Assignment.of(fields, R, div(grad(T))).submit(graph);
        graph.await();
        double h = 1.0 / n;
        double factor = (2 * Math.cos(k * h) - 2) / (h * h);
        double[] found = fields.values(R);
        for (int i = 0; i < found.length; i++) {
            assertEquals(factor * Math.sin(k * (i % n + 0.5) * h), found[i], dimensions == 2 ? 1e-2 : 1e-11);
        }
        fields.close();
    }

    @Test
    void refusesWhatIsMissing() {
        FieldStore fields = FieldStore.open(session, Grid.of(4, 4).ghosts(1));
        TaskGraph graph = session.graph();
        Boundaries none = Boundaries.of(fields, T);
        assertMentions(
                assertThrows(IllegalStateException.class, () -> none.submit(graph, 0)),
                "\"T\" has no condition on side X_LOW");
        Boundaries half = none.on(Side.X_LOW, periodic()).on(Side.X_HIGH, dirichlet(0));
        assertMentions(
                assertThrows(IllegalStateException.class, () -> half.submit(graph, 0)),
                "periodic on side X_LOW and not on X_HIGH");
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> none.on(Side.Z_LOW, periodic())), "no side Z_LOW");
        fields.close();
        FieldStore thin = FieldStore.open(session, Grid.of(1).ghosts(2));
        Boundaries walls = Boundaries.of(thin, T).on(Side.X_LOW, periodic()).on(Side.X_HIGH, periodic());
        assertMentions(
                assertThrows(IllegalStateException.class, () -> walls.submit(graph, 0)), "2 ghost layers", "1 cells");
        thin.close();
    }
}

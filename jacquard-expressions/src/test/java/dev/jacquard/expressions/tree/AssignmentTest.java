package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.exp;
import static dev.jacquard.expressions.language.Functions.number;
import static dev.jacquard.expressions.language.Functions.parameter;
import static dev.jacquard.expressions.language.Functions.where;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.gradZ;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.language.Operators.stencil;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Functions;
import dev.jacquard.expressions.language.Stencil;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions that tasks compute over the fields of a store. */
class AssignmentTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<Cell> RHS = Tag.cell("dT/dt");
    private static final Tag<Faces> Q = Tag.faces("heat flux");
    private static final Expr<Faces> FLUX = faces(K).times(grad(T));

    /** The right-hand side of the heat equation converges with the second power of the cells' size. */
    @ParameterizedTest
    @EnumSource
    void heatIsOfSecondOrder(Loops.Form form) {
        double coarse = heatError(16, form);
        double fine = heatError(32, form);
        double order = Math.log(coarse / fine) / Math.log(2);
        assertTrue(order > 1.9 && order < 2.1, "order " + order);
    }

    private static double heatError(int cells, Loops.Form form) {
        Grid grid = Grid.of(cells, cells, cells).lengths(1, 1, 1).ghosts(1);
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> Math.sin(3 * x) * Math.cos(2 * y) + z * z);
            fields.set(K, (x, y, z) -> 1 + 0.5 * x * y);
            TaskGraph graph = session.graph();
            Assignment.of(fields, RHS, div(FLUX), form).submit(graph);
            graph.await();
            double[] found = fields.values(RHS);
            double worst = 0;
            int i = 0;
            for (int c = 0; c < cells; c++) {
                for (int b = 0; b < cells; b++) {
                    for (int a = 0; a < cells; a++) {
                        double x = (a + 0.5) / cells;
                        double y = (b + 0.5) / cells;
                        double k = 1 + 0.5 * x * y;
                        double exact = k * (-9 - 4) * Math.sin(3 * x) * Math.cos(2 * y)
                                + 2 * k
                                + 0.5 * y * 3 * Math.cos(3 * x) * Math.cos(2 * y)
                                - 0.5 * x * 2 * Math.sin(3 * x) * Math.sin(2 * y);
                        worst = Math.max(worst, Math.abs(found[i++] - exact));
                    }
                }
            }
            return worst;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void workersAndFormsChangeNoBit(int dimensions) {
        int[] cells = {70, 30, 20}; // more points than a part of a loop has
        Grid grid =
                Grid.of(java.util.Arrays.copyOf(cells, dimensions)).ghosts(1).type(DataType.FLOAT32);
        double[] expected = null;
        for (Loops.Form form : Loops.Form.values()) {
            for (int workers = 1; workers <= 3; workers += 2) {
                try (Session session = Session.builder().workers(workers).open();
                        FieldStore fields = FieldStore.open(session, grid)) {
                    fields.set(T, (x, y, z) -> Math.sin(x + 2 * y + 3 * z));
                    TaskGraph graph = session.graph();
                    Assignment.of(fields, RHS, laplacian(exp(T)).plus(where(T.lessThan(0), T, number(1))), form)
                            .submit(graph);
                    graph.await();
                    double[] values = fields.values(RHS);
                    expected = expected == null ? values : expected;
                    assertArrayEquals(expected, values);
                }
            }
        }
    }

    @Test
    void aVectorIsAFieldForEachDimension() {
        Grid grid = Grid.of(6, 5).ghosts(1);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> 2 * x - 3 * y);
            fields.set(K, (x, y, z) -> 2);
            TaskGraph graph = session.graph();
            assertEquals(2, Assignment.of(fields, Q, FLUX).submit(graph).size());
            Assignment.of(fields, RHS, div(Q)).submit(graph);
            graph.await();
            double[] x = fields.values(fields.field(Q, 0));
            double[] y = fields.values(fields.field(Q, 1));
            assertEquals(7 * 5, x.length);
            assertEquals(6 * 6, y.length);
            for (double value : x) {
                assertEquals(4, value, 1e-14);
            }
            for (double value : y) {
                assertEquals(-6, value, 1e-14);
            }
            assertEquals(0, fields.max(RHS), 1e-13);
            assertThrows(IllegalArgumentException.class, () -> fields.field(Q));
        }
    }

    @Test
    void aFieldMayBeAssignedToItselfAtThePoint() {
        Grid grid = Grid.of(9, 4, 3);
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> x);
            TaskGraph graph = session.graph();
            Assignment twice =
                    Assignment.of(fields, T, T.times(parameter("factor")).plus(1));
            twice.submit(graph, Map.of("factor", 2.0));
            twice.submit(graph, Map.of("factor", 0.5));
            graph.await();
            double[] values = fields.values(T);
            assertEquals((0.5 * 2 + 1) * 0.5 + 1, values[0]);
            assertEquals((8.5 * 2 + 1) * 0.5 + 1, fields.max(T));
            assertEquals(values[0], fields.min(T));
        }
    }

    @Test
    void refusesWhatCannotBe() {
        Grid grid = Grid.of(8, 8);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> Assignment.of(fields, RHS, dx(T))),
                    "\"dT/dt\" reads \"T\" 1 layer beyond the boundary, and the grid has 0 ghost layers: ask for"
                            + " Grid.ghosts(1)");
            FieldStore more = FieldStore.open(session, grid.ghosts(1));
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> Assignment.of(more, T, dx(T))),
                    "\"T\" reads neighbours in the field that it is assigned to");
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class, () -> Assignment.of(more, Tag.faceZ("flux"), gradZ(T))),
                    "goes along z",
                    "2 dimensions");
            Assignment scaled = Assignment.of(more, RHS, T.times(parameter("c")));
            TaskGraph graph = session.graph();
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> scaled.submit(graph)),
                    "parameter \"c\" has no value");
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class, () -> scaled.submit(graph, Map.of("c", 1.0, "d", 2.0))),
                    "no parameter \"d\"");
            Stencil far = Stencil.builder().at(16, 0, 0, 1).at(0, 0, 0, -1).build();
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> Assignment.of(more, RHS, stencil(stencil(T, far), far))),
                    "reads \"T\" 32 layers beyond the boundary, and the grid has 1 ghost layer: a grid has 16 at most");
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> Stencil.builder().at(0, Integer.MIN_VALUE, 0, 1)),
                    "at most 16 cells far",
                    "2147483648");
            more.close();
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> more.set(T, (x, y, z) -> 1)),
                    "field \"T\" was asked for after its store was closed");
        }
    }

    @Test
    void readingAFieldThatNobodyHasSetFails() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(8))) {
            TaskGraph graph = session.graph();
            Assignment.of(fields, RHS, T.plus(1)).submit(graph);
            assertMentions(assertThrows(RuntimeException.class, graph::await), "reads T", "no task has written");
        }
    }

    @Test
    void fieldsAreLentToOneAtATime() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(8))) {
            GridField one = fields.lend(Centring.CELL);
            GridField other = fields.lend(Centring.CELL);
            assertNotEquals(one, other);
            fields.takeBack(one);
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> fields.takeBack(one)),
                    "is not lent by this store");
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> fields.takeBack(fields.field(T))),
                    "field \"T\" is not lent");
            assertEquals(Centring.FACE_X, fields.lend(Centring.FACE_X).centring());
            assertSame(one, fields.lend(Centring.CELL));
            fields.set(one, (x, y, z) -> x);
            assertArrayEquals(new double[] {0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5}, fields.values(one));
        }
    }

    @Test
    void sourceShowsTheLoop() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(8).ghosts(1))) {
            String source = Assignment.of(fields, RHS, dx(T)).source();
            assertTrue(source.contains("dT/dt (cell) from [T (cell)]"), source);
        }
    }

    /** The fields of a lost device are not computed again with numbers that are others by now. */
    @Test
    void lostFieldsAreNotComputedWithOtherNumbers() {
        Tag<Cell> source = Tag.cell("source of loss");
        Tag<Cell> twice = Tag.cell("twice");
        int told = 0;
        for (int operation = 1; operation < 6; operation++) {
            FaultPlan lost = FaultPlan.NONE.at(FaultPlan.Kind.LOSS, operation);
            try (Session session = Session.builder()
                            .workers(1)
                            .device(EmulatedDevice.offer("emulated0").faults(lost))
                            .open();
                    FieldStore fields = FieldStore.open(session, Grid.of(8))) {
                fields.set(source, (x, y, z) -> 1);
                Expr<Cell> product = source.times(Functions.<Cell>parameter("c"));
                Parameters numbers = Parameters.of(Map.of("c", 2.0));
                Assignment assignment = Assignment.of(fields, twice, product).on(ExecutionTarget.EMULATED);
                TaskGraph graph = session.graph();
                assignment.submit(graph, numbers);
                graph.await();
                numbers.set("c", 9);
                assertEquals(2, fields.max(twice));
            } catch (TaskFailedException e) {
                told++;
            }
        }
        assertTrue(told > 0, "some losses came between the loop and the look");
    }
}

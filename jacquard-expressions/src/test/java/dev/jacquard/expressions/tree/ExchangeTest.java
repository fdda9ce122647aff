package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.dy;
import static dev.jacquard.expressions.language.Operators.stencil;
import static dev.jacquard.expressions.tree.Boundaries.Condition.dirichlet;
import static dev.jacquard.expressions.tree.Boundaries.Condition.exchanged;
import static dev.jacquard.expressions.tree.Boundaries.Condition.neumann;
import static dev.jacquard.expressions.tree.Boundaries.Condition.periodic;
import static dev.jacquard.expressions.tree.UserExpressionTest.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Stencil;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.memory.data.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exchanges between the borders of fields. */
class ExchangeTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> NEXT = Tag.cell("next");
    private static final int X = 6;
    private static final int Y = 5;
    private static final int STEPS = 4;

    private static double value(double x, double y) {
        return Math.sin(1.7 * x) + Math.cos(0.9 * y) * x;
    }

    /** Reads corners, and two layers of ghosts. */
    private static Expr<Cell> change() {
        Expr<Cell> diagonal = stencil(
                T,
                Stencil.builder()
                        .at(-2, -1, 0, 0.25)
                        .at(1, 2, 0, 0.125)
                        .at(0, 0, 0, 0.5)
                        .build());
        return diagonal.plus(dx(T).times(0.25)).minus(dy(T).times(0.125));
    }

    /** Returns the values of a whole that repeats itself, after some steps. */
    private static double[] whole(DataType type) {
        Grid grid = Grid.of(2 * X, 2 * Y).ghosts(2).type(type);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> value(x, y));
            Boundaries all = Boundaries.of(fields, T);
            for (Side side : List.of(Side.X_LOW, Side.X_HIGH, Side.Y_LOW, Side.Y_HIGH)) {
                all = all.on(side, periodic());
            }
            for (int i = 0; i < STEPS; i++) {
                all.submit(session.graph(), 0);
                Assignment.of(fields, NEXT, change()).submit(session.graph());
                Assignment.of(fields, T, NEXT).submit(session.graph());
            }
            session.graph().await();
            return fields.values(T);
        }
    }

    /** Four parts that exchange their borders give the bits of the whole, corners included. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void partsThatExchangeGiveTheWhole(int workers) {
        DataType type = workers == 2 ? DataType.FLOAT32 : DataType.FLOAT64;
        double[] expected = whole(type);
        try (Session session = Session.builder().workers(workers).open()) {
            List<FieldStore> parts = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Grid grid = Grid.of(X, Y).ghosts(2).type(type).origin(i % 2 * X, i / 2 * Y);
                FieldStore part = FieldStore.open(session, grid);
                part.set(T, (x, y, z) -> value(x, y));
                parts.add(part);
            }
            CompiledGraph step = session.record(graph -> {
                for (Side side : List.of(Side.X_LOW, Side.X_HIGH, Side.Y_LOW, Side.Y_HIGH)) {
                    for (int i = 0; i < 4; i++) {
                        int neighbour = side.axis() == 0 ? i ^ 1 : i ^ 2;
                        Exchange.of(
                                        parts.get(i).field(T),
                                        side,
                                        parts.get(neighbour).field(T))
                                .submit(graph);
                    }
                }
                for (FieldStore part : parts) {
                    Assignment.of(part, NEXT, change()).submit(graph);
                    Assignment.of(part, T, NEXT).submit(graph);
                }
            });
            for (int i = 0; i < STEPS; i++) {
                step.run();
            }
            for (int i = 0; i < 4; i++) {
                double[] found = parts.get(i).values(T);
                for (int y = 0; y < Y; y++) {
                    for (int x = 0; x < X; x++) {
                        double its = expected[(i / 2 * Y + y) * 2 * X + i % 2 * X + x];
                        assertEquals(its, found[y * X + x], "part " + i + " at " + x + ", " + y);
                    }
                }
            }
            parts.forEach(FieldStore::close);
        }
    }

    private static final int[] PARTS = {2, 3, 2};
    private static final int[] CELLS = {4, 3, 5};

    /** Fills the ghosts of one part of a whole that has walls: its inner sides are exchanged. */
    private static Boundaries walls(FieldStore fields, int[] part, int[] parts, int axis) {
        Boundaries its = Boundaries.of(fields, T);
        for (Side side : Side.values()) {
            boolean wall = side.axis() == axis && part[axis] == (side.isHigh() ? parts[axis] - 1 : 0);
            Boundaries.Condition condition = side.isHigh() ? dirichlet((x, y, z, t) -> x + y * z) : neumann(0.25);
            its = its.on(side, wall ? condition : exchanged());
        }
        return its;
    }

    /** Submits some steps of what {@code parts} in a row along each axis compute. */
    private static void walled(Session session, List<FieldStore> parts, int[] inARow) {
        for (int step = 0; step < STEPS; step++) {
            for (Side side : Side.values()) {
                for (int i = 0; i < parts.size(); i++) {
                    int[] at = place(i, inARow);
                    at[side.axis()] += side.isHigh() ? 1 : -1;
                    if (at[side.axis()] >= 0 && at[side.axis()] < inARow[side.axis()]) {
                        int neighbour = at[0] + inARow[0] * (at[1] + inARow[1] * at[2]);
                        GridField to = parts.get(neighbour).field(T);
                        Exchange.of(parts.get(i).field(T), side, to).submit(session.graph());
                    }
                }
                for (int i = 0; side.isHigh() && i < parts.size(); i++) {
                    walls(parts.get(i), place(i, inARow), inARow, side.axis()).submit(session.graph(), 0);
                }
            }
            for (FieldStore part : parts) {
                Stencil corners = Stencil.builder()
                        .at(-1, -1, 1, 0.25)
                        .at(1, 1, -1, 0.5)
                        .at(-1, 1, 0, 0.125)
                        .build();
                Assignment.of(part, NEXT, stencil(T, corners)).submit(session.graph());
                Assignment.of(part, T, NEXT).submit(session.graph());
            }
        }
        session.graph().await();
    }

    private static int[] place(int part, int[] inARow) {
        return new int[] {part % inARow[0], part / inARow[0] % inARow[1], part / inARow[0] / inARow[1]};
    }

    private static FieldStore part(Session session, int[] cells, int[] at) {
        Grid grid = Grid.of(cells).ghosts(1).origin(at[0] * cells[0], at[1] * cells[1], at[2] * cells[2]);
        FieldStore part = FieldStore.open(session, grid);
        part.set(T, (x, y, z) -> value(x, y) + z);
        return part;
    }

    /** Also where a border between parts meets a wall. */
    @Test
    void partsWithWallsGiveTheWhole() {
        int[] all = {PARTS[0] * CELLS[0], PARTS[1] * CELLS[1], PARTS[2] * CELLS[2]};
        int[] one = {1, 1, 1};
        try (Session session = Session.builder().workers(2).open();
                FieldStore whole = part(session, all, new int[3])) {
            walled(session, List.of(whole), one);
            double[] expected = whole.values(T);
            List<FieldStore> parts = new ArrayList<>();
            for (int i = 0; i < PARTS[0] * PARTS[1] * PARTS[2]; i++) {
                parts.add(part(session, CELLS, place(i, PARTS)));
            }
            walled(session, parts, PARTS);
            for (int i = 0; i < parts.size(); i++) {
                int[] at = place(i, PARTS);
                double[] found = parts.get(i).values(T);
                for (int cell = 0; cell < found.length; cell++) {
                    int[] inside = place(cell, CELLS);
                    int x = at[0] * CELLS[0] + inside[0];
                    int y = at[1] * CELLS[1] + inside[1];
                    int z = at[2] * CELLS[2] + inside[2];
                    assertEquals(expected[(z * all[1] + y) * all[0] + x], found[cell], "at " + x + ", " + y + ", " + z);
                }
            }
            parts.forEach(FieldStore::close);
        }
    }

    /** A face between two fields belongs to both: the ghosts are the faces behind it. */
    @Test
    void facesBetweenFieldsBelongToBoth() {
        Tag<FaceX> u = Tag.faceX("u");
        try (Session session = Session.builder().workers(1).open();
                FieldStore left = FieldStore.open(session, Grid.of(4, 3, 2).ghosts(2));
                FieldStore right =
                        FieldStore.open(session, Grid.of(5, 3, 2).ghosts(2).origin(4, 0, 0))) {
            left.set(u, (x, y, z) -> x < -0.5 || x > 4.5 ? -1 : x + 10 * y + 100 * z);
            right.set(u, (x, y, z) -> x < 3.5 || x > 9.5 ? -1 : x + 10 * y + 100 * z);
            Exchange.of(left.field(u), Side.X_HIGH, right.field(u)).submit(session.graph());
            Exchange.of(right.field(u), Side.X_LOW, left.field(u)).submit(session.graph());
            session.graph().await();
            Tag<FaceX> behind = Tag.faceX("two behind");
            Assignment.of(
                            left,
                            behind,
                            stencil(u, Stencil.builder().at(2, 0, 0, 1).build()))
                    .submit(session.graph());
            Assignment.of(
                            right,
                            behind,
                            stencil(u, Stencil.builder().at(-2, 0, 0, 1).build()))
                    .submit(session.graph());
            session.graph().await();
            double[] its = left.values(behind);
            assertEquals(6 + 5 + 50, its[4]);
            assertEquals(6 + 5 + 10 + 50, its[5 + 4]);
            assertEquals(6 + 25 + 150, its[its.length - 1]);
            assertEquals(2 + 5 + 50, right.values(behind)[0]);
            assertEquals(3 + 5 + 50, right.values(behind)[1]);
        }
    }

    /** While the border is exchanged, tasks compute the core: neither waits for the other. */
    @Test
    void coresAreComputedMeanwhile() {
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, Grid.of(8, 8).ghosts(1))) {
            fields.set(T, (x, y, z) -> x);
            GridField field = fields.field(T);
            CountDownLatch exchanged = new CountDownLatch(1);
            session.graph().task("core").updates(field.core(1)).run(context -> exchanged.await());
            Exchange.of(field, Side.X_HIGH, field).submit(session.graph()).join();
            exchanged.countDown();
            session.graph().await();
            session.graph()
                    .task("look")
                    .reads(field.border(Side.X_HIGH, 1))
                    .reads(field.ghosts(Side.X_LOW))
                    .run(context -> {
                        assertEquals(
                                7.5,
                                context.memory(field.border(Side.X_HIGH, 1)).getDouble(3, 0));
                        assertEquals(
                                7.5, context.memory(field.ghosts(Side.X_LOW)).getDouble(3, 0));
                    });
            session.graph().await();
        }
    }

    @Test
    void refusesFieldsThatDoNotMeet() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(8, 6).ghosts(1));
                FieldStore wide = FieldStore.open(session, Grid.of(8, 7).ghosts(1));
                FieldStore thin = FieldStore.open(session, Grid.of(1, 6).ghosts(2));
                FieldStore bare = FieldStore.open(session, Grid.of(8, 6))) {
            GridField field = fields.field(T);
            refused(
                    () -> Exchange.of(field, Side.X_HIGH, wide.field(T)),
                    "T (cell) on 8x6 cells",
                    "8x7 cells",
                    "do not meet at side X_HIGH");
            Exchange.of(field, Side.Y_HIGH, wide.field(T));
            refused(() -> Exchange.of(field, Side.Z_LOW, field), "has no side Z_LOW");
            refused(() -> Exchange.of(field, Side.X_LOW, fields.field(Tag.faceX("u"))), "u (face x)");
            refused(() -> Exchange.of(thin.field(T), Side.X_LOW, thin.field(T)), "2 ghost layers", "1 cells");
            refused(() -> Exchange.of(bare.field(T), Side.X_LOW, bare.field(T)), "ask for Grid.ghosts(1)");
        }
    }
}

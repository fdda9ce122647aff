package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.tree.Boundaries.Condition.dirichlet;
import static dev.jacquard.expressions.tree.UserExpressionTest.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.OperatorDatabase.Kind;
import dev.jacquard.expressions.tree.OperatorDatabase.Signature;
import dev.jacquard.memory.data.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields in memory of the user's. */
class ExternalFieldsTest {
    static final Tag<Cell> T = Tag.cell("T");
    static final Tag<Cell> BEND = Tag.cell("bend");
    static final Tag<Cell> TWICE = Tag.cell("twice");
    static final Grid GRID = Grid.of(5, 5, 4).lengths(1, 0.5, 0.25).ghosts(1);
    /** Of 7 x 7 x 6 points with ghosts: rows 12 apart, planes 100. */
    private static final long[] STRIDES = {1, 12, 100};

    static final int ELEMENTS = 5 * 100 + 6 * 12 + 7;
    private static final double GAP = -77;

    static double value(double x, double y, double z) {
        return Math.sin(3 * x) * Math.cos(2 * y) + z * z;
    }

    static double[] expected(Tag<Cell> tag) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, ExternalFieldsTest::value);
            model().tree(tag).compile(fields).run();
            return fields.values(tag);
        }
    }

    static Model model() {
        return Model.of(GRID)
                .source(T)
                .define(BEND, laplacian(T))
                .define(TWICE, BEND.plus(T).times(2));
    }

    /** Rows of three fields in turn, in one array: none of them touches the others. */
    @ParameterizedTest
    @EnumSource(Loops.Form.class)
    void fieldsWithRowsInTurnShareAnArray(Loops.Form form) {
        double[] bend = expected(BEND);
        double[] twice = expected(TWICE);
        MemorySegment all = MemorySegment.ofArray(new double[6 * 7 * 21]);
        long[] strides = {1, 21, 7 * 21};
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.external(T, all, strides);
            fields.external(BEND, all.asSlice(7 * 8), strides);
            fields.external(TWICE, all.asSlice(14 * 8), strides);
            fields.set(T, ExternalFieldsTest::value);
            ExpressionTree tree = model().tree(TWICE, BEND).loops(form).fuse(false);
            CompiledGraph compiled = tree.compile(fields);
            for (int i = 0; i < 50; i++) {
                compiled.run();
                assertArrayEquals(bend, fields.values(BEND));
                assertArrayEquals(twice, fields.values(TWICE));
            }
        }
    }

    @Test
    void elementsInCommonAreRefused() {
        double[] array = new double[2000];
        MemorySegment all = MemorySegment.ofArray(array);
        try (Arena arena = Arena.ofShared();
                Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.external(T, all, STRIDES);
            refused(
                    () -> fields.external(BEND, MemorySegment.ofArray(array)),
                    "field \"bend\" would have elements in common with field \"T\"",
                    "FieldStore.alias");
            refused(() -> fields.external(BEND, all.asSlice(6 * 8), STRIDES), "elements in common");
            refused(() -> fields.external(BEND, all.asSlice((ELEMENTS - 1) * 8).asReadOnly()), "elements in common");
            fields.external(BEND, all.asSlice(ELEMENTS * 8)); // right behind the last point of T
            MemorySegment offHeap = arena.allocate(8 * (ELEMENTS + 6)).asReadOnly();
            fields.external(TWICE, offHeap, STRIDES);
            Tag<Cell> same = Tag.cell("same");
            fields.external(same, offHeap.asSlice(48), STRIDES);
            assertEquals(0, fields.norm2(same));
        }
    }

    @Test
    void memoryOfOneThreadIsRefused() {
        try (Arena mine = Arena.ofConfined();
                Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            MemorySegment memory = mine.allocate(8 * ELEMENTS);
            for (MemorySegment its : new MemorySegment[] {memory, memory.asReadOnly()}) {
                refused(
                        () -> fields.external(T, its, STRIDES),
                        "field \"T\"",
                        "cannot lie in memory of a confined arena",
                        "take Arena.ofShared, Arena.ofAuto or an array");
            }
            fields.external(T, Arena.ofAuto().allocate(8 * ELEMENTS), STRIDES);
        }
    }

    /** Everything in rows that are apart: what lies between them stays as it is, whatever the loop. */
    @ParameterizedTest
    @EnumSource(Loops.Form.class)
    void expressionsReadAndComputeThem(Loops.Form form) {
        double[] bend = expected(BEND);
        double[] twice = expected(TWICE);
        double[] t = new double[ELEMENTS];
        double[] result = new double[ELEMENTS];
        Arrays.fill(t, GAP);
        Arrays.fill(result, GAP);
        try (Arena arena = Arena.ofShared();
                Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            MemorySegment offHeap = arena.allocate(ELEMENTS * 8L);
            fields.external(T, MemorySegment.ofArray(t), STRIDES);
            fields.external(BEND, offHeap, STRIDES);
            fields.external(TWICE, MemorySegment.ofArray(result), STRIDES);
            fields.set(T, ExternalFieldsTest::value);
            ExpressionTree tree = model().tree(TWICE, BEND).loops(form);
            tree.compile(fields).run();
            assertArrayEquals(bend, fields.values(BEND));
            assertArrayEquals(twice, fields.values(TWICE));
            assertEquals(bend[0], offHeap.getAtIndex(ValueLayout.JAVA_DOUBLE, 1 + 12 + 100));
        }
        assertEquals(twice[0], result[1 + 12 + 100]);
        assertEquals(twice[1 + 5 * 2 + 25 * 3], result[2 + 3 * 12 + 4 * 100]);
        for (double[] all : new double[][] {t, result}) {
            requireGaps(all);
        }
    }

    private static void requireGaps(double[] all) {
        for (int i = 0; i < all.length; i++) {
            if (i % 100 % 12 >= 7 || i % 100 >= 12 * 7) {
                assertEquals(GAP, all[i], "element " + i + " is between rows");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"packed", "apart"})
    void mixedWithFieldsOfTheStoreBoundariesAndOperators(String kind) {
        double[] expected = null;
        for (boolean isExternal : new boolean[] {false, true}) {
            double[] t = new double[ELEMENTS];
            double[] bend = new double[ELEMENTS];
            Arrays.fill(bend, GAP);
            try (Session session = Session.builder().workers(2).open();
                    FieldStore fields = FieldStore.open(session, GRID)) {
                if (isExternal) {
                    fields.external(BEND, MemorySegment.ofArray(bend), STRIDES);
                    fields.external(T, MemorySegment.ofArray(t), kind.equals("packed") ? new long[] {} : STRIDES);
                }
                fields.set(T, ExternalFieldsTest::value);
                Boundaries walls = Boundaries.of(fields, T);
                for (Side side : Side.values()) {
                    walls = walls.on(side, dirichlet(2));
                }
                walls.submit(session.graph(), 0);
                Signature<Cell, Cell> operator = Signature.of(Kind.LAPLACIAN, Cell.class, Cell.class);
                Model model = Model.of(GRID)
                        .source(T)
                        .define(
                                bindings -> {
                                    Expression.Values from = bindings.reads(T);
                                    Expression.Results to = bindings.computes(BEND);
                                    OperatorDatabase.Loop loop = bindings.operator(operator);
                                    return run -> loop.apply(run, from, to);
                                },
                                dependents -> dependents.reads(T, 1).computes(BEND));
                model.define(TWICE, BEND.plus(dx(T)));
                model.tree(TWICE).submit(fields, session.graph());
                session.graph().await();
                double[] found = fields.values(TWICE);
                expected = expected == null ? found : expected;
                assertArrayEquals(expected, found);
            }
            requireGaps(bend);
        }
    }

    @Test
    void devicesComputeThemAndTheyComeHome() {
        double[] expected = expected(TWICE);
        double[] t = new double[ELEMENTS];
        double[] result = new double[ELEMENTS];
        try (Session session = Session.builder().workers(2).devices("emulated0").open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.external(T, MemorySegment.ofArray(t), STRIDES);
            fields.external(TWICE, MemorySegment.ofArray(result));
            fields.set(T, ExternalFieldsTest::value);
            fields.live(ExecutionTarget.EMULATED, BEND, TWICE);
            model().tree(TWICE).compile(fields).run();
            assertEquals(0, result[1 + 7 + 49]);
            session.data().fetch(fields.field(TWICE).data());
            assertEquals(expected[0], result[1 + 7 + 49]);
            assertArrayEquals(expected, fields.values(TWICE));
        }
    }

    /** A formula that would be fused, or share memory, is computed into the memory that the user gave for it. */
    @Test
    void temporariesWithMemoryOfTheUsersAreKept() {
        double[] expected = expected(BEND);
        double[] bend = new double[ELEMENTS];
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.external(BEND, MemorySegment.ofArray(bend), STRIDES);
            fields.set(T, ExternalFieldsTest::value);
            model().tree(TWICE).compile(fields).run();
            assertArrayEquals(expected, fields.values(BEND));
            assertEquals(expected[0], bend[1 + 12 + 100]);
        }
    }

    @Test
    void refusesMemoryThatDoesNotFit() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            MemorySegment memory = MemorySegment.ofArray(new double[ELEMENTS]);
            String what = "field \"T\" of 5x5x4 cells, 1 ghost layer, FLOAT64";
            refused(() -> fields.external(T, memory.asSlice(0, 800)), what, "needs 2352 bytes", "has 800");
            refused(() -> fields.external(T, memory, 2, 24, 200), what, "along x is 1, not [2, 24, 200]", "copy");
            refused(() -> fields.external(T, memory, 1, 12), what, "has 3 strides");
            refused(() -> fields.external(T, memory, 1, 6, 100), what, "overlaps itself", "[1, 6, 100]", "7 points");
            refused(() -> fields.external(T, memory, 1, 12, -100), what, "overlaps itself");
            refused(() -> fields.external(T, MemorySegment.ofArray(new float[5000])), what, "cannot lie in a float[]");
            refused(
                    () -> fields.external(T, MemorySegment.ofArray(new long[ELEMENTS])),
                    what,
                    "cannot lie in a long[]");
            refused(() -> fields.external(Tag.faces("q"), memory), "\"q\" is a vector");
            fields.set(BEND, (x, y, z) -> 0);
            refused(() -> fields.external(BEND, memory), "\"bend\" has memory already");
        }
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID.type(DataType.FLOAT32))) {
            refused(() -> fields.external(T, MemorySegment.ofArray(new double[ELEMENTS])), "cannot lie in a double[]");
        }
    }

    @Test
    void readOnlyMemoryIsReadAlone() {
        double[] t = new double[ELEMENTS];
        Arrays.fill(t, 3);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.external(T, MemorySegment.ofArray(t).asReadOnly());
            fields.external(BEND, MemorySegment.ofArray(t).asReadOnly());
            Assignment.of(fields, TWICE, T.times(2)).submit(session.graph());
            session.graph().await();
            assertEquals(6, fields.min(TWICE));
            refused(() -> Assignment.of(fields, BEND, T.times(2)), "\"bend\" is in read-only memory");
            Model model = Model.of(GRID).source(T).define(UserLoops.copies(T, 2, BEND), UserLoops.advertised(T, BEND));
            refused(() -> model.tree(BEND).compile(fields), "\"bend\" is in read-only memory");
            refused(() -> fields.set(T, (x, y, z) -> 1), "\"T\" is in read-only memory");
            Boundaries walls = Boundaries.of(fields, T);
            for (Side side : Side.values()) {
                walls = walls.on(side, dirichlet(2));
            }
            Boundaries all = walls;
            refused(() -> all.submit(session.graph(), 0), "\"T\" is in read-only memory");
        }
    }
}

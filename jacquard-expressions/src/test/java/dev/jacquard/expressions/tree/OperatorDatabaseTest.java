package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.tree.UserExpressionTest.refused;
import static dev.jacquard.expressions.tree.UserLoops.each;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.field.Location.FaceY;
import dev.jacquard.expressions.field.Location.FaceZ;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.field.Location.Node;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.OperatorDatabase.Kind;
import dev.jacquard.expressions.tree.OperatorDatabase.Signature;
import dev.jacquard.memory.data.DataType;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operators that are found by their types. */
class OperatorDatabaseTest {
    private static final Grid GRID = Grid.of(30, 14, 9).lengths(1, 0.5, 0.25).ghosts(1);
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> SMOOTH = Tag.cell("smooth");
    private static final Tag<FaceX> SLOPE = Tag.faceX("slope");
    private static final Kind FILTER = new Kind("filter");
    private static final Signature<Cell, Cell> FILTERS = Signature.of(FILTER, Cell.class, Cell.class);

    private static Session session() {
        return Session.builder().workers(2).devices("emulated0").open();
    }

    private static void set(FieldStore fields) {
        fields.set(T, (x, y, z) -> Math.sin(3 * x) * Math.cos(2 * y) + z * z);
    }

    @Test
    void operatorsOfTheLanguageAreEntries() {
        OperatorDatabase all = OperatorDatabase.standard();
        Model model = Model.of(GRID).source(T);
        Tag<Faces> q = Tag.faces("q");
        Tag<Cell> rate = Tag.cell("rate");
        Tag<Cell> other = Tag.cell("other");
        model.define(
                q,
                all.find(Signature.of(Kind.GRADIENT, Cell.class, Faces.class)).of(T));
        model.define(
                rate,
                all.find(Signature.of(Kind.DIVERGENCE, Faces.class, Cell.class)).of(q));
        model.define(
                other,
                all.find(Signature.of(Kind.LAPLACIAN, Cell.class, Cell.class))
                        .of(T)
                        .minus(div(grad(T))));
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            model.tree(rate, other).compile(fields).run();
            Tag<Cell> expected = Tag.cell("expected");
            Tag<Faces> flux = Tag.faces("flux");
            Model plain = Model.of(GRID).source(T).define(flux, grad(T)).define(expected, div(flux));
            plain.tree(expected).compile(fields).run();
            assertArrayEquals(fields.values(expected), fields.values(rate));
            assertEquals(0, fields.norm2(other));
        }
    }

    /** Every operator between fields gives, as a loop over values, what its formula gives. */
    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT32", "FLOAT64"})
    void loopsFindOperatorsWithTheBitsOfFormulas(DataType elements) {
        Grid grid = GRID.type(elements);
        check(grid, Signature.of(Kind.GRADIENT, Cell.class, FaceX.class));
        check(grid, Signature.of(Kind.GRADIENT, Cell.class, FaceY.class));
        check(grid, Signature.of(Kind.GRADIENT, Cell.class, FaceZ.class));
        check(grid, Signature.of(Kind.DIVERGENCE, FaceX.class, Cell.class));
        check(grid, Signature.of(Kind.DIVERGENCE, FaceZ.class, Cell.class));
        check(grid, Signature.of(Kind.INTERPOLATION, Cell.class, FaceY.class));
        check(grid, Signature.of(Kind.INTERPOLATION, FaceY.class, Cell.class));
        check(grid, Signature.of(Kind.INTERPOLATION, Cell.class, Node.class));
        check(grid, Signature.of(Kind.INTERPOLATION, Node.class, Cell.class));
        check(grid, Signature.of(Kind.LAPLACIAN, Cell.class, Cell.class));
    }

    private static <S extends Location, F extends Location> void check(Grid grid, Signature<S, F> type) {
        Tag<S> from = new Tag<>("operand", type.from());
        Tag<F> to = new Tag<>("result", type.to());
        Tag<F> formula = new Tag<>("expected", type.to());
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(from, (x, y, z) -> Math.sin(3 * x) * Math.cos(2 * y) + z * z);
            Model model = Model.of(grid)
                    .source(from)
                    .define(
                            bindings -> {
                                Expression.Values operand = bindings.reads(from);
                                Expression.Results result = bindings.computes(to);
                                OperatorDatabase.Loop operator = bindings.operator(type);
                                return run -> operator.apply(run, operand, result);
                            },
                            dependents -> dependents.reads(from, 1).computes(to));
            model.define(formula, OperatorDatabase.standard().find(type).of(from));
            model.tree(to, formula).compile(fields).run();
            assertArrayEquals(fields.values(formula), fields.values(to), type + "");
        }
    }

    /** Where the result lives decides: here a loop of the user's, on the device a formula. */
    @Test
    void implementationsArePickedByWhereFieldsLive() {
        try (Session session = session();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            fields.operators()
                    .register(FILTERS, all -> all.times(2))
                    .register(FILTERS, ExecutionTarget.EMULATED, all -> all.times(3))
                    .register(FILTERS.on(DataType.FLOAT32), ExecutionTarget.EMULATED, all -> all.times(5))
                    .register(
                            FILTERS,
                            0,
                            (run, from, to) -> run.parallel(
                                    to.interior(),
                                    part -> each(part, (x, y, z) -> to.set(x, y, z, 4 * from.get(x, y, z)))));
            assertEquals(4, factor(session, fields), 1e-12);
            fields.live(ExecutionTarget.EMULATED, SMOOTH);
            assertEquals(3, factor(session, fields), 1e-12);
            fields.live(ExecutionTarget.HOST, SMOOTH);
            assertEquals(4, factor(session, fields), 1e-12);
            Tag<Cell> any = Tag.cell("any");
            Assignment.of(fields, any, fields.operators().find(FILTERS).of(T)).submit(session.graph());
            session.graph().await();
            assertEquals(2, fields.max(any) / fields.max(T), 1e-12);
        }
        try (Session session = session();
                FieldStore fields = FieldStore.open(session, GRID.type(DataType.FLOAT32))) {
            set(fields);
            fields.operators()
                    .register(FILTERS, ExecutionTarget.EMULATED, all -> all.times(3))
                    .register(FILTERS.on(DataType.FLOAT32), ExecutionTarget.EMULATED, all -> all.times(5))
                    .register(FILTERS.on(DataType.FLOAT32), all -> all.times(6));
            fields.live(ExecutionTarget.EMULATED, SMOOTH);
            assertEquals(5, factor(session, fields), 1e-6);
            fields.live(ExecutionTarget.HOST, SMOOTH);
            assertEquals(6, factor(session, fields), 1e-6);
        }
    }

    /** A formula for the host alone runs here, although the session has a device. */
    @Test
    void formulasForTheHostStay() {
        try (Session session = session();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            fields.operators().register(FILTERS, ExecutionTarget.HOST, all -> all.times(7));
            for (int i = 0; i < 5; i++) {
                assertEquals(7, factor(session, fields), 1e-12);
            }
            assertEquals(0, session.data().transfers().copies());
        }
    }

    private static double factor(Session session, FieldStore fields) {
        Assignment.of(fields, SMOOTH, FILTERS, T).submit(session.graph());
        session.graph().await();
        return fields.max(SMOOTH) / fields.max(T);
    }

    @Test
    void whatIsAbsentIsAnErrorThatListsWhatThereIs() {
        OperatorDatabase all = OperatorDatabase.standard();
        refused(
                () -> all.find(Signature.of(Kind.GRADIENT, Node.class, FaceX.class)),
                "there is no operator gradient from Node to FaceX;",
                "gradient leads from Cell to Faces, Cell to FaceX, Cell to FaceY, Cell to FaceZ");
        refused(
                () -> all.find(Signature.of(new Kind("gradiant"), Cell.class, FaceX.class)),
                "kinds [gradient, divergence, interpolation, Laplacian]",
                "did you mean 'gradient'");
        OperatorDatabase.Loop loop = (run, from, to) -> {};
        all.register(FILTERS, 0, loop);
        refused(
                () -> all.find(FILTERS, ExecutionTarget.CUDA),
                "filter from Cell to Cell on cuda",
                "Cell to Cell on host");
        refused(() -> all.find(FILTERS), "no operator filter");
        refused(
                () -> all.register(Signature.of(FILTER, Faces.class, Cell.class), 0, loop),
                "one for each of its components");
    }

    @Test
    @SuppressWarnings("NullAway") // wrong on purpose
    void refusesFormulasOfNothingAndGhostsThatNoFieldHas() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            OperatorDatabase all = fields.operators().register(FILTERS, operand -> null);
            String message = "the formula of operator filter from Cell to Cell for FLOAT64 returned null";
            refused(() -> Assignment.of(fields, SMOOTH, FILTERS, T), message);
            refused(() -> model(FILTERS, 0, SMOOTH).tree(SMOOTH).compile(fields), message);
            refused(() -> all.register(FILTERS, -1, (run, from, to) -> {}), "0 to 16 layers", "cannot read -1");
            refused(() -> all.register(FILTERS, 17, (run, from, to) -> {}), "0 to 16 layers", "cannot read 17");
        }
    }

    @Test
    void refusesOperatorsOnFieldsThatDoNotFit() {
        Signature<Cell, FaceX> gradient = Signature.of(Kind.GRADIENT, Cell.class, FaceX.class);
        fails(gradient, 0, SLOPE, "reads 1 ghost layer of \"T\", of which the expression advertises 0");
        fails(gradient, 1, SMOOTH, "gradient from Cell to FaceX", "gives smooth (cell)");
        fails(Signature.of(Kind.DIVERGENCE, FaceX.class, Cell.class), 1, SMOOTH, "is applied to T (cell)");
        Signature<Cell, Faces> vector = Signature.of(Kind.GRADIENT, Cell.class, Faces.class);
        try (Session session = Session.builder().workers(1).devices("emulated0").open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            refused(() -> model(vector, 1, SLOPE).tree(SLOPE).compile(fields), "has a vector");
            fields.operators().register(FILTERS, all -> all.plus(Tag.cell("weights")));
            refused(() -> model(FILTERS, 1, SMOOTH).tree(SMOOTH).compile(fields), "reads [operand, weights]");
            fields.live(ExecutionTarget.EMULATED, SMOOTH);
            fields.operators().register(FILTERS.on(null), all -> all.times(2));
            refused(() -> model(FILTERS, 0, SMOOTH).tree(SMOOTH).compile(fields), "the host alone", "emulated");
        }
    }

    private static Model model(Signature<?, ?> type, int ghosts, Tag<?> to) {
        return Model.of(GRID)
                .source(T)
                .define(
                        bindings -> {
                            Expression.Values from = bindings.reads(T);
                            Expression.Results result = bindings.computes(to);
                            OperatorDatabase.Loop operator = bindings.operator(type);
                            return run -> operator.apply(run, from, result);
                        },
                        dependents -> dependents.reads(T, ghosts).computes(to));
    }

    private static void fails(Signature<?, ?> type, int ghosts, Tag<?> to, String... mentions) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            Throwable cause = assertThrows(
                            TaskFailedException.class,
                            () -> model(type, ghosts, to)
                                    .tree(List.of(to))
                                    .compile(fields)
                                    .run())
                    .getCause();
            assertMentions(Objects.requireNonNull(cause), mentions);
        }
    }
}

package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.parameter;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.tree.Boundaries.Condition.dirichlet;
import static dev.jacquard.expressions.tree.Boundaries.Condition.neumann;
import static dev.jacquard.expressions.tree.UserLoops.advertised;
import static dev.jacquard.expressions.tree.UserLoops.copies;
import static dev.jacquard.expressions.tree.UserLoops.each;
import static dev.jacquard.expressions.tree.UserLoops.slope;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.time.Integrator;
import dev.jacquard.expressions.time.Ssp;
import dev.jacquard.expressions.tree.ExpressionTree.Fate;
import dev.jacquard.expressions.tree.MemoryPlan.Policy;
import dev.jacquard.expressions.tree.UserLoops.Flux;
import dev.jacquard.memory.data.DataType;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions with loops of the user's own, in trees with formulas. */
class UserExpressionTest {
    static final Tag<Cell> T = Tag.cell("T");
    static final Tag<Cell> K = Tag.cell("k");
    static final Tag<Faces> Q = Tag.faces("heat flux");
    static final Tag<Cell> RATE = Tag.cell("dT/dt");
    static final Tag<Cell> TWICE = Tag.cell("twice");
    static final Tag<Cell> SLOPE = Tag.cell("slope");
    static final Grid GRID = Grid.of(20, 12, 8).lengths(1, 0.5, 0.25).ghosts(1);

    static void set(FieldStore fields) {
        fields.set(T, (x, y, z) -> Math.sin(3 * x) * Math.cos(2 * y) + z * z);
        fields.set(K, (x, y, z) -> 1 + 0.5 * x * y);
    }

    static Model own() {
        return Model.of(GRID).source(T, K).define(RATE, div(Q)).define(new Flux());
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void aLoopOfOnesOwnGivesTheNumbersOfTheFormula(Policy policy) {
        double[] expected;
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            Model model = Model.of(GRID).source(T, K).define(RATE, div(Q)).define(Q, faces(K).times(grad(T)));
            model.tree(RATE).fuse(false).compile(fields).run();
            expected = fields.values(RATE);
        }
        for (boolean fuses : new boolean[] {true, false}) {
            for (int workers = 1; workers <= 3; workers++) {
                try (Session session = Session.builder().workers(workers).open();
                        FieldStore fields = FieldStore.open(session, GRID)) {
                    set(fields);
                    ExpressionTree tree = own().tree(RATE).fuse(fuses).fields(policy);
                    assertEquals(Map.of(Q, Fate.STORED, RATE, Fate.STORED), tree.fates());
                    CompiledGraph graph = tree.compile(fields);
                    graph.run();
                    graph.run();
                    assertArrayEquals(expected, fields.values(RATE), policy + ", " + workers);
                    assertEquals(
                            tree.memory().bytes(),
                            session.data().transfers().spaces().getFirst().peak());
                }
            }
        }
    }

    /** Two fields of one expression, of which one is wanted; what only the loop needs is stored, never fused. */
    @ParameterizedTest
    @EnumSource(Policy.class)
    void oneExpressionComputesSeveralFields(Policy policy) {
        Tag<Cell> half = Tag.cell("half");
        Tag<Cell> sum = Tag.cell("sum");
        Model model = Model.of(GRID)
                .source(T)
                .define(half, T.times(0.5))
                .define(sum, SLOPE.plus(half))
                .define(
                        bindings -> {
                            Expression.Values from = bindings.reads(half);
                            Expression.Results twice = bindings.computes(TWICE);
                            Expression.Results slope = bindings.computes(SLOPE);
                            return run -> run.parallel(
                                    slope.interior(),
                                    part -> each(part, (x, y, z) -> {
                                        twice.set(x, y, z, 4 * from.get(x, y, z));
                                        slope.set(x, y, z, from.get(x, y, z) - 1);
                                    }));
                        },
                        dependents -> dependents.reads(half).computes(TWICE, SLOPE));
        ExpressionTree tree = model.tree(sum).fields(policy);
        assertEquals(List.of(half, TWICE, SLOPE, sum), List.copyOf(tree.fates().keySet()));
        assertEquals(Set.of(Fate.STORED), Set.copyOf(tree.fates().values()));
        assertEquals(Set.of(half), tree.dependencies().get(TWICE));
        assertEquals(3, tree.loops());
        assertEquals(policy == Policy.KEEP ? 0 : 3, tree.memory().temporaryFields());
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> 10 * x);
            tree.compile(fields).run();
            assertEquals(
                    tree.memory().bytes(),
                    session.data().transfers().spaces().getFirst().peak());
            assertEquals(9.75 - 1, fields.max(sum), 1e-12);
            if (policy != Policy.DYNAMIC) {
                assertEquals(2 * 9.75, fields.max(TWICE), 1e-12);
            }
            tree.keep(TWICE).compile(fields).run();
            assertEquals(2 * 9.75, fields.max(TWICE), 1e-12);
        }
    }

    /** A by-product that nothing reads gives its memory to the next temporary. */
    @Test
    void byProductsShareMemory() {
        Tag<Cell> next = Tag.cell("next");
        Tag<Cell> last = Tag.cell("last");
        Model model = Model.of(GRID)
                .source(T)
                .define(copies(T, 1, TWICE, SLOPE), advertised(T, TWICE, SLOPE))
                .define(copies(SLOPE, 2, next), advertised(SLOPE, next))
                .define(copies(next, 3, last), advertised(next, last));
        ExpressionTree tree = model.tree(last);
        assertTrue(tree.memory().toString().contains("3 temporaries in 2"), tree.memory() + "");
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> x);
            tree.compile(fields).run();
            assertEquals(6 * 0.975, fields.max(last), 1e-12);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DataType.class,
            names = {"FLOAT32", "FLOAT64"})
    void memoryIsThereForFastLoops(DataType type) {
        Grid grid = Grid.of(9, 7).ghosts(2).type(type);
        Model model = Model.of(grid).source(T).define(new Expression() {
            @Override
            public void advertise(Dependents dependents) {
                dependents.reads(T).computes(TWICE);
            }

            @Override
            public Evaluation bind(Bindings bindings) {
                Values t = bindings.reads(T);
                Results twice = bindings.computes(TWICE);
                int bytes = bindings.grid().type().bytes();
                return run -> {
                    assertTrue(t.memory().isReadOnly());
                    for (int y = 0; y < 7; y++) {
                        assertEquals(t.offset(0, y, 0), t.offset(0, 0, 0) + y * t.strideY());
                        for (int x = 0; x < 9; x++) {
                            long from = t.offset(0, y, 0) + (long) x * bytes;
                            if (type == DataType.FLOAT32) {
                                float value = t.memory().get(ValueLayout.JAVA_FLOAT_UNALIGNED, from);
                                twice.memory().set(ValueLayout.JAVA_FLOAT_UNALIGNED, twice.offset(x, y, 0), 2 * value);
                            } else {
                                double value = t.memory().get(ValueLayout.JAVA_DOUBLE_UNALIGNED, from);
                                twice.memory().set(ValueLayout.JAVA_DOUBLE_UNALIGNED, twice.offset(x, y, 0), 2 * value);
                            }
                        }
                    }
                };
            }
        });
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> x + 10 * y);
            model.tree(TWICE).compile(fields).run();
            assertArrayEquals(Arrays.stream(fields.values(T)).map(x -> 2 * x).toArray(), fields.values(TWICE));
        }
    }

    @Test
    void numbersMayChangeBetweenRuns() {
        Tag<Cell> last = Tag.cell("last");
        Model model = Model.of(GRID)
                .source(T)
                .define(last, TWICE.plus(parameter("d")))
                .define(
                        bindings -> {
                            Expression.Values t = bindings.reads(T);
                            Expression.Results twice = bindings.computes(TWICE);
                            DoubleSupplier c = bindings.parameter("c");
                            return run -> {
                                double factor = c.getAsDouble();
                                run.parallel(
                                        t.interior(),
                                        part -> each(part, (x, y, z) -> twice.set(x, y, z, factor * t.get(x, y, z))));
                            };
                        },
                        dependents -> dependents.reads(T).computes(TWICE).parameters("c"));
        ExpressionTree tree = model.tree(last);
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> 1);
            Parameters numbers = Parameters.of(Map.of("c", 2.0, "d", 0.5));
            CompiledGraph step = session.record(graph -> tree.submit(fields, graph, numbers));
            step.run();
            assertEquals(2.5, fields.max(last));
            numbers.set("c", 3);
            step.run();
            assertEquals(3.5, fields.min(last));
            refused(() -> tree.compile(fields, Map.of("d", 1.0)), "parameter \"c\" has no value");
            refused(() -> tree.compile(fields, Map.of("c", 1.0, "d", 1.0, "e", 1.0)), "no parameter \"e\"");
        }
    }

    /** Ghosts that an expression computes are read by formulas and by other expressions. */
    @Test
    void ghostsMayBeComputed() {
        Tag<Cell> bend = Tag.cell("bend");
        Tag<Cell> back = Tag.cell("back");
        Model model = Model.of(GRID.ghosts(2))
                .source(T)
                .define(slope(), dependents -> dependents.reads(T, 2).computes(SLOPE, 1))
                .define(bend, dx(SLOPE))
                .define(
                        bindings -> {
                            Expression.Values from = bindings.reads(SLOPE);
                            Expression.Results to = bindings.computes(back);
                            return run -> run.parallel(
                                    to.interior(),
                                    part -> each(
                                            part,
                                            (x, y, z) ->
                                                    to.set(x, y, z, from.get(x + 1, y, z) - from.get(x - 1, y, z))));
                        },
                        dependents -> dependents.reads(SLOPE, 1).computes(back));
        ExpressionTree tree = model.tree(bend, back);
        assertEquals(Fate.STORED, tree.fates().get(SLOPE));
        assertEquals(2, tree.ghosts(T));
        assertEquals(1, tree.ghosts(SLOPE));
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID.ghosts(2))) {
            fields.set(T, (x, y, z) -> x * x);
            tree.compile(fields).run();
            assertEquals(2, fields.min(bend), 1e-12);
            assertEquals(2, fields.max(bend), 1e-12);
            assertEquals(0.2, fields.max(back), 1e-12);
            assertEquals(0.2, fields.min(back), 1e-12);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void ratesOfOnesOwnAdvanceFields(int order) {
        double[] expected =
                advanced(order, Model.of(GRID).source(T, K).define(RATE, div(Q)).define(Q, faces(K).times(grad(T))));
        assertArrayEquals(expected, advanced(order, own()));
        Model whole = Model.of(GRID)
                .source(T, K)
                .define(new Flux())
                .define(
                        bindings -> {
                            Expression.Values q = bindings.reads(Q, 1);
                            Expression.Results rate = bindings.computes(RATE);
                            return run -> run.parallel(
                                    rate.interior(),
                                    part -> each(
                                            part, (x, y, z) -> rate.set(x, y, z, q.get(x, y + 1, z) - q.get(x, y, z))));
                        },
                        dependents -> dependents.reads(Q).computes(RATE));
        advanced(order, whole);
    }

    private static double[] advanced(int order, Model model) {
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            Integrator steps = Ssp.order(order)
                    .advance(T, RATE)
                    .of(model.tree(RATE))
                    .boundary(T, Side.X_LOW, neumann(0))
                    .boundary(T, Side.X_HIGH, neumann(0))
                    .boundary(T, Side.Y_LOW, dirichlet(0))
                    .boundary(T, Side.Y_HIGH, dirichlet(0))
                    .boundary(T, Side.Z_LOW, neumann(1))
                    .boundary(T, Side.Z_HIGH, neumann(0))
                    .compile(fields);
            steps.run(5, 1e-5);
            if (!model.tree(RATE).definitions().containsKey(Q)) {
                assertMentions(
                        assertThrows(IllegalStateException.class, steps::stableStep),
                        "no stable step of \"T\"",
                        "a loop of the user's computes");
            }
            return fields.values(T);
        }
    }

    /** Formulas go to a device, the loops stay here, and fields move between them. */
    @Test
    void fieldsComeHomeForLoopsOfOnesOwn() {
        Model model = own().define(TWICE, RATE.times(2));
        double[] expected = null;
        for (String device : new String[] {"", "emulated0"}) {
            try (Session session = device.isEmpty()
                            ? Session.builder().workers(2).open()
                            : Session.builder().workers(2).devices(device).open();
                    FieldStore fields = FieldStore.open(session, GRID)) {
                set(fields);
                for (int i = 0; i < 3; i++) {
                    model.tree(TWICE).assignments(fields, Loops.Form.AUTO).forEach(one -> {
                        boolean isLoop = one.source().contains("Flux");
                        (isLoop || device.isEmpty() ? one : one.on(ExecutionTarget.EMULATED)).submit(session.graph());
                    });
                    session.graph().await();
                }
                double[] found = fields.values(TWICE);
                expected = expected == null ? found : expected;
                assertArrayEquals(expected, found);
            }
        }
    }

    static void refused(Runnable call, String... mentions) {
        assertMentions(assertThrows(IllegalArgumentException.class, call::run), mentions);
    }
}

package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.tree.UserExpressionTest.GRID;
import static dev.jacquard.expressions.tree.UserExpressionTest.K;
import static dev.jacquard.expressions.tree.UserExpressionTest.Q;
import static dev.jacquard.expressions.tree.UserExpressionTest.RATE;
import static dev.jacquard.expressions.tree.UserExpressionTest.SLOPE;
import static dev.jacquard.expressions.tree.UserExpressionTest.T;
import static dev.jacquard.expressions.tree.UserExpressionTest.TWICE;
import static dev.jacquard.expressions.tree.UserExpressionTest.own;
import static dev.jacquard.expressions.tree.UserExpressionTest.refused;
import static dev.jacquard.expressions.tree.UserLoops.advertised;
import static dev.jacquard.expressions.tree.UserLoops.copies;
import static dev.jacquard.expressions.tree.UserLoops.slope;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.tree.UserLoops.Flux;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Messages about expressions of the user's that are wrong. */
class UserExpressionErrorsTest {
    @Test
    void refusesWhatDoesNotFitTogether() {
        Model model = Model.of(GRID).source(T, K);
        refused(() -> model.define(bindings -> run -> {}), "advertises nothing", "Model.define(expression,");
        refused(() -> model.define(bindings -> run -> {}, all -> all.reads(T)), "advertises no field that it computes");
        refused(() -> model.define(bindings -> run -> {}, all -> all.computes(T)), "\"T\" is a source already");
        refused(() -> model.define(bindings -> run -> {}, all -> all.computes(Q, Q)), "\"heat flux\"", "twice");
        refused(() -> own().define(new Flux()), "\"heat flux\" is defined already");
        refused(() -> own().define(Q, grad(T)), "\"heat flux\" is defined already");
        refused(
                () -> Model.of(Grid.of(4)).define(bindings -> run -> {}, all -> all.computes(Tag.faceY("v"))),
                "faces across y",
                "a grid of 4 cells");
        refused(() -> model.define(bindings -> run -> {}, all -> all.reads(T, -1)), "0 to 16 layers", "not -1");
        refused(
                () -> Model.of(GRID)
                        .source(T)
                        .define(RATE, div(Q))
                        .define(new Flux())
                        .tree(RATE),
                "\"k\" is neither defined nor a source, and needed: dT/dt → heat flux → k");
        refused(
                () -> Model.of(GRID)
                        .define(RATE, TWICE.plus(1))
                        .define(bindings -> run -> {}, all -> all.reads(RATE).computes(TWICE, SLOPE))
                        .tree(SLOPE),
                "\"dT/dt\" needs itself: dT/dt → twice → dT/dt");
        refused(
                () -> model.define(
                                bindings -> run -> {}, all -> all.reads(TWICE).computes(TWICE))
                        .tree(TWICE),
                "\"twice\" needs itself: twice → twice");
    }

    /** A run that is kept cannot be used: the memory of its values may be another field's, or freed. */
    @Test
    void aRunIsOverWithItsTask() {
        List<Expression.Run> kept = new ArrayList<>();
        ExpressionTree tree = Model.of(GRID)
                .source(T)
                .define(bindings -> kept::add, all -> all.reads(T).computes(TWICE))
                .tree(TWICE);
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> 1);
            tree.compile(fields).run();
            var thrown = assertThrows(
                    IllegalStateException.class,
                    () -> kept.getFirst().parallel(new Range(0, 1, 0, 1, 0, 1), part -> {}));
            assertMentions(thrown, "used its run before it began, or when it was over");
            assertThrows(IllegalStateException.class, () -> kept.getFirst().cancelled());
        }
    }

    @Test
    void refusesGhostsThatAreNotThere() {
        refused(
                () -> Model.of(GRID.ghosts(0))
                        .source(T, K)
                        .define(RATE, div(Q))
                        .define(new Flux())
                        .tree(RATE),
                "expression Flux of [heat flux] reads 1 ghost layer of \"T\", and the grid has 0 ghost layers",
                "ask for Grid.ghosts(1)",
                "dT/dt → heat flux → T");
        refused(
                () -> Model.of(GRID)
                        .source(T)
                        .define(bindings -> run -> {}, all -> all.reads(T).computes(TWICE, 2)),
                "computes 2 ghost layers of \"twice\"",
                "Grid.ghosts(2)");
        refused(
                () -> Model.of(GRID)
                        .source(T)
                        .define(K, T.times(2))
                        .define(RATE, div(Q))
                        .define(new Flux())
                        .tree(RATE),
                "reads 1 ghost layer of \"k\"",
                "with a formula",
                "dT/dt → heat flux → k");
        Model loops = Model.of(GRID.ghosts(2))
                .source(T)
                .define(slope(), all -> all.reads(T, 2).computes(SLOPE, 1))
                .define(bindings -> run -> {}, all -> all.reads(SLOPE, 2).computes(TWICE))
                .define(K, dx(dx(SLOPE)))
                .define(RATE, K.plus(1));
        refused(
                () -> loops.tree(TWICE),
                "reads 2 ghost layers of \"slope\", of which its expression computes 1",
                "twice → slope");
        refused(
                () -> loops.tree(RATE),
                "reads 2 ghost layers of \"slope\", of which the expression computes 1",
                "dependents.computes(tag, 2)",
                "dT/dt → slope");
    }

    @Test
    void refusesEvaluationWithoutAdvertisement() {
        bound(
                bindings -> bindings.reads(K),
                "evaluation without advertisement",
                "binds \"k\"",
                "dependents.reads(tag)");
        bound(bindings -> bindings.computes(T), "evaluation without advertisement", "binds \"T\"", "computes(tag)");
        bound(bindings -> bindings.reads(TWICE), "evaluation without advertisement", "binds \"twice\"");
        bound(bindings -> bindings.parameter("c"), "evaluation without advertisement", "binds parameter \"c\"");
        bound(bindings -> bindings.computes(Q), "\"heat flux\" is a vector of 3 fields");
        bound(bindings -> bindings.computes(Q, 3), "has no axis 3");
        bound(bindings -> {}, "returned null");
    }

    @SuppressWarnings("NullAway") // an expression that binds nothing returns null, which is refused
    private static void bound(Consumer<Expression.Bindings> binds, String... mentions) {
        Model model = Model.of(GRID)
                .source(T)
                .define(
                        bindings -> {
                            binds.accept(bindings);
                            return null;
                        },
                        all -> all.reads(T).computes(TWICE, Q));
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            refused(() -> model.tree(TWICE).compile(fields), mentions);
        }
    }

    @Test
    void refusesToBindWhileTheWorkRuns() {
        Model model = Model.of(GRID).source(T);
        model.define(
                bindings -> run -> bindings.reads(T).get(0, 0, 0),
                all -> all.reads(T).computes(TWICE));
        model.define(
                bindings -> run -> bindings.computes(SLOPE).set(0, 0, 0, 1),
                all -> all.reads(T).computes(SLOPE));
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> 0);
            for (Tag<?> tag : List.of(TWICE, SLOPE)) {
                Throwable cause = assertThrows(
                                TaskFailedException.class,
                                () -> model.tree(tag).compile(fields).run())
                        .getCause();
                assertMentions(
                        Objects.requireNonNull(cause),
                        "of [" + tag + "] binds \"" + (tag.equals(TWICE) ? T : tag)
                                + "\" after bind(...) has returned");
            }
        }
    }

    @Test
    void tellsOfPointsThatWereNotAdvertisedAndOfWritesToOperands() {
        Model model = Model.of(GRID).source(T);
        model.define(
                bindings -> {
                    Expression.Values t = bindings.reads(T);
                    bindings.computes(TWICE);
                    return run -> t.get(-1, 0, 0);
                },
                all -> all.reads(T).computes(TWICE));
        model.define(
                bindings -> {
                    Expression.Values t = bindings.reads(T);
                    bindings.computes(SLOPE);
                    return run -> t.memory().set(ValueLayout.JAVA_DOUBLE_UNALIGNED, t.offset(0, 0, 0), 1);
                },
                all -> all.reads(T).computes(SLOPE));
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> 0);
            Throwable cause = assertThrows(
                            TaskFailedException.class,
                            () -> model.tree(TWICE).compile(fields).run())
                    .getCause();
            assertMentions(
                    Objects.requireNonNull(cause),
                    "point (-1, 0, 0) of \"T\" is none of those that the expression advertised");
            assertThrows(
                    TaskFailedException.class,
                    () -> model.tree(SLOPE).compile(fields).run());
            assertEquals(0, fields.max(T));
        }
    }

    @Test
    void refusesTargetsAndAliases() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            UserExpressionTest.set(fields);
            Assignment flux =
                    own().tree(RATE).assignments(fields, Loops.Form.AUTO).getFirst();
            refused(() -> flux.on(ExecutionTarget.OPENCL), "expression Flux of [heat flux]", "the host alone");
            flux.on(ExecutionTarget.HOST).submit(session.graph());
            session.graph().await();
            Model model = Model.of(GRID).source(T).define(copies(T, 2, TWICE), advertised(T, TWICE));
            fields.alias(TWICE, T);
            refused(() -> model.tree(TWICE).compile(fields), "reads \"T\", which is one of its results");
        }
    }
}

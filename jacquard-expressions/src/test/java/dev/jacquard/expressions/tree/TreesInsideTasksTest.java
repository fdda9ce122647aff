package dev.jacquard.expressions.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trees that tasks submit: their temporaries are in memory that no other tree has. */
@Timeout(180)
class TreesInsideTasksTest {
    private static final Grid GRID = Grid.of(6, 5);
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> U = Tag.cell("U");
    private static final Tag<Cell> X = Tag.cell("X");
    private static final Tag<Cell> Y = Tag.cell("Y");
    private static final Tag<Cell> COPY = Tag.cell("copy");

    /** Returns a tree with two temporaries, which computes four times the source. */
    private static ExpressionTree fourTimes(Tag<Cell> source, Tag<Cell> result) {
        Tag<Cell> twice = Tag.cell("twice " + source);
        Tag<Cell> same = Tag.cell("same as " + twice);
        return Model.of(GRID)
                .source(source)
                .define(twice, source.times(2))
                .define(same, twice.plus(0))
                .define(result, same.plus(twice))
                .tree(result)
                .fuse(false);
    }

    /** A thread that waits for room in the window runs a task, which submits another tree. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aTreeIsSubmittedInTheMidstOfAnother(int window) {
        ExpressionTree inner = fourTimes(U, Y);
        AtomicInteger nested = new AtomicInteger();
        boolean[] isSubmitting = new boolean[1];
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> 3);
            fields.set(U, (x, y, z) -> 100);
            TaskGraph graph = session.graph("with a window", FailurePolicy.CONTINUE);
            graph.window(window);
            Tag<Cell> twice = Tag.cell("twice");
            ExpressionTree outer = Model.of(GRID)
                    .source(T)
                    .define(twice, T.times(2))
                    .define(new HookedLoop(GRID, T, 1, COPY, () -> {
                        nested.addAndGet(isSubmitting[0] ? 1 : 0);
                        inner.submit(fields, session.graph());
                    }))
                    .define(X, twice.plus(COPY.times(2)))
                    .tree(X)
                    .fuse(false);
            for (int i = 0; i < 10; i++) {
                isSubmitting[0] = true;
                outer.submit(fields, graph);
                isSubmitting[0] = false;
                graph.await();
                session.graph().await();
                assertEquals(12, fields.max(X));
                assertEquals(12, fields.min(X));
                assertEquals(400, fields.max(Y));
                assertEquals(400, fields.min(Y));
            }
            assertTrue(nested.get() > 0);
        }
    }

    /** The parent declares the fields that stay: temporaries are none that it could declare. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTreeConsistsOfSubTasks(boolean isBehindOthers) {
        ExpressionTree tree = fourTimes(T, X);
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> 3);
            fields.set(X, (x, y, z) -> 0);
            if (isBehindOthers) {
                tree.submit(fields, session.graph());
            }
            for (int i = 1; i <= 3; i++) {
                double value = i;
                fields.set(T, (x, y, z) -> value);
                session.graph()
                        .task("outer")
                        .reads(fields.field(T).data())
                        .writes(fields.field(X).data())
                        .run(context -> context.refine(sub -> tree.submit(fields, sub)));
                session.graph().await();
                assertEquals(4 * value, fields.max(X));
                assertEquals(4 * value, fields.min(X));
            }
        }
    }

    /** The memory of a submission is free again when its tasks are over. */
    @Test
    void theirMemoryIsGivenBack() {
        ExpressionTree tree = fourTimes(T, X);
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> 3);
            fields.set(X, (x, y, z) -> 0);
            long before = used(session);
            for (int i = 0; i < 20; i++) {
                session.graph().task("submits").run(context -> tree.submit(fields, session.graph()));
                session.graph().await();
            }
            assertEquals(before, used(session));
        }
    }

    private static long used(Session session) {
        return session.data().transfers().spaces().getFirst().bytes();
    }
}

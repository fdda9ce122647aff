package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.GraphReport;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.memory.data.Handle;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks refined to a depth that no stack would hold, in every way to end. */
class DeepRefinementTest {
    private static final int LEVELS = 100_000;

    /** Refines itself {@code depth} times; the innermost does {@code work}. */
    private static TaskBody nest(Handle<int[]> x, int depth, TaskBody work) {
        return depth == 0
                ? work
                : ctx -> ctx.refine(sub -> sub.task("level " + depth).updates(x).run(nest(x, depth - 1, work)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void allLevelsEndWellWithTheInnermost(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            session.graph().task("top").updates(x).run(nest(x, LEVELS, ctx -> ctx.get(x)[0]++));
            assertEquals(
                    1,
                    session.graph()
                            .task("read")
                            .reads(x)
                            .call(ctx -> ctx.get(x)[0])
                            .join());
            session.graph().await();
            assertEquals(
                    new GraphReport(LEVELS + 2, LEVELS + 2, 0, 0),
                    session.graph().report());
        }
    }

    @Test
    void whatTheInnermostThrowsFailsAllAroundIt() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Exception why = new Exception("innermost");
            TaskGraph graph = session.graph();
            graph.task("top").updates(x).run(nest(x, LEVELS, ctx -> {
                throw why;
            }));
            assertSame(
                    why, assertThrows(TaskFailedException.class, graph::await).getCause());
            assertEquals(new GraphReport(LEVELS + 1, 0, LEVELS + 1, 0), graph.report());
        }
    }

    @Test
    void cancelledLevelsEndAsCancelled() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph graph = session.graph("cancelled", FailurePolicy.CONTINUE);
            graph.task("top").updates(x).run(nest(x, LEVELS, ctx -> {
                graph.cancel();
                throw new CancellationException();
            }));
            assertThrows(CancellationException.class, graph::await);
            assertEquals(LEVELS + 1, graph.report().done() + graph.report().cancelled());
            assertEquals(0, graph.report().failed());
        }
    }

    @Test
    void levelsThatWillNeverRunEndWithoutRecursion() {
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph graph = session.graph();
            graph.task("fails").writes(x).run(ctx -> {
                throw new Exception("before");
            });
            Task<?> level = graph.task("top").updates(x).adjustable().run(ctx -> {});
            for (int depth = 0; depth < LEVELS; depth++) {
                Task<?>[] inner = new Task<?>[1];
                level.tryRefine(sub ->
                        inner[0] = sub.task("level").updates(x).adjustable().run(ctx -> {}));
                level = inner[0];
            }
            assertThrows(TaskFailedException.class, graph::await);
            assertEquals(new GraphReport(LEVELS + 2, 0, 1, LEVELS + 1), graph.report());
        }
    }
}

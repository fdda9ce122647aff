package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** What a function of {@code startOn} must not wait for, since its own task would be waited for, and what it may. */
@Timeout(180)
class FunctionWaitsTest {
    private final Session session = Session.builder().workers(2).open();
    private final TaskGraph graph = session.graph("its", FailurePolicy.CONTINUE);
    private final Handle<int[]> x = session.wrap("x", new int[1]);
    private final Handle<int[]> y = session.wrap("y", new int[1]);

    @AfterEach
    void close() {
        session.close();
    }

    private static String refusal(Executable waits) {
        return String.valueOf(assertThrows(IllegalStateException.class, waits).getMessage());
    }

    /** The function of {@code its} waits, and that is refused. */
    private void assertRefused(TaskBuilder its, Consumer<TaskContext> waits) {
        String message = its.startOn(session.executor()::background, ctx -> refusal(() -> waits.accept(ctx)))
                .join();
        assertTrue(message.startsWith("the function of task \"its\" must not wait for "), message);
        assertTrue(message.contains("return a stage") && message.contains("after("), message);
    }

    @Test
    void itsGraph() {
        assertRefused(graph.task("its"), ctx -> graph.await());
        graph.await();
    }

    @Test
    void itsGraphFromInsideOfATask() {
        CompletableFuture<Task<String>> message = new CompletableFuture<>();
        graph.task("around")
                .run(ctx -> ctx.refine(inside -> message.complete(
                        inside.task("its").startOn(session.executor()::background, its -> refusal(graph::await)))))
                .join();
        assertTrue(
                message.join().join().contains("graph \"its\""),
                () -> message.join().join());
    }

    @Test
    void aGraphWithTasksBehindIt() {
        TaskGraph other = session.graph("other", FailurePolicy.CONTINUE);
        assertRefused(graph.task("its").updates(x), ctx -> {
            other.task("behind").reads(x).run(behind -> {});
            other.await();
        });
        other.await();
    }

    @Test
    void itsOwnTask() {
        CompletableFuture<Task<?>> own = new CompletableFuture<>();
        Task<String> message =
                graph.task("its").startOn(session.executor()::background, ctx -> refusal(own.join()::join));
        own.complete(message);
        assertTrue(message.join().contains("must not wait for task \"its\""), message.join());
    }

    @Test
    void theTaskAroundIt() {
        CompletableFuture<Task<?>> around = new CompletableFuture<>();
        CompletableFuture<String> message = new CompletableFuture<>();
        around.complete(graph.task("around")
                .run(ctx -> ctx.refine(inside -> inside.task("its").startOn(session.executor()::background, its -> {
                    message.complete(refusal(around.join()::join));
                    return 0;
                }))));
        graph.await();
        assertTrue(message.join().contains("must not wait for task \"around\""), message.join());
    }

    @Test
    void whatComesBehindItByWayOfOthers() {
        assertRefused(graph.task("its").updates(x), ctx -> {
            graph.task("between").reads(x).updates(y).run(between -> {});
            graph.task("behind").reads(y).run(behind -> {}).join();
        });
    }

    @Test
    void whatComesBehindTheTaskAroundIt() {
        CompletableFuture<Task<?>> behind = new CompletableFuture<>();
        CompletableFuture<String> message = new CompletableFuture<>();
        graph.task("around")
                .updates(x)
                .run(ctx -> ctx.refine(inside -> inside.task("its").startOn(session.executor()::background, its -> {
                    message.complete(refusal(behind.join()::join));
                    return 0;
                })));
        behind.complete(graph.task("behind").reads(x).run(ctx -> {}));
        graph.await();
        assertTrue(message.join().contains("must not wait for task \"behind\""), message.join());
    }

    @Test
    void aPartOfATaskBehindIt() {
        CompletableFuture<Task<?>> part = new CompletableFuture<>();
        assertRefused(graph.task("its").updates(x), ctx -> {
            Task<?> behind = graph.task("behind").updates(x).adjustable().run(body -> {});
            assertTrue(behind.tryRefine(
                    inside -> part.complete(inside.task("part").reads(x).run(body -> {}))));
            part.join().join();
        });
    }

    @Test
    void aBarrierBehindIt() {
        assertRefused(
                graph.task("its"),
                ctx -> graph.task("barrier")
                        .flag(Flag.SYNCHRONIZING)
                        .run(body -> {})
                        .join());
    }

    @Test
    void whatTakesTheLockThatItHolds() {
        Resource lock = session.unordered("lock");
        assertRefused(
                graph.task("its").updates(lock),
                ctx -> graph.task("other").updates(lock).run(body -> {}).join());
    }

    @Test
    void dataThatItUpdates() {
        Data data = session.data().vector("data", new double[2]);
        assertRefused(graph.task("its").updates(data), ctx -> session.data().fetch(data));
        assertRefused(
                graph.task("its").updates(data),
                ctx -> session.data().open(data, Mode.READ).close());
        assertRefused(graph.task("its").updates(data), ctx -> session.data().free(data));
        assertRefused(
                graph.task("its").updates(data.rows(0, 1)),
                ctx -> session.data().fetch(data));
        assertEquals(0, session.graph().report().submitted(), "nothing is left behind");
    }

    @Test
    void aHandleThatItUpdates() {
        assertRefused(
                graph.task("its").updates(x), ctx -> session.lock(x, Mode.READ).close());
        session.lock(x, Mode.READ).close(); // it is not lost
    }

    @Test
    void aRecordedRunOfWhatItUpdates() {
        CompiledGraph compiled =
                session.record("compiled", rec -> rec.task("task").updates(x).run(ctx -> ctx.get(x)[0]++));
        assertRefused(graph.task("its").updates(x), ctx -> compiled.run());
        compiled.run();
        assertEquals(1, x.value()[0]);
    }

    @Test
    void theEndOfItsSession() {
        CompletableFuture<Runnable> function = new CompletableFuture<>();
        Task<String> message = graph.task("its").startOn(function::complete, ctx -> refusal(session::close));
        function.join().run(); // by the thread that opened the session, outside of tasks
        assertTrue(message.join().contains("must not close its session"), message.join());
        graph.task("after that").run(ctx -> {}).join();
    }

    @Test
    void othersMayBeWaitedFor() {
        Data data = session.data().vector("data", new double[] {1, 2});
        CompiledGraph compiled =
                session.record("compiled", rec -> rec.task("task").updates(y).run(ctx -> ctx.get(y)[0]++));
        TaskGraph other = session.graph("other", FailurePolicy.CONTINUE);
        Resource lock = session.unordered("lock");
        Task<Integer> its = graph.task("its")
                .updates(x)
                .updates(data.rows(0, 1))
                .updates(lock)
                .startOn(session.executor()::background, ctx -> {
                    other.task("other").updates(y).run(body -> body.get(y)[0]++);
                    other.await();
                    graph.task("of its graph")
                            .updates(y)
                            .run(body -> body.get(y)[0]++)
                            .join();
                    ctx.refine(inside -> inside.task("part").updates(x).run(body -> body.get(x)[0]++));
                    CompletableFuture<Task<?>> part = new CompletableFuture<>();
                    ctx.refine(inside ->
                            part.complete(inside.task("part").updates(lock).run(body -> {})));
                    part.join().join();
                    session.data().fetch(data.rows(1, 2));
                    compiled.run();
                    try (UserView view = session.lock(y, Mode.READ)) {
                        return view.get(y)[0];
                    }
                });
        assertEquals(3, its.join());
        graph.await();
        assertEquals(1, x.value()[0]);
    }
}

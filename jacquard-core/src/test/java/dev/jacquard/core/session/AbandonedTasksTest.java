package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Behind the close of a session whose engine a policy has ended, no thread waits for tasks and runs that never end. */
@Timeout(180)
class AbandonedTasksTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void stagesCompleteAndTasksCountAsCancelled(int workers) throws Exception {
        Session session = Session.builder()
                .workers(workers)
                .policy(throwing(new AtomicBoolean(true)))
                .open();
        TaskGraph graph = session.graph();
        Handle<int[]> x = session.wrap("x", new int[1]);
        Task<Integer> lost = graph.task("lost").updates(x).call(context -> 42);
        Task<?> behind = graph.task("behind").updates(x).run(context -> {});
        CompletableFuture<Integer> before = lost.stage().toCompletableFuture();
        CompletableFuture<?> beforeBehind = behind.stage().toCompletableFuture();
        assertThrows(PolicyException.class, lost::join);
        assertThrows(PolicyException.class, session::close);
        for (CompletableFuture<?> stage : new CompletableFuture<?>[] {
            before,
            beforeBehind,
            lost.stage().toCompletableFuture(),
            behind.stage().toCompletableFuture()
        }) {
            ExecutionException thrown = assertThrows(ExecutionException.class, () -> stage.get(30, TimeUnit.SECONDS));
            assertInstanceOf(PolicyException.class, thrown.getCause());
            assertMentions(thrown, "threw from push of task \"lost\"", "planned");
        }
        assertEquals(TaskState.CANCELLED, lost.state());
        assertEquals(TaskState.CANCELLED, behind.state());
        assertEquals(
                "2 tasks: 0 done, 0 failed, 2 cancelled, 0 pending",
                graph.report().toString());
        assertTrue(graph.isOver());
        assertThrows(PolicyException.class, lost::join);
        assertThrows(PolicyException.class, graph::await);
    }

    /** A thread that waits for a stage may be the one that is to close the session. */
    @Test
    void stagesCompleteWhenTheEngineEnds() throws Exception {
        AtomicBoolean wrong = new AtomicBoolean();
        Session session = Session.builder().workers(2).policy(throwing(wrong)).open();
        TaskGraph graph = session.graph();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Task<Integer> runs = graph.task("runs").call(context -> {
            begun.countDown();
            Watchdog.await(goOn, "the others are told");
            return 7;
        });
        Watchdog.await(begun, "the body begins");
        CompletableFuture<Integer> ofRunning = runs.stage().toCompletableFuture();
        Handle<int[]> x = session.wrap("x", new int[1]);
        UserView view = session.lock(x, Mode.UPDATE);
        Task<?> waits = graph.task("waits").updates(x).run(context -> {});
        CompletableFuture<?> before = waits.stage().toCompletableFuture();
        wrong.set(true);
        Task<?> lost = graph.task("lost").run(context -> {});
        for (CompletableFuture<?> stage : List.of(before, lost.stage().toCompletableFuture())) {
            ExecutionException thrown = assertThrows(ExecutionException.class, () -> stage.get(30, TimeUnit.SECONDS));
            assertInstanceOf(PolicyException.class, thrown.getCause());
        }
        assertFalse(ofRunning.isDone());
        goOn.countDown();
        assertEquals(7, ofRunning.get(30, TimeUnit.SECONDS));
        view.close();
        assertThrows(PolicyException.class, session::close);
    }

    /** Tasks that were over before keep their ends. */
    @Test
    void tasksThatAreOverKeepTheirEnd() throws Exception {
        AtomicBoolean wrong = new AtomicBoolean();
        Session session = Session.builder().workers(2).policy(throwing(wrong)).open();
        Task<Integer> done = session.graph().task("done").call(context -> 7);
        assertEquals(7, done.join());
        wrong.set(true);
        session.graph().task("lost").run(context -> {});
        assertThrows(PolicyException.class, session::close);
        assertEquals(TaskState.DONE, done.state());
        assertEquals(7, done.stage().toCompletableFuture().get(30, TimeUnit.SECONDS));
        assertEquals(
                "2 tasks: 1 done, 0 failed, 1 cancelled, 0 pending",
                session.graph().report().toString());
    }

    @Test
    void completionsOfRunsAreTold() {
        AtomicBoolean wrong = new AtomicBoolean();
        Session session = Session.builder().workers(3).policy(throwing(wrong)).open();
        Handle<int[]> x = session.wrap("x", new int[1]);
        CompiledGraph graph = session.record("c", tasks -> {
            tasks.task("c0").updates(x).run(context -> context.get(x)[0]++);
        });
        graph.run();
        wrong.set(true);
        CountDownLatch told = new CountDownLatch(1);
        AtomicReference<@Nullable RuntimeException> why = new AtomicReference<>();
        AtomicInteger times = new AtomicInteger();
        graph.start((worker, failure) -> {
            why.set(failure);
            times.getAndIncrement();
            told.countDown();
        });
        assertThrows(PolicyException.class, graph::join);
        assertThrows(PolicyException.class, session::close);
        Watchdog.await(told, "the completion is told");
        assertInstanceOf(PolicyException.class, why.get());
        assertEquals(1, times.get());
        assertFalse(graph.isRunning());
        assertThrows(PolicyException.class, () -> graph.start((worker, failure) -> times.getAndIncrement()));
        assertEquals(1, times.get());
    }

    /** First in, first out, but for pushes while {@code wrong} is true, which throw. */
    private static Policy throwing(AtomicBoolean wrong) {
        return Policies.with(
                Policies.named("fifo"),
                () -> {
                    ReadyOrder order =
                            Objects.requireNonNull(Policies.named("fifo").order());
                    return new ReadyOrder() {
                        @Override
                        public void push(ReadyTask task) {
                            if (wrong.get()) {
                                throw new IllegalStateException("planned");
                            }
                            order.push(task);
                        }

                        @Override
                        public @Nullable ReadyTask pop(int worker) {
                            return order.pop(worker);
                        }
                    };
                },
                null);
    }
}

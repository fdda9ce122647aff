package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.TaskTimeoutException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Copier;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that complete later, are tried again, run out of time, or run on targets. */
class AsyncAndRetryTest {
    private static final ExecutionTarget DSP = ExecutionTarget.named("dsp");

    private final Session session =
            Session.builder().workers(2).workersFor(DSP, 1).open();
    private final TaskGraph graph = session.graph("test", FailurePolicy.CONTINUE);
    private final Handle<int[]> x = session.wrap("x", new int[4]);
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void anAsynchronousTaskHoldsNoWorker() {
        CompletableFuture<Integer> outside = new CompletableFuture<>();
        Task<Integer> read = graph.task("read").writes(x).start(ctx -> outside);
        graph.task("beside").run(ctx -> {
            order.add("beside");
            outside.complete(5);
        });
        Task<Integer> next = graph.task("next").reads(x).call(ctx -> {
            order.add("next");
            return 1;
        });
        assertEquals(1, next.join());
        assertEquals(5, read.join());
        assertEquals(List.of("beside", "next"), order);
    }

    @Test
    void aDriverRunsTheWork() {
        Task<Boolean> inside = graph.task("beside the workers")
                .startOn(
                        session.executor()::background,
                        ctx -> session.executor().isInsideNode());
        assertEquals(false, inside.join());
        Task<?> wait = graph.task("wait").after(inside).run(ctx -> order.add("waited"));
        wait.join();
        assertEquals(List.of("waited"), order);
    }

    /** The task holds what it accesses until its function has ended. */
    @Test
    void aDriverThatThrowsBehindTheStartOfTheFunctionIsNotBelieved() {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        Task<Integer> task = graph.task("t")
                .updates(x)
                .retries(2)
                .startOn(
                        function -> {
                            CountDownLatch begun = new CountDownLatch(1);
                            session.executor().background(() -> {
                                begun.countDown();
                                function.run();
                            });
                            Watchdog.await(begun, "the thread has begun");
                            Watchdog.until(() -> inside.get() == 1, "the function has begun");
                            throw new RejectedExecutionException("too late");
                        },
                        ctx -> {
                            inside.incrementAndGet();
                            goOn.await();
                            ctx.get(x)[0] = inside.get();
                            return inside.get();
                        });
        Task<Integer> next = graph.task("next").reads(x).call(ctx -> ctx.get(x)[0]);
        session.executor().background(() -> {
            Watchdog.until(() -> inside.get() == 1, "the function has begun");
            goOn.countDown();
        });
        assertEquals(1, task.join());
        assertEquals(1, next.join());
    }

    @Test
    void aStageThatFailsFailsTheTask() {
        graph.task("read").writes(x).start(ctx -> CompletableFuture.failedFuture(new IOException("no such file")));
        Task<?> next = graph.task("next").reads(x).run(ctx -> order.add("next"));
        assertMentions(assertThrows(TaskFailedException.class, graph::await), "task \"read\" failed", "no such file");
        assertEquals(TaskState.CANCELLED, next.state());
    }

    @Test
    void cancellingAGraphGivesUpItsStages() {
        CompletableFuture<Integer> never = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1);
        Task<?> task = graph.task("never").abandonable().start(ctx -> {
            begun.countDown();
            return never;
        });
        graph.task("cancel").run(ctx -> {
            begun.await();
            graph.cancel();
        });
        assertThrows(CancellationException.class, graph::await);
        assertEquals(TaskState.CANCELLED, task.state());
        assertTrue(never.isCancelled());
    }

    @Test
    void cancellingInterruptsWhoListens() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Task<?> task = graph.task("long").interruptible().run(ctx -> {
            begun.countDown();
            never.await();
        });
        graph.task("cancel").run(ctx -> {
            begun.await();
            graph.cancel();
        });
        assertThrows(CancellationException.class, graph::await);
        assertEquals(TaskState.CANCELLED, task.state());
    }

    @Test
    void aFailedUpdateStartsAnewFromWhatWasThere() {
        AtomicInteger tries = new AtomicInteger();
        x.value()[0] = 10;
        graph.task("flaky").updates(x).retries(2).run(ctx -> {
            ctx.get(x)[0]++;
            if (tries.incrementAndGet() < 3) {
                throw new IOException("try " + tries);
            }
        });
        graph.await();
        assertEquals(11, x.value()[0]);
        assertEquals(3, tries.get());
    }

    @Test
    void retriesEnd() {
        graph.task("bad").updates(x).retries(2).run(ctx -> {
            ctx.get(x)[0]++;
            throw new IOException("always");
        });
        assertMentions(
                assertThrows(TaskFailedException.class, graph::await),
                "task \"bad\" failed on worker",
                "after 3 tries (UPDATE x)",
                "always");
    }

    @Test
    void aTaskWithATagIsTriedAgain() {
        graph.task("flaky").updates(x).tag("tagged").retries(1).run(ctx -> {
            if (ctx.get(x)[0]++ == 0 && order.isEmpty()) {
                order.add("failed");
                throw new IllegalStateException("once");
            }
        });
        graph.await();
        assertEquals(List.of("failed"), order);
        assertEquals(1, x.value()[0]);
    }

    @Test
    void whatCannotBeRestoredCannotBeRetried() {
        Handle<StringBuilder> text = session.wrap("text", new StringBuilder());
        TaskBuilder opaque = graph.task("opaque").updates(text).retries(1);
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> opaque.run(ctx -> {})),
                "task \"opaque\" cannot be retried: of UPDATE text",
                "wrap it with a Copier");
        TaskBuilder part =
                graph.task("part").accesses(x, Access.update(Area.of(0, 1))).retries(1);
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> part.run(ctx -> {})),
                "only updates of a whole handle");
        TaskBuilder atomic = graph.task("atomic").accesses(x, Access.add()).retries(1);
        assertThrows(IllegalArgumentException.class, () -> atomic.run(ctx -> {}));
        Handle<StringBuilder> copied = session.wrap("copied", new StringBuilder("a"), new Copier<>() {
            @Override
            public StringBuilder copy(StringBuilder original) {
                return new StringBuilder(original);
            }

            @Override
            public void restore(StringBuilder kept, StringBuilder target) {
                target.setLength(0);
                target.append(kept);
            }
        });
        AtomicInteger tries = new AtomicInteger();
        graph.task("copied").updates(copied).retries(1).run(ctx -> {
            ctx.get(copied).append('b');
            if (tries.incrementAndGet() == 1) {
                throw new IOException("once");
            }
        });
        graph.await();
        assertEquals("ab", copied.value().toString());
    }

    @Test
    void aTaskThatRunsTooLongFails() {
        CountDownLatch never = new CountDownLatch(1);
        graph.task("slow").timeLimit(Duration.ofMillis(5)).run(ctx -> never.await());
        TaskFailedException failure = assertThrows(TaskFailedException.class, graph::await);
        assertInstanceOf(TaskTimeoutException.class, failure.getCause());
        assertMentions(failure, "task \"slow\" exceeded its time limit of 0.005s");
    }

    @Test
    void aStageThatTakesTooLongFails() {
        graph.task("slow").timeLimit(Duration.ofMillis(5)).abandonable().start(ctx -> new CompletableFuture<Integer>());
        TaskFailedException failure = assertThrows(TaskFailedException.class, graph::await);
        assertInstanceOf(TaskTimeoutException.class, failure.getCause());
    }

    @Test
    @Timeout(180)
    void aDependentThatBlocksDelaysNoOtherLimit() {
        CountDownLatch told = new CountDownLatch(1);
        CompletableFuture<Integer> stage = new CompletableFuture<>();
        CompletableFuture<Integer> _ = stage.whenComplete((value, error) -> Watchdog.await(told, "the other limit"));
        graph.task("blocks").timeLimit(Duration.ofMillis(5)).abandonable().start(ctx -> stage);
        CountDownLatch never = new CountDownLatch(1);
        Task<?> limited = graph.task("limited").timeLimit(Duration.ofMillis(10)).run(ctx -> never.await());
        assertInstanceOf(
                TaskTimeoutException.class,
                assertThrows(TaskFailedException.class, limited::join).getCause());
        told.countDown();
        assertThrows(TaskFailedException.class, graph::await);
    }

    @Test
    void aTaskAsksForTheResultOfOneBeforeIt() {
        Task<Integer> one = graph.task("one").call(ctx -> 41);
        Task<Integer> two = graph.task("two").after(one).call(ctx -> one.join() + 1);
        assertEquals(42, two.join());
    }

    @Test
    void aDeadlineCancelsTheGraph() {
        CountDownLatch never = new CountDownLatch(1);
        graph.task("slow").updates(x).interruptible().run(ctx -> never.await());
        Task<?> next = graph.task("next").updates(x).run(ctx -> order.add("next"));
        graph.deadline(Duration.ofMillis(5)); // behind the tasks: a graph without any is over
        assertThrows(RuntimeException.class, graph::await);
        assertMentions(
                assertThrows(CancellationException.class, graph::await),
                "was cancelled, since its deadline of 0.005s passed");
        assertEquals(TaskState.CANCELLED, next.state());
    }

    @Test
    void aWindowBoundsWhatIsLive() {
        try (Session alone = Session.builder().workers(1).open()) {
            TaskGraph bounded = alone.graph("bounded", FailurePolicy.CONTINUE).window(10);
            Handle<int[]> y = alone.wrap("y", new int[1]);
            long most = 0;
            for (int i = 0; i < 1_000; i++) {
                bounded.task("step").updates(y).run(ctx -> ctx.get(y)[0]++);
                most = Math.max(most, bounded.report().pending());
            }
            bounded.await();
            assertEquals(1_000, y.value()[0]);
            assertTrue(most <= 10, () -> "live tasks must stay within the window");
        }
    }

    @Test
    void theTargetChoosesTheImplementation() {
        Kernel kernel = Kernel.named("scale")
                .on(ExecutionTarget.CUDA, ctx -> order.add("cuda"))
                .on(DSP, ctx -> order.add("dsp"))
                .on(ExecutionTarget.HOST, ctx -> order.add("host"));
        graph.task("first there is").updates(x).run(kernel);
        graph.task("host").updates(x).on(ExecutionTarget.HOST).run(kernel);
        graph.await();
        assertEquals(List.of("dsp", "host"), order);
        Kernel foreign = Kernel.named("foreign").on(ExecutionTarget.CUDA, ctx -> {});
        assertMentions(
                assertThrows(IllegalStateException.class, () -> graph.task("t").run(foreign)),
                "task \"t\": kernel \"foreign\" is implemented for [",
                "and this session has workers for ");
        assertMentions(
                assertThrows(IllegalStateException.class, () -> graph.task("t").on(ExecutionTarget.OPENCL)),
                "task \"t\" is for target");
    }

    @Test
    void aSessionWithoutAMainThreadSaysSo() {
        try (Session none = Session.builder().workers(1).noMainThread().open()) {
            assertMentions(
                    assertThrows(
                            IllegalStateException.class,
                            () -> none.graph().task("mpi").flag(Flag.MAIN_THREAD)),
                    "task \"mpi\" is for the main thread, and the session has none");
        }
    }

    @Test
    void aBarrierWaitsForAllAndHoldsAll() {
        AtomicInteger before = new AtomicInteger();
        AtomicInteger after = new AtomicInteger();
        for (int i = 0; i < 50; i++) {
            graph.task("before").run(ctx -> before.incrementAndGet());
        }
        graph.task("barrier").flag(Flag.SYNCHRONIZING).run(ctx -> {
            assertEquals(50, before.get());
            assertEquals(0, after.get());
        });
        for (int i = 0; i < 50; i++) {
            graph.task("after").run(ctx -> after.incrementAndGet());
        }
        graph.await();
        assertEquals(50, after.get());
    }
}

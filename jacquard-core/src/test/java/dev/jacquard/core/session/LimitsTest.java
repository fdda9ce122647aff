package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskFunction;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.TaskTimeoutException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A limit is told when it passes; the task keeps what it has until its code has ended. */
@Timeout(180)
class LimitsTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    private final Session session =
            Session.builder().workers(2).devices("emulated0").open();
    private final TaskGraph graph = session.graph("limits", FailurePolicy.CONTINUE);
    private final int[] array = new int[1];
    private final Handle<int[]> x = session.wrap("x", array);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CompletableFuture<Integer> plain = new CompletableFuture<>();
    private final CompletableFuture<Integer> own = new CompletableFuture<>() {
        @Override
        public boolean cancel(boolean mayInterrupt) {
            asked.countDown();
            return false;
        }
    };

    @AfterEach
    void close() {
        goOn.countDown();
        plain.complete(0);
        own.complete(0);
        session.close();
    }

    /** Hears of the interrupt, and goes on all the same until it may end. */
    private void listenAndGoOn() {
        begun.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            interrupted.countDown();
        }
        Watchdog.await(goOn, "the function may end");
    }

    private TaskFunction<Integer> writes(int value) {
        return ctx -> {
            int[] values = ctx.get(x);
            listenAndGoOn();
            values[0] = value;
            return value;
        };
    }

    /** Asserts that the next writer waits for the function of the task before it, which {@code limit} asks to end. */
    private void assertTheNextWaits(Consumer<TaskBuilder> build, Runnable limit) {
        assertTheNextWaits(session.executor()::background, build, limit);
    }

    private void assertTheNextWaits(Executor driver, Consumer<TaskBuilder> build, Runnable limit) {
        TaskBuilder builder = graph.task("slow").updates(x);
        build.accept(builder);
        Task<Integer> slow = builder.startOn(driver, writes(13));
        Task<Integer> next = session.graph().task("next").updates(x).call(ctx -> ctx.get(x)[0]);
        Watchdog.await(begun, "the function runs");
        limit.run();
        Watchdog.await(interrupted, "the function's thread is interrupted");
        assertFalse(slow.state().isOver(), "the task is not over while its function runs");
        assertFalse(next.state().isOver(), "the next task waits");
        goOn.countDown();
        try {
            assertEquals(13, next.join(), "the next task comes after the function's write");
        } catch (TaskFailedException | CancellationException e) {
            assertEquals(13, array[0]); // it did not run, as what it reads was not written in time
        }
        try {
            graph.await();
        } catch (TaskFailedException | CancellationException e) {
            assertTrue(slow.state().isOver());
        }
    }

    @Test
    void aTimeLimitLeavesTheFunctionItsRights() {
        assertTheNextWaits(builder -> builder.timeLimit(SHORT), () -> {});
    }

    @Test
    void cancellingLeavesTheFunctionItsRights() {
        assertTheNextWaits(builder -> {}, graph::cancel);
    }

    @Test
    void cancellingReachesAFunctionThatItsDriverRunsAtOnce() {
        assertTheNextWaits(Runnable::run, builder -> {}, graph::cancel);
    }

    @Test
    void aDeadlineReachesAFunctionThatItsDriverRunsAtOnce() {
        assertTheNextWaits(Runnable::run, builder -> {}, () -> graph.deadline(SHORT));
    }

    @Test
    void aDeadlineLeavesTheFunctionItsRights() {
        assertTheNextWaits(builder -> {}, () -> graph.deadline(SHORT));
    }

    @Test
    void aGraphThatStopsLeavesTheFunctionItsRights() {
        TaskGraph stops = session.graph("stops", FailurePolicy.STOP);
        Task<Integer> slow = stops.task("slow").updates(x).startOn(session.executor()::background, writes(13));
        Task<Integer> next = session.graph().task("next").updates(x).call(ctx -> ctx.get(x)[0]);
        Watchdog.await(begun, "the function runs");
        stops.task("bad").run(ctx -> {
            throw new IllegalStateException("no");
        });
        Watchdog.await(interrupted, "the function's thread is interrupted");
        assertFalse(slow.state().isOver());
        assertFalse(next.state().isOver());
        goOn.countDown();
        assertEquals(13, next.join());
        assertThrows(TaskFailedException.class, stops::await);
    }

    @Test
    void aLimitIsToldWhenItPasses() {
        Task<Integer> slow =
                graph.task("slow").updates(x).timeLimit(SHORT).startOn(session.executor()::background, writes(1));
        CompletableFuture<Integer> stage = slow.stage().toCompletableFuture();
        TaskFailedException failure = assertThrows(TaskFailedException.class, slow::join);
        assertInstanceOf(TaskTimeoutException.class, failure.getCause());
        assertMentions(failure, "task \"slow\" failed on worker", "(UPDATE x)", "exceeded its time limit of 0.02s");
        assertInstanceOf(
                TaskFailedException.class,
                assertThrows(CompletionException.class, stage::join).getCause());
        assertThrows(CompletionException.class, slow.stage().toCompletableFuture()::join); // asked for later
        assertFalse(slow.state().isOver(), "the function has not ended");
        assertMentions(
                new AssertionError(session.snapshot()), "its function runs on thread", "past its time limit of 0.02s");
        goOn.countDown();
        try {
            graph.await();
        } catch (TaskFailedException e) {
            assertEquals("slow", e.task());
        }
        assertEquals(TaskState.FAILED, slow.state());
    }

    @Test
    void aLimitOfABodyIsToldWhenItPasses() {
        Task<?> deaf = graph.task("deaf").updates(x).timeLimit(SHORT).run(ctx -> listenAndGoOn());
        Watchdog.await(begun, "a worker runs the body"); // so that the opener does not
        assertThrows(TaskFailedException.class, deaf::join);
        assertFalse(deaf.state().isOver());
        assertMentions(new AssertionError(session.snapshot()), "\"deaf\" on worker", ", past its time limit of 0.02s");
    }

    @Test
    void anotherTryBeginsWhenTheFunctionHasEnded() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Task<?> flaky = graph.task("flaky")
                .updates(x)
                .retries(2)
                .timeLimit(SHORT)
                .startOn(session.executor()::background, ctx -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                    for (int i = 0; i < 1_000; i++) {
                        Thread.onSpinWait();
                    }
                    inside.decrementAndGet();
                    return 1;
                });
        assertMentions(assertThrows(TaskFailedException.class, flaky::join), "after 3 tries", "time limit");
        assertEquals(1, most.get());
    }

    @Test
    void closingWaitsForTheFunctionAlsoWhenItIsInterrupted() {
        AtomicBoolean ended = new AtomicBoolean();
        try (Session other = Session.builder().workers(2).open()) {
            other.graph().task("slow").startOn(other.executor()::background, ctx -> {
                listenAndGoOn();
                ended.set(true);
                return 1;
            });
            Watchdog.await(begun, "the function runs");
            other.executor().background(() -> {
                Watchdog.await(interrupted, "closing gives up");
                goOn.countDown();
            });
            Thread.currentThread().interrupt();
        }
        assertTrue(Thread.interrupted(), "the interrupt is kept");
        assertTrue(ended.get(), "the session was closed while the function ran");
    }

    @Test
    void memoryIsNotGivenToOthersWhileTheFunctionRuns() {
        Data tile = session.data().vector("tile", DataType.FLOAT64, 1000);
        Task<Integer> read = graph.task("read tile")
                .writes(tile)
                .timeLimit(SHORT)
                .startOn(session.executor()::background, ctx -> {
                    Memory memory = ctx.memory(tile);
                    listenAndGoOn();
                    memory.setDouble(0, 666);
                    return 1;
                });
        assertThrows(TaskFailedException.class, read::join);
        Data other = session.data().vector("other", DataType.FLOAT64, 1000);
        session.graph()
                .task("fill")
                .writes(other)
                .run(ctx -> {
                    for (int i = 0; i < 1000; i++) {
                        ctx.memory(other).setDouble(i, 1);
                    }
                })
                .join();
        goOn.countDown();
        assertThrowsUnlessTold(graph::await);
        assertEquals(
                1.0,
                session.graph()
                        .task("look")
                        .reads(other)
                        .call(ctx -> ctx.memory(other).getDouble(0))
                        .join());
    }

    private static void assertThrowsUnlessTold(Runnable await) {
        try {
            await.run();
        } catch (TaskFailedException e) {
            assertInstanceOf(TaskTimeoutException.class, e.getCause());
        }
    }

    @Test
    void aFunctionThatItsDriverHasNotBegunNeverBegins() {
        LinkedBlockingQueue<Runnable> driver = new LinkedBlockingQueue<>();
        AtomicBoolean ran = new AtomicBoolean();
        Task<Boolean> never = graph.task("never").timeLimit(SHORT).startOn(driver::add, ctx -> ran.getAndSet(true));
        TaskFailedException failure = assertThrows(TaskFailedException.class, never::join);
        assertInstanceOf(TaskTimeoutException.class, failure.getCause());
        assertThrowsUnlessTold(graph::await);
        assertEquals(TaskState.FAILED, never.state());
        driver.forEach(Runnable::run);
        assertFalse(ran.get());
    }

    @Test
    void theInterruptDoesNotOutliveTheFunction() throws Exception {
        LinkedBlockingQueue<Boolean> seen = new LinkedBlockingQueue<>();
        goOn.countDown();
        graph.task("slow")
                .timeLimit(SHORT)
                .startOn(
                        action -> session.executor().background(() -> {
                            action.run();
                            seen.add(Thread.currentThread().isInterrupted());
                        }),
                        ctx -> {
                            while (!Thread.currentThread().isInterrupted()) {
                                Thread.onSpinWait();
                            }
                            return 1;
                        });
        assertThrows(TaskFailedException.class, graph::await);
        assertEquals(false, seen.poll(10, TimeUnit.SECONDS));
    }

    @Test
    void aPlainStageOfTheUsersIsWaitedFor() {
        Task<Integer> slow = graph.task("slow").updates(x).timeLimit(SHORT).start(ctx -> plain);
        Task<?> next = session.graph().task("next").writes(x).run(ctx -> {});
        assertThrows(TaskFailedException.class, slow::join);
        assertFalse(plain.isDone(), "nothing is known of the work behind the stage");
        assertFalse(next.state().isOver());
        plain.complete(1);
        next.join();
        assertThrowsUnlessTold(graph::await);
        assertEquals(TaskState.FAILED, slow.state());
    }

    @Test
    void aStageWithACancelOfItsOwnIsCancelled() {
        Task<Integer> slow = graph.task("slow").start(ctx -> {
            begun.countDown();
            return own;
        });
        Watchdog.await(begun, "the stage was made");
        graph.cancel();
        Watchdog.await(asked, "the stage is cancelled");
        assertFalse(slow.state().isOver());
        own.complete(7);
        assertThrows(CancellationException.class, graph::await);
        assertEquals(TaskState.DONE, slow.state());
    }

    @Test
    void aKernelsLimitIsToldWhenItPasses() {
        Data y = session.data().vector("y", DataType.FLOAT64, 4);
        Kernel slow = Kernel.named("slow")
                .onDevice(
                        ExecutionTarget.EMULATED,
                        new EmulatedBody("slow", launch -> Watchdog.await(goOn, "the kernel may end")));
        Task<?> task = graph.task("kernel").writes(y).timeLimit(SHORT).run(slow);
        TaskFailedException failure = assertThrows(TaskFailedException.class, task::join);
        assertInstanceOf(TaskTimeoutException.class, failure.getCause());
        assertFalse(task.state().isOver(), "the device is at it");
        goOn.countDown();
        assertThrowsUnlessTold(graph::await);
        assertEquals(TaskState.FAILED, task.state());
    }

    @Test
    void aBodyThatIsDeafToItsLimitIsNamed() throws Exception {
        LinkedBlockingQueue<String> warnings = new LinkedBlockingQueue<>();
        try (Session other = Session.builder()
                .workers(2)
                .stallWatch(Duration.ofMinutes(10), warnings::add)
                .open()) {
            other.graph().task("deaf").timeLimit(SHORT).run(ctx -> listenAndGoOn());
            Watchdog.await(begun, "a worker runs the body");
            assertMentions(
                    new AssertionError(warnings.poll(30, TimeUnit.SECONDS)),
                    "task \"deaf\" has not ended 1s after its time limit of 0.02s passed",
                    "its body, which was interrupted, runs on thread");
            goOn.countDown();
            assertThrows(TaskFailedException.class, other.graph()::await);
            assertEquals(List.of(), List.copyOf(warnings));
        }
    }
}

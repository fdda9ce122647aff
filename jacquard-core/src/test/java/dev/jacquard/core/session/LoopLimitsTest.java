package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.TaskTimeoutException;
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A limit, a cancel and a deadline end the loops of tasks: all parts that run are interrupted, and none begins. */
@Timeout(180)
class LoopLimitsTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    /** Those that run tasks while the opener does not wait. */
    private static final int WORKERS = 3;

    private static final int PARTS = 1_000;

    private final Session session = Session.builder().workers(WORKERS + 1).open();
    private final TaskGraph graph = session.graph("loops", FailurePolicy.CONTINUE);
    private final Handle<int[]> x = session.wrap("x", new int[1]);
    /** Opens when each worker runs a part. */
    private final CountDownLatch together = new CountDownLatch(WORKERS);

    private final CountDownLatch never = new CountDownLatch(1);
    private final AtomicInteger interrupted = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();

    @AfterEach
    void close() {
        session.close();
    }

    /** Blocks until it is interrupted. */
    private void listen(long from, long to) throws InterruptedException {
        begun.incrementAndGet();
        together.countDown();
        try {
            never.await();
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
        }
    }

    private Task<?> listening(TaskBuilder builder) {
        return builder.run(ctx -> ctx.parallelFor(0, PARTS, 1, this::listen));
    }

    /** Takes no notice of interrupts, until the loop is to end. */
    private RangeBody deaf(TaskContext context, Task<?>[] itself) {
        return (from, to) -> {
            begun.incrementAndGet();
            together.countDown();
            while (together.getCount() > 0 || !(context.cancelled() || isLate(itself[0]))) {
                Thread.onSpinWait();
            }
        };
    }

    private static boolean isLate(Task<?> task) {
        return task != null && task.stage().toCompletableFuture().isCompletedExceptionally();
    }

    private void assertOneOnEachWorker() {
        assertEquals(WORKERS, begun.get(), "parts that began");
        assertEquals(WORKERS, interrupted.get(), "parts that were interrupted");
    }

    @Test
    void aLimitInterruptsAllParts() {
        Task<?> slow = listening(graph.task("slow").timeLimit(Duration.ofMillis(300)));
        TaskFailedException told = assertThrows(TaskFailedException.class, slow::join);
        assertInstanceOf(TaskTimeoutException.class, told.getCause());
        assertThrowsUnlessTold();
        assertEquals(TaskState.FAILED, slow.state());
        assertEquals(begun.get(), interrupted.get());
        assertTrue(begun.get() >= 1 && begun.get() <= WORKERS + 1, begun.get() + " parts");
    }

    @Test
    void noPartBeginsAfterTheLimit() {
        Task<?>[] itself = new Task<?>[1];
        itself[0] = graph.task("deaf").timeLimit(SHORT).run(ctx -> ctx.parallelFor(0, PARTS, 1, deaf(ctx, itself)));
        assertThrows(TaskFailedException.class, itself[0]::join);
        assertThrowsUnlessTold();
        assertTrue(begun.get() >= 1 && begun.get() <= WORKERS + 1, begun.get() + " parts");
    }

    @Test
    void theNextTryRunsItsLoops() {
        AtomicInteger tries = new AtomicInteger();
        AtomicInteger parts = new AtomicInteger();
        Task<?> again = graph.task("again")
                .timeLimit(Duration.ofMillis(300))
                .retries(1)
                .run(ctx -> {
                    boolean first = tries.incrementAndGet() == 1;
                    ctx.parallelFor(0, 100, 1, (from, to) -> {
                        if (first) {
                            listen(from, to);
                        }
                        parts.incrementAndGet();
                    });
                });
        again.join();
        graph.await();
        assertEquals(100, parts.get());
        assertEquals(2, tries.get());
    }

    @Test
    void aCancelInterruptsAllPartsOfAnInterruptibleTask() {
        Task<?> task = listening(graph.task("listens").updates(x).interruptible());
        Watchdog.await(together, "a part on each worker");
        graph.cancel();
        assertThrows(CancellationException.class, graph::await);
        assertOneOnEachWorker();
        assertEquals(TaskState.CANCELLED, task.state());
    }

    @Test
    void aDeadlineInterruptsAllPartsOfAnInterruptibleTask() {
        Task<?> task = listening(graph.task("listens").interruptible());
        Watchdog.await(together, "a part on each worker");
        graph.deadline(Duration.ofMillis(1));
        assertThrows(CancellationException.class, graph::await); // whose thread may take a part before that
        assertTrue(begun.get() >= WORKERS && begun.get() <= WORKERS + 1, begun.get() + " parts");
        assertEquals(begun.get(), interrupted.get());
        assertEquals(TaskState.CANCELLED, task.state());
    }

    /** The loop of a task that nobody interrupts ends early too: its output is lost, as that of any cancelled task. */
    @Test
    void noPartBeginsAfterACancel() {
        Task<?>[] itself = new Task<?>[1];
        itself[0] = graph.task("deaf").updates(x).run(ctx -> ctx.parallelFor(0, PARTS, 1, deaf(ctx, new Task<?>[1])));
        Watchdog.await(together, "a part on each worker");
        graph.cancel();
        assertThrows(CancellationException.class, graph::await);
        assertEquals(WORKERS, begun.get());
        assertEquals(TaskState.CANCELLED, itself[0].state());
        Task<?> reader = session.graph().task("reads").reads(x).run(ctx -> {});
        assertThrows(RuntimeException.class, reader::join);
        assertThrowsUnlessTold(session.graph());
    }

    @Test
    void aLoopInsideOfAPartEndsToo() {
        Task<?> task = graph.task("nested")
                .interruptible()
                .run(ctx -> ctx.parallelFor(0, 1, 1, (row, end) -> ctx.parallelFor(0, PARTS, 1, this::listen)));
        Watchdog.await(together, "a part on each worker");
        graph.cancel();
        assertThrows(CancellationException.class, graph::await);
        assertOneOnEachWorker();
        assertEquals(TaskState.CANCELLED, task.state());
    }

    @Test
    void tasksAfterALoopSeeNoInterrupt() {
        listening(graph.task("listens").interruptible());
        Watchdog.await(together, "a part on each worker");
        graph.cancel();
        assertThrows(CancellationException.class, graph::await);
        AtomicInteger seen = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            session.graph()
                    .task("next")
                    .run(ctx -> ctx.parallelFor(
                            0,
                            10,
                            1,
                            (from, to) -> seen.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0)));
        }
        session.graph().await();
        assertEquals(0, seen.get());
    }

    @Test
    void aLoopOfACompiledGraphEndsWithItsRun() {
        Handle<int[]> y = session.wrap("y", new int[1]);
        CompiledGraph compiled = session.record(rec -> {
            rec.task("loop").updates(y).run(ctx -> ctx.parallelFor(0, PARTS, 1, deaf(ctx, new Task<?>[1])));
            rec.task("reads").reads(y).run(ctx -> {});
        });
        compiled.start();
        Watchdog.await(together, "a part on each worker");
        compiled.cancel();
        CancellationException told = assertThrows(CancellationException.class, compiled::join);
        assertMentions(told, "0 done, 0 failed, 2 cancelled");
        assertEquals(WORKERS, begun.get());
    }

    /** As one of a live graph: what a body throws since its run was cancelled is no failure. */
    @Test
    void aBodyOfACompiledGraphThatGivesUpIsCancelled() {
        CountDownLatch runs = new CountDownLatch(1);
        CompiledGraph compiled = session.record(rec -> rec.task("gives up").run(ctx -> {
            runs.countDown();
            Watchdog.until(ctx::cancelled, "the cancel");
            throw new CancellationException("gives up");
        }));
        compiled.start();
        Watchdog.await(runs, "the body runs");
        compiled.cancel();
        assertMentions(assertThrows(CancellationException.class, compiled::join), "0 failed, 1 cancelled");
        assertFalse(Thread.interrupted());
    }

    private void assertThrowsUnlessTold() {
        assertThrowsUnlessTold(graph);
    }

    /** What was told by {@code join} is not told again. */
    private static void assertThrowsUnlessTold(TaskGraph graph) {
        try {
            graph.await();
        } catch (TaskFailedException | CancellationException e) {
            assertFalse(String.valueOf(e.getMessage()).isEmpty());
        }
    }
}

package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.TaskTimeoutException;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A body that submits beyond 100,000 live tasks has others run inside of it, on its thread: an interrupt that is meant
 * for one of them reaches no other.
 */
@Timeout(120)
class NestedBodiesTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Time that passes when the test says so. */
    private final AtomicLong time = new AtomicLong(1);

    private Session session = options().open();
    private TaskGraph graph = session.graph("nested", FailurePolicy.CONTINUE);
    private final CompletableFuture<Integer> holder = new CompletableFuture<>();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    private SessionBuilder options() {
        return Session.builder().workers(1).clock(time::get);
    }

    @AfterEach
    void close() {
        holder.complete(1);
        session.close();
    }

    /** Lets tasks live that are not ready, so many that who submits more runs what is. */
    private void fill() {
        Handle<int[]> x = session.wrap("x", new int[1]);
        graph.task("holder").updates(x).start(ctx -> holder);
        for (int i = 0; i < 105_000; i++) {
            graph.task("behind").updates(x).run(ctx -> {});
        }
    }

    /** From a body: runs {@code inner}, with its limit if it has one, inside of the submission of others. */
    private void nest(Duration limit, TaskBody inner) {
        if (limit.isZero()) {
            graph.task("inner").run(inner);
        } else {
            graph.task("inner").timeLimit(limit).run(inner);
        }
        for (int i = 0; i < 1024; i++) {
            graph.task("filler").run(ctx -> note("filler"));
        }
    }

    /** Notes whether the body that runs is interrupted. */
    private void note(String body) {
        if (Thread.currentThread().isInterrupted()) {
            seen.add(body + " is interrupted");
        }
    }

    /**
     * Lets twice the limit pass, and the timers see it: their thread wakes for what is due first, and looks at the time
     * again and again until that is over. An action that is due later than the limit would leave it parked.
     */
    private void letTimePass() {
        session.graph("wakes the timers", FailurePolicy.CONTINUE).deadline(Duration.ofNanos(1));
        time.addAndGet(2 * LIMIT.toNanos());
    }

    @Test
    void theLimitOfABodyInterruptsItWhenWhatRunsInsideHasReturned() {
        fill();
        CompletableFuture<CompletableFuture<?>> outers = new CompletableFuture<>();
        Task<?> outer = graph.task("outer").timeLimit(LIMIT).run(ctx -> {
            nest(Duration.ZERO, inner -> {
                letTimePass();
                Watchdog.until(outers.join()::isDone, "the limit is told");
                note("inner");
            });
            note("outer");
        });
        outers.complete(outer.stage().toCompletableFuture());
        TaskFailedException failure = assertThrows(TaskFailedException.class, outer::join);
        assertInstanceOf(TaskTimeoutException.class, failure.getCause());
        holder.complete(1);
        graph.await();
        assertEquals(List.of("outer is interrupted"), seen);
    }

    @Test
    void theLimitsOfBothInterruptEachOnce() {
        fill();
        Task<?> outer = graph.task("outer").timeLimit(LIMIT).run(ctx -> {
            nest(LIMIT, inner -> {
                letTimePass();
                Watchdog.until(Thread.currentThread()::isInterrupted, "the limit of the inner body passes");
                note("inner");
            });
            Watchdog.until(Thread.currentThread()::isInterrupted, "the limit of the outer body passes");
            note("outer");
        });
        assertThrows(TaskFailedException.class, outer::join);
        holder.complete(1);
        assertThrows(TaskFailedException.class, graph::await);
        assertEquals(List.of("inner is interrupted", "outer is interrupted"), seen);
    }

    @Test
    void theLimitOfABodyInsideInterruptsThatAlone() {
        fill();
        Task<?> outer = graph.task("outer").run(ctx -> {
            nest(LIMIT, inner -> {
                letTimePass();
                Watchdog.until(Thread.currentThread()::isInterrupted, "the limit passes");
                note("inner");
            });
            note("outer");
        });
        outer.join();
        holder.complete(1);
        assertThrows(TaskFailedException.class, graph::await);
        assertEquals(List.of("inner is interrupted"), seen);
    }

    @Test
    void cancellingInterruptsWhoListensAndNobodyInside() {
        fill();
        Task<?> outer = graph.task("outer").interruptible().run(ctx -> {
            nest(Duration.ZERO, inner -> {
                graph.cancel();
                note("inner");
            });
            note("outer");
            new CountDownLatch(1).await(); // throws
        });
        assertThrows(CancellationException.class, outer::join);
        assertEquals(TaskState.CANCELLED, outer.state());
        holder.complete(1);
        assertThrows(CancellationException.class, graph::await);
        assertEquals(List.of("outer is interrupted"), seen);
    }

    /** How a body comes to be interrupted that waits in a session of its own. */
    enum Own {
        BY_ITS_LIMIT,
        BY_A_CANCEL,
        AS_A_FUNCTION_IN_EXECUTE
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatWaitsInASessionOfItsOwnHearsOfItsInterruptBehindThat(Own how) {
        CompletableFuture<CompletableFuture<?>> outers = new CompletableFuture<>();
        TaskBody inner = ctx -> {
            if (how == Own.BY_ITS_LIMIT) {
                letTimePass();
                Watchdog.until(outers.join()::isDone, "the limit is told");
            } else {
                graph.cancel();
            }
            note("inner");
        };
        Task<?> outer;
        if (how == Own.AS_A_FUNCTION_IN_EXECUTE) {
            outer = graph.task("outer").startOn(Runnable::run, ctx -> waitsInItsOwn(inner));
        } else {
            TaskBuilder its = graph.task("outer");
            outer = (how == Own.BY_ITS_LIMIT ? its.timeLimit(LIMIT) : its.interruptible())
                    .run(ctx -> waitsInItsOwn(inner));
        }
        outers.complete(outer.stage().toCompletableFuture());
        Class<? extends Throwable> ends =
                how == Own.BY_ITS_LIMIT ? TaskFailedException.class : CancellationException.class;
        assertThrows(ends, outer::join);
        Watchdog.until(() -> outer.state().isOver(), "the body has ended");
        assertEquals(List.of("outer is interrupted"), seen);
        assertFalse(Thread.interrupted());
    }

    /** The thread of a body asks, between tasks that it runs, if its wait is over; the body goes on behind that. */
    @Test
    void aBodyWhoseQuestionThrowsIsInterruptedBehindThat() {
        Task<?> outer = graph.task("outer").timeLimit(LIMIT).run(ctx -> {
            try (Session own = Session.builder().workers(1).open()) {
                boolean[] ran = {false};
                own.graph().task("inner").run(inner -> ran[0] = true);
                assertThrows(
                        IllegalArgumentException.class,
                        () -> own.awaitUntil(() -> {
                            if (ran[0]) {
                                throw new IllegalArgumentException("of the question");
                            }
                            return false;
                        }));
            }
            letTimePass();
            Watchdog.until(Thread.currentThread()::isInterrupted, "the limit interrupts the body");
            note("outer");
        });
        assertThrows(TaskFailedException.class, outer::join);
        assertEquals(List.of("outer is interrupted"), seen);
    }

    private Object waitsInItsOwn(TaskBody inner) throws InterruptedException {
        try (Session own = Session.builder().workers(1).open()) {
            Task<?> its = own.graph().task("inner").run(inner);
            assertThrows(WaitInterruptedException.class, () -> {
                its.join();
                own.graph().task("waits").start(ctx -> holder).join();
            });
            seen.add("outer is interrupted");
            holder.complete(1);
        }
        return new CountDownLatch(1).await(0, TimeUnit.SECONDS);
    }

    /** How the thread that runs a function of {@code startOn} comes to run a body inside of it. */
    enum Inside {
        AT_ITS_SUBMISSION,
        WITH_OTHERS,
        IN_A_WAIT,
        IN_ANOTHER_SESSION
    }

    /** From a function that the opener's thread runs outside of tasks. */
    private void runInside(Inside how, TaskBody body) {
        if (how == Inside.AT_ITS_SUBMISSION) {
            session.graph("runs what it submits", FailurePolicy.CONTINUE)
                    .window(100)
                    .task("inner")
                    .run(body);
            return;
        }
        if (how == Inside.IN_ANOTHER_SESSION) {
            try (Session other = Session.builder().workers(1).open()) {
                other.graph().task("inner").run(body).join();
            }
            return;
        }
        Handle<int[]> y = session.wrap("y", new int[1]);
        CompletableFuture<Integer> before = new CompletableFuture<>();
        graph.task("before").updates(y).start(ctx -> before);
        Task<?> inner = graph.task("inner").updates(y).run(body);
        before.complete(1);
        if (how == Inside.IN_A_WAIT) {
            inner.join();
        } else {
            Handle<int[]> z = session.wrap("z", new int[1]);
            graph.task("holder").updates(z).start(ctx -> holder);
            for (int i = 0; i < 1024; i++) {
                graph.task("behind").updates(z).run(ctx -> {});
            }
        }
    }

    /** The opener's thread runs a function of {@code its}, with {@code body} inside. */
    private void runFunction(TaskGraph its, Inside how, TaskBody body) {
        Queue<Runnable> driver = new ArrayDeque<>();
        its.window(100); // runs what it submits
        its.task("outer").startOn(driver::add, ctx -> {
            runInside(how, body);
            note("outer");
            return seen.add("outer ends");
        });
        Runnable function = Objects.requireNonNull(driver.poll(), "given to its driver at the submission");
        if (how == Inside.WITH_OTHERS) {
            fill();
        }
        function.run();
        holder.complete(1);
        graph.await();
    }

    @ParameterizedTest
    @EnumSource
    void cancellingAFunctionThatTheOpenerRunsInterruptsItAndNobodyInside(Inside how) {
        TaskGraph its = session.graph("its", FailurePolicy.CONTINUE);
        runFunction(its, how, inner -> {
            its.cancel();
            note("inner");
            seen.add("inner ran");
        });
        assertFalse(Thread.interrupted(), "the interrupt was for the function alone");
        assertThrows(CancellationException.class, its::await);
        assertEquals(List.of("inner ran", "outer is interrupted", "outer ends"), seen);
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptThatABodyInsideLeavesBehindDoesNotReachAFunction(Inside how) {
        TaskGraph its = session.graph("its", FailurePolicy.CONTINUE);
        runFunction(its, how, inner -> Thread.currentThread().interrupt());
        its.await();
        assertEquals(List.of("outer ends"), seen);
    }

    @Test
    void anInterruptThatABodyInsideLeavesBehindReachesNobody() {
        fill();
        graph.task("outer")
                .run(ctx -> {
                    nest(Duration.ZERO, inner -> Thread.currentThread().interrupt());
                    note("outer");
                })
                .join();
        holder.complete(1);
        graph.await();
        assertEquals(List.of(), seen);
        assertFalse(Thread.interrupted());
    }

    @Test
    void aBodyThatIsInterruptedRunsNothingInside() {
        fill();
        boolean[] ran = new boolean[1];
        graph.task("outer")
                .run(ctx -> {
                    Thread.currentThread().interrupt();
                    nest(Duration.ZERO, inner -> ran[0] = true);
                    assertFalse(ran[0]);
                    assertTrue(Thread.interrupted(), "the interrupt is kept");
                })
                .join();
        holder.complete(1);
        graph.await();
        assertTrue(ran[0]);
        assertEquals(List.of(), seen);
    }

    @Test
    void whatRunsInsideIsCheckedForItselfAlone() {
        session.close();
        session = options().checking().open(); // slower, so not in all tests
        graph = session.graph("nested", FailurePolicy.CONTINUE);
        Handle<int[]> y = session.wrap("y", new int[1]);
        CompiledGraph compiled = session.record(
                "compiled", rec -> rec.task("recorded").updates(y).run(ctx -> ctx.get(y)[0]++));
        fill();
        graph.task("outer")
                .run(ctx -> {
                    compiled.start();
                    nest(Duration.ZERO, inner -> {});
                    seen.add("run " + (compiled.isRunning() ? "later" : "inside"));
                    assertThrows(IllegalArgumentException.class, y::value, "the body itself is checked as before");
                })
                .join();
        compiled.join();
        holder.complete(1);
        graph.await();
        assertEquals(List.of("run inside"), seen);
        assertEquals(1, y.value()[0]);
    }
}

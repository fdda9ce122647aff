package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits that pass while the body, or the try, ends. */
@Timeout(180)
class LateLimitsTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    /** An update that calls the test when it is named for a message. */
    private record Told(Runnable named) implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            return Mode.UPDATE.conflictsWith(earlier);
        }

        @Override
        public boolean covers(Access other) {
            return true;
        }

        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public boolean writes() {
            return true;
        }

        @Override
        public Access whole() {
            return Mode.UPDATE;
        }

        @Override
        public String toString() {
            named.run();
            return "TOLD";
        }
    }

    /** The end of the body finds that it has passed, where the timers come late. */
    @Test
    void aLimitThatPassesAsTheBodyEndsIsToldOnce() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch passed = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        AtomicReference<Thread> worker = new AtomicReference<>();
        CompletableFuture<Task<?>> task = new CompletableFuture<>();
        List<Throwable> told = new ArrayList<>();
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph("late", FailurePolicy.CONTINUE);
            Handle<int[]> x = session.wrap("x", new int[1]);
            Access access = new Told(() -> {
                if (Thread.currentThread() == worker.get()) { // names what failed: the body is over
                    ended.countDown();
                } else if (begun.getCount() == 0) { // of the timers: the limit has passed
                    passed.countDown();
                    Watchdog.until(
                            () -> ended.getCount() == 0 || task.join().state().isOver(), "the body is over");
                }
            });
            task.complete(graph.task("slow")
                    .accesses(x, access)
                    .timeLimit(SHORT)
                    .run(ctx -> {
                        worker.set(Thread.currentThread());
                        begun.countDown();
                        Watchdog.until(() -> passed.getCount() == 0, "the limit passes");
                    }));
            Watchdog.await(begun, "a worker runs the body"); // so that the opener does not
            try {
                task.join().join();
            } catch (TaskFailedException e) {
                told.add(e);
            }
            try {
                graph.await();
            } catch (TaskFailedException e) {
                told.add(e);
            }
            assertEquals(1, told.size(), told::toString);
            assertMentions(told.getFirst(), "\"slow\"", "exceeded its time limit of 0.02s");
        }
    }

    @Test
    void anAccessThatCannotBeNamedDoesNotKeepTheLimitFromItsTask() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Access access = new Told(() -> {
                throw new AssertionError("no name");
            });
            Task<?> slow = session.graph("late", FailurePolicy.CONTINUE)
                    .task("slow")
                    .accesses(x, access)
                    .timeLimit(SHORT)
                    .run(ctx -> Watchdog.until(Thread.currentThread()::isInterrupted, "the limit passes"));
            TaskFailedException failure = assertThrows(TaskFailedException.class, slow::join);
            assertMentions(failure, "no name");
            assertEquals("slow", failure.task());
        }
    }

    /** Forgets an interrupt, which would end the wait. */
    private static boolean looked(CountDownLatch goOn) {
        boolean interrupted = Thread.interrupted();
        return goOn.getCount() == 0 && !interrupted;
    }

    /** No other try can follow: a task cannot take back an access that it has given up, or left to others. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aLimitIsToldWhenItPassesIfNoOtherTryCanFollow(int way) {
        CountDownLatch ready = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph("limits", FailurePolicy.CONTINUE);
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            graph.task("gate").updates(y).run(ctx -> ready.await());
            Task<?> deaf = graph.task("deaf")
                    .updates(x)
                    .reads(y)
                    .adjustable()
                    .retries(2)
                    .timeLimit(SHORT)
                    .run(ctx -> {
                        if (way == 1) {
                            ctx.demote(x, Access.read());
                        } else if (way == 2) {
                            ctx.refine(inside -> inside.task("part").reads(x).run(each -> {}));
                        }
                        begun.countDown();
                        Watchdog.until(() -> looked(goOn), "the test has looked");
                    });
            if (way == 0) {
                assertTrue(deaf.tryDemote(x, Access.read()));
            }
            ready.countDown();
            Watchdog.await(begun, "a worker runs the body"); // so that the opener does not
            assertMentions(assertThrows(TaskFailedException.class, deaf::join), "after 1 try", "time limit");
            assertFalse(deaf.state().isOver());
            goOn.countDown();
        }
    }
}

package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.DeadlineException;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A failure is told once: to who joined, handled a stage, or awaited. */
@Timeout(180)
class ToldOnceTest {
    private static Task<Integer> fails(TaskGraph graph, Handle<int[]> x) {
        return graph.task("bad").writes(x).call(ctx -> {
            throw new IllegalStateException("no");
        });
    }

    @Test
    void whatJoinThrewIsNotThrownAgain() {
        try (Session session = Session.builder().workers(2).open()) {
            Task<Integer> bad = fails(session.graph(), session.wrap("x", new int[1]));
            assertThrows(TaskFailedException.class, bad::join);
            session.graph().await();
        }
    }

    @Test
    void whatAStageHandledIsNotThrownAgain() throws Exception {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            assertEquals(
                    -1,
                    fails(session.graph(), x)
                            .stage()
                            .thenApply(value -> value + 1)
                            .exceptionally(e -> -1)
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS));
            assertThrows(
                    ExecutionException.class,
                    () -> fails(session.graph(), x)
                            .stage()
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS));
        }
    }

    /** An await that comes right behind does not tell it either, whatever the threads do that complete stages. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatAStageHandlesIsNotThrownByAnAwaitBehindIt(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            for (int i = 0; i < 100; i++) {
                fails(session.graph(), session.wrap("x", new int[1])).stage().exceptionally(e -> -1);
                session.graph().await();
            }
        }
    }

    @Test
    void aStageWithoutCodeForFailuresTellsNobody() {
        Session session = Session.builder().workers(2).open();
        fails(session.graph(), session.wrap("x", new int[1])).stage().thenAccept(value -> {});
        assertThrows(TaskFailedException.class, session::close);
    }

    @Test
    void whatItCancelledIsToldWithIt() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            CountDownLatch goOn = new CountDownLatch(1);
            TaskGraph other = session.graph("other", FailurePolicy.CONTINUE);
            other.task("bad").writes(x).run(ctx -> {
                goOn.await();
                throw new IllegalStateException("no");
            });
            List<Task<?>> readers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                readers.add(session.graph().task("reader " + i).reads(x).run(ctx -> {}));
            }
            goOn.countDown();
            assertThrows(TaskFailedException.class, readers.getLast()::join);
            session.graph().await(); // all of them came of one failure, which was told
            other.await();
        }
    }

    @Test
    void anAwaitNamesNoTaskThatAFailureCancelledWhichWasTold() {
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph();
            Handle<int[]> x = session.wrap("x", new int[1]);
            CountDownLatch goOn = new CountDownLatch(1);
            Task<?> bad = graph.task("bad").writes(x).run(ctx -> {
                goOn.await();
                throw new IllegalStateException("no");
            });
            graph.task("reads").reads(x).run(ctx -> {});
            goOn.countDown();
            assertThrows(TaskFailedException.class, bad::join);
            fails(graph, session.wrap("y", new int[1]));
            String told = String.valueOf(
                    assertThrows(TaskFailedException.class, graph::await).getMessage());
            assertTrue(told.endsWith("3 tasks: 0 done, 2 failed, 1 cancelled, 0 pending"), told);
        }
    }

    @Test
    void whatIsSubmittedAfterwardsIsToldAnew() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            assertThrows(TaskFailedException.class, fails(session.graph(), x)::join);
            session.graph().task("late").reads(x).run(ctx -> {});
            assertMentions(
                    assertThrows(TaskFailedException.class, session.graph()::await),
                    "so \"bad\" -> \"late\" was cancelled");
            session.graph().task("later").reads(x).run(ctx -> {});
            assertMentions(
                    assertThrows(TaskFailedException.class, session.graph()::await),
                    "so \"bad\" -> \"later\" was cancelled");
        }
    }

    @Test
    void eachOfSeveralFailuresThatWereToldIsToldAnew() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            fails(session.graph(), x);
            fails(session.graph(), y);
            assertThrows(TaskFailedException.class, session.graph()::await);
            Task<?> first = session.graph().task("first").reads(x).run(ctx -> {});
            session.graph().task("second").reads(y).run(ctx -> {});
            session.graph().task("third").reads(x).run(ctx -> {});
            assertThrows(TaskFailedException.class, first::join);
            TaskFailedException told = assertThrows(TaskFailedException.class, session.graph()::await);
            assertEquals(1, told.getSuppressed().length, "which is first, time decides");
            assertMentions(
                    new AssertionError(told + " " + told.getSuppressed()[0]),
                    "\"second\" was cancelled",
                    "\"third\" was cancelled");
        }
    }

    /** Beyond those that an await tells, too. */
    @Test
    void whatJoinHasToldIsNotToldInPlaceOfAnother() {
        try (Session session = Session.builder().workers(2).open()) {
            List<Task<?>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                int number = i;
                all.add(session.graph().task("bad " + i).call(ctx -> {
                    throw new IllegalStateException("no " + number);
                }));
            }
            Watchdog.until(() -> all.stream().allMatch(task -> task.state().isOver()), "all are over");
            for (Task<?> each : all) {
                if (each != all.get(17)) {
                    assertThrows(TaskFailedException.class, each::join);
                }
            }
            assertMentions(assertThrows(TaskFailedException.class, session.graph()::await), "no 17");
        }
    }

    /** An order that all see: the failure was told, and then the reader submitted, which waits for another task yet. */
    @Test
    void whatIsSubmittedAfterwardsBehindWhatWaitsYetIsToldAnew() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            for (boolean late : new boolean[] {false, true}) {
                CountDownLatch goOn = new CountDownLatch(1);
                session.graph().task("gate").updates(y).run(ctx -> goOn.await());
                Task<?> bad = fails(session.graph(), x);
                Handle<int[]> z = session.wrap("z", new int[1]);
                session.graph().task("before").reads(x).reads(y).writes(z).run(ctx -> {});
                assertThrows(TaskFailedException.class, bad::join);
                if (late) {
                    session.graph().task("late").reads(z).run(ctx -> {});
                }
                goOn.countDown();
                if (late) {
                    assertMentions(
                            assertThrows(TaskFailedException.class, session.graph()::await),
                            "so \"bad\" -> \"before\" -> \"late\" was cancelled");
                } else {
                    session.graph().await(); // what it cancelled was told with it
                }
            }
        }
    }

    @Test
    void failuresOfStagesThatAreCombinedAreNotLost() {
        List<BiFunction<CompletionStage<Integer>, CompletionStage<Integer>, CompletionStage<?>>> ways = List.of(
                (good, bad) -> good.thenCombine(bad, Integer::sum),
                (good, bad) -> good.thenCompose(value -> bad),
                (good, bad) -> good.runAfterBoth(bad, () -> {}),
                (good, bad) -> good.thenAcceptBoth(bad, (one, other) -> {}),
                (good, bad) -> bad.thenCombine(good, Integer::sum),
                (good, bad) -> new CompletableFuture<Integer>().applyToEither(bad, value -> value));
        for (var way : ways) {
            Session session = Session.builder().workers(2).open();
            CompletionStage<Integer> good =
                    session.graph().task("good").call(ctx -> 1).stage();
            session.graph().await();
            CompletionStage<Integer> bad =
                    fails(session.graph(), session.wrap("x", new int[1])).stage();
            CompletionStage<?> _ = way.apply(good, bad);
            assertThrows(TaskFailedException.class, session::close);
        }
    }

    @Test
    void theTextCountsTheFailuresThatItLeavesOut() {
        try (Session session = Session.builder().workers(2).open()) {
            for (int i = 0; i < 100; i++) {
                session.graph().task("bad").run(ctx -> {
                    throw new IllegalStateException("no");
                });
            }
            TaskFailedException failure = assertThrows(TaskFailedException.class, session.graph()::await);
            assertEquals(15, failure.getSuppressed().length);
            assertMentions(
                    failure, "100 tasks: 0 done, 100 failed", "suppressed: 15 more, and 84 failures are left out");
        }
    }

    @Test
    void theTextCountsTheTasksOfFurtherFailuresOfAnotherGraph() {
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph other = session.graph("other", FailurePolicy.CONTINUE);
            List<Handle<int[]>> handles = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                handles.add(session.wrap("x", new int[1]));
                fails(other, handles.getLast());
            }
            assertThrows(TaskFailedException.class, other::await);
            handles.forEach(x -> session.graph().task("reads").reads(x).run(ctx -> {}));
            TaskFailedException told = assertThrows(TaskFailedException.class, session.graph()::await);
            assertEquals(63, told.getSuppressed().length);
            assertMentions(
                    told.getSuppressed()[62], "100 cancelled", "36 tasks that further failures cancelled are left out");
            session.graph().await();
        }
    }

    @Test
    void aDeadlineIsToldItself() {
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph("late", FailurePolicy.CONTINUE);
            Task<?> slow = graph.task("slow").interruptible().run(ctx -> new CountDownLatch(1).await());
            graph.deadline(Duration.ofMillis(20));
            assertMentions(
                    assertThrows(DeadlineException.class, graph::await),
                    "graph \"late\" was cancelled, since its deadline of 0.02s passed:"
                            + " 1 task: 0 done, 0 failed, 1 cancelled");
            assertEquals(TaskState.CANCELLED, slow.state());
            assertMentions(
                    assertThrows(CancellationException.class, slow::join),
                    "task \"slow\" was cancelled with its graph while it ran, since its deadline of 0.02s passed");
        }
    }

    @Test
    void closingTellsADeadlineThatNoAwaitHasTold() {
        Session session = Session.builder().workers(2).open();
        TaskGraph graph = session.graph("late", FailurePolicy.CONTINUE);
        graph.task("slow").interruptible().run(ctx -> new CountDownLatch(1).await());
        graph.deadline(Duration.ofMillis(20));
        assertThrows(DeadlineException.class, session::close);
    }

    /** Most times the first graph was waited for when the task is submitted. */
    @Test
    void closingTellsWhatFailedInAGraphThatWasWaitedForBefore() {
        for (int i = 0; i < 10; i++) {
            closeOverATaskThatSubmitsElsewhere();
        }
    }

    private static void closeOverATaskThatSubmitsElsewhere() {
        Thread opener = Thread.currentThread();
        Session session = Session.builder().workers(3).open();
        TaskGraph first = session.graph("first", FailurePolicy.CONTINUE);
        first.task("ends").run(ctx -> {});
        session.graph("second", FailurePolicy.CONTINUE).task("submits").run(ctx -> {
            Watchdog.until(() -> isIn(opener, GraphsEnd.class) && first.isOver(), "the first graph was waited for");
            Task<?> bad = fails(first, session.wrap("x", new int[1]));
            Watchdog.until(() -> bad.state().isOver(), "its end");
        });
        assertMentions(assertThrows(TaskFailedException.class, session::close), "\"bad\" failed");
    }

    private static boolean isIn(Thread thread, Class<?> code) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(each -> each.getClassName().equals(code.getName()));
    }

    @Test
    void whatAFailureCancelsIsToldBeforeWhatACancelledGraphDidNotWrite() {
        for (boolean awaits : new boolean[] {false, true}) {
            Session session = Session.builder().workers(2).open();
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            Task<?> bad = fails(session.graph("bad", FailurePolicy.CONTINUE), y);
            assertThrows(TaskFailedException.class, bad::join);
            TaskGraph cancelled = session.graph("cancelled", FailurePolicy.CONTINUE);
            cancelled.cancel();
            cancelled.task("writes").writes(x).run(ctx -> {});
            session.graph().task("reads x").reads(x).run(ctx -> {});
            session.graph().task("reads y").reads(y).run(ctx -> {});
            if (awaits) {
                TaskFailedException told = assertThrows(TaskFailedException.class, session.graph()::await);
                assertMentions(told, "\"bad\" -> \"reads y\"");
                assertMentions(told.getSuppressed()[0], "graph \"cancelled\" was cancelled");
                session.close();
            } else {
                assertMentions(assertThrows(TaskFailedException.class, session::close), "\"bad\" -> \"reads y\"");
            }
        }
    }

    @Test
    void closingTellsTheFailureOfARunBehindACancelledOne() {
        Session session = Session.builder().workers(2).open();
        Handle<int[]> x = session.wrap("x", new int[1]);
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch cancelled = new CountDownLatch(1);
        CompiledGraph graph = session.record("graph", rec -> {
            rec.task("runs").writes(x).run(ctx -> {
                if (runs.getAndIncrement() > 0) {
                    throw new IllegalStateException("no");
                }
                cancelled.await();
            });
            rec.task("follows").updates(x).run(ctx -> {});
        });
        graph.start();
        Watchdog.until(() -> runs.get() == 1, "the first run");
        graph.cancel();
        cancelled.countDown();
        Watchdog.until(() -> !graph.isRunning(), "its end");
        graph.start();
        assertMentions(assertThrows(TaskFailedException.class, session::close), "\"runs\" failed");
    }

    @Test
    void otherFailuresAreSuppressedByTheDeadline() {
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph("late", FailurePolicy.CONTINUE);
            graph.task("bad").run(ctx -> {
                throw new IllegalStateException("no");
            });
            graph.task("slow").interruptible().run(ctx -> new CountDownLatch(1).await());
            graph.deadline(Duration.ofMillis(20));
            DeadlineException late = assertThrows(DeadlineException.class, graph::await);
            assertTrue(late.getSuppressed()[0] instanceof TaskFailedException);
        }
    }
}

package dev.jacquard.core.compiled;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.trace.TraceLane.Span;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs of compiled graphs, one thing at a time. */
@Timeout(180)
class CompiledGraphTest {
    private final Session session = Session.builder().workers(2).open();
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        session.close();
    }

    private int log(CompiledGraphBuilder builder, String name) {
        return builder.task(name, context -> log.add(name));
    }

    @Test
    void runsInTheOrderOfItsEdges() {
        CompiledGraphBuilder builder = session.compile("g");
        int a = log(builder, "a");
        int b = log(builder, "b");
        int c = log(builder, "c");
        builder.edge(a, b, true);
        builder.edge(b, c, false);
        builder.edge(b, c, true);
        CompiledGraph graph = builder.build();
        graph.run();
        graph.run();
        assertEquals(List.of("a", "b", "c", "a", "b", "c"), log);
        assertEquals(new CompiledGraph.RunReport(2, 1, 3, 0, 0, 0), graph.report());
        assertEquals("compiled graph \"g\": 3 tasks, 2 edges", graph.toString());
        assertEquals(List.of("a", "b", "c"), graph.names());
        assertArrayEquals(new int[] {c}, graph.successors(b));
        assertTrue(graph.carriesFailure(b, c));
    }

    @Test
    void anEmptyGraphRuns() {
        CompiledGraph graph = session.compile("empty").build();
        graph.run();
        assertEquals(1, graph.report().run());
    }

    @Test
    void bodiesReachWhatTheyDeclared() {
        Handle<int[]> x = session.wrap("x", new int[1]);
        Handle<int[]> y = session.wrap("y", new int[1]);
        CompiledGraphBuilder builder = session.compile("g");
        builder.task("fine", context -> context.get(x)[0]++, a -> a.updates(x));
        builder.task("astray", context -> context.get(y)[0]++, a -> a.reads(x));
        CompiledGraph graph = builder.build();
        TaskFailedException failure = assertThrows(TaskFailedException.class, graph::run);
        assertEquals(1, x.value()[0]);
        assertEquals("astray", failure.task());
        assertMentions(failure, "touches \"y\" without a declared access", "READ x", "2 tasks: 1 done, 1 failed");
    }

    @Test
    void aFailureCancelsWhatReadsItsDataAndTheNextRunIsWell() {
        boolean[] fails = {true};
        CompiledGraphBuilder builder = session.compile("g");
        int a = builder.task("a", context -> {
            if (fails[0]) {
                throw new ArithmeticException("pivot 17 is zero");
            }
            log.add("a");
        });
        int b = log(builder, "b");
        int c = log(builder, "c");
        int d = log(builder, "d");
        builder.edge(a, b, true);
        builder.edge(b, c, true);
        builder.edge(a, d, false);
        CompiledGraph graph = builder.build();
        TaskFailedException failure = assertThrows(TaskFailedException.class, graph::run);
        assertMentions(
                failure, "task \"a\" failed on worker", "pivot 17", "1 failed, 2 cancelled", "first cancelled: \"b\"");
        assertEquals(List.of("d"), log);
        assertEquals(new CompiledGraph.RunReport(1, 1, 4, 1, 2, 0), graph.report());
        fails[0] = false;
        graph.run();
        assertEquals(new CompiledGraph.RunReport(2, 1, 4, 0, 0, 0), graph.report());
    }

    @Test
    void allFailuresAreTold() {
        CompiledGraphBuilder builder = session.compile("g");
        for (int i = 0; i < 3; i++) {
            builder.task("t" + i, context -> {
                throw new IllegalStateException(context.name());
            });
        }
        TaskFailedException failure = assertThrows(TaskFailedException.class, builder.build()::run);
        assertEquals(2, failure.getSuppressed().length);
    }

    @Test
    void stopsAtAFailureWhenToldTo() {
        CompiledGraphBuilder builder = session.compile("g").onFailure(FailurePolicy.STOP);
        int a = builder.task("a", context -> {
            throw new IllegalStateException("no");
        });
        builder.edge(a, log(builder, "b"), false);
        CompiledGraph graph = builder.build();
        assertThrows(TaskFailedException.class, graph::run);
        assertEquals(new CompiledGraph.RunReport(1, 1, 2, 1, 1, 0), graph.report());
        assertEquals(List.of(), log);
    }

    @Test
    void aRunIsCancelledAndTheNextIsNot() {
        CompiledGraph[] itself = new CompiledGraph[1];
        boolean[] cancels = {true};
        CompiledGraphBuilder builder = session.compile("g");
        int a = builder.task("a", context -> {
            if (cancels[0]) {
                itself[0].cancel();
                log.add("seen " + context.cancelled());
            }
        });
        builder.edge(a, log(builder, "b"), false);
        CompiledGraph graph = builder.build();
        itself[0] = graph;
        graph.cancel(); // nothing is in flight
        assertMentions(
                assertThrows(CancellationException.class, graph::run), "\"g\" was cancelled", "1 done", "1 cancelled");
        assertEquals(List.of("seen true"), log);
        cancels[0] = false;
        graph.run();
        assertEquals(2, graph.report().done());
    }

    // ---- repetition

    @Test
    void repeatsWhileATaskSaysSo() {
        AtomicInteger step = new AtomicInteger();
        CompiledGraphBuilder builder = session.compile("loop");
        int first = builder.task("step", context -> step.incrementAndGet());
        int more = builder.repeatWhile("more", context -> step.get() % 10 != 0);
        builder.edge(first, more, true);
        CompiledGraph graph = builder.build();
        graph.run();
        graph.run();
        assertEquals(20, step.get());
        assertEquals(new CompiledGraph.RunReport(2, 10, 20, 0, 0, 0), graph.report());
    }

    @Test
    void aFailureEndsTheRepetition() {
        AtomicInteger step = new AtomicInteger();
        CompiledGraphBuilder builder = session.compile("loop");
        builder.task("step", context -> {
            if (step.incrementAndGet() == 3) {
                throw new IllegalStateException("third step");
            }
        });
        builder.repeatWhile("more", context -> true);
        CompiledGraph graph = builder.build();
        assertThrows(TaskFailedException.class, graph::run);
        assertEquals(3, graph.report().passes());
        assertEquals(5, graph.report().done());
    }

    @Test
    void anEndlessRepetitionIsCancelled() {
        AtomicInteger steps = new AtomicInteger();
        CompiledGraphBuilder builder = session.compile("loop");
        builder.task("step", context -> steps.incrementAndGet());
        builder.repeatWhile("more", context -> true);
        CompiledGraph graph = builder.build();
        graph.start();
        Watchdog.until(() -> steps.get() > 1_000, "the graph repeats itself");
        graph.cancel();
        assertThrows(CancellationException.class, graph::join);
    }

    // ---- branches

    @Test
    void runsTheChosenBranchOnly() {
        int[] chosen = new int[2];
        CompiledGraphBuilder builder = session.compile("branches");
        int outer = builder.choose("outer", 2, context -> chosen[0]);
        int inner = builder.choose("inner", 2, context -> chosen[1]);
        builder.guard(outer, 0, inner);
        int join = builder.task("join", context -> log.add("|"));
        CompiledGraph[] graph = new CompiledGraph[1];
        assertThrows(IllegalArgumentException.class, () -> builder.guard(join, 0, join));
        int left = log(builder, "inner 0");
        int right = log(builder, "inner 1");
        int other = log(builder, "outer 1");
        builder.guard(inner, 0, left);
        builder.guard(inner, 1, right);
        builder.guard(outer, 1, other);
        int end = log(builder, "end");
        for (int task : new int[] {left, right, other}) {
            builder.edge(join, task, true);
            builder.edge(task, end, true);
        }
        graph[0] = builder.build();
        for (int[] choice : new int[][] {{0, 0}, {0, 1}, {1, 0}}) {
            chosen[0] = choice[0];
            chosen[1] = choice[1];
            graph[0].run();
        }
        assertEquals(List.of("|", "inner 0", "end", "|", "inner 1", "end", "|", "outer 1", "end"), log);
        assertEquals(new CompiledGraph.RunReport(3, 1, 7, 0, 0, 3), graph[0].report());
    }

    @Test
    void aChoiceOutOfRangeFails() {
        CompiledGraphBuilder builder = session.compile("branches");
        int chooser = builder.choose("which", 2, context -> 2);
        builder.guard(chooser, 0, log(builder, "zero"));
        CompiledGraph graph = builder.build();
        assertMentions(
                assertThrows(TaskFailedException.class, graph::run),
                "\"which\" chose branch 2, but has branches 0 to 1");
        assertEquals(1, graph.report().cancelled());
    }

    // ---- graphs as tasks

    @Test
    void anInnerGraphIsATask() {
        CompiledGraphBuilder small = session.compile("inner").whenBusy(CompiledGraph.OverlapRule.QUEUE);
        small.edge(log(small, "x"), log(small, "y"), true);
        CompiledGraph inner = small.build();
        CompiledGraphBuilder builder = session.compile("outer");
        int before = log(builder, "before");
        int one = builder.graph("one", inner);
        int two = builder.graph("two", inner);
        int after = log(builder, "after");
        builder.edge(before, one, true);
        builder.edge(before, two, true);
        builder.edge(one, after, true);
        builder.edge(two, after, true);
        CompiledGraph outer = builder.build();
        outer.run();
        assertEquals(List.of("before", "x", "y", "x", "y", "after"), log);
        assertEquals(2, inner.report().run());
        assertEquals(4, outer.report().done());
    }

    @Test
    void anInnerFailureFailsTheOuterTask() {
        CompiledGraphBuilder small = session.compile("inner");
        small.task("x", context -> {
            throw new IllegalStateException("inside");
        });
        CompiledGraphBuilder builder = session.compile("outer");
        int one = builder.graph("one", small.build());
        builder.edge(one, log(builder, "after"), true);
        TaskFailedException failure = assertThrows(TaskFailedException.class, builder.build()::run);
        assertEquals("one", failure.task());
        assertMentions(failure, "task \"one\" failed", "task \"x\" failed", "inside", "1 cancelled");
        assertEquals(List.of(), log);
    }

    @Test
    void cancellingTheOuterRunCancelsTheInner() {
        CountDownLatch inside = new CountDownLatch(1);
        CompiledGraphBuilder small = session.compile("inner");
        int x = small.task("x", context -> {
            inside.countDown();
            Watchdog.until(context::cancelled, "the inner run is cancelled");
        });
        small.edge(x, log(small, "y"), false);
        CompiledGraphBuilder builder = session.compile("outer");
        builder.graph("one", small.build());
        CompiledGraph outer = builder.build();
        outer.start();
        Watchdog.await(inside, "the inner graph runs");
        outer.cancel();
        assertThrows(CancellationException.class, outer::join);
        assertEquals(List.of(), log);
        assertEquals(new CompiledGraph.RunReport(1, 1, 1, 0, 1, 0), outer.report());
    }

    @Test
    void anInnerGraphThatIsBusyAndDoesNotQueueFailsTheTask() {
        CompiledGraphBuilder small = session.compile("inner");
        AtomicInteger started = new AtomicInteger();
        CountDownLatch release = new CountDownLatch(1);
        small.task("x", context -> {
            started.incrementAndGet();
            Watchdog.await(release, "the other run is refused");
        });
        CompiledGraph inner = small.build();
        CompiledGraphBuilder builder = session.compile("outer");
        builder.graph("one", inner);
        CompiledGraph outer = builder.build();
        inner.start();
        Watchdog.until(() -> started.get() == 1, "the first run has begun");
        assertMentions(
                assertThrows(TaskFailedException.class, outer::run),
                "\"inner\" runs already",
                "CompiledGraph.OverlapRule.QUEUE");
        release.countDown();
        inner.join();
        assertEquals(1, outer.report().failed());
        assertEquals(1, started.get());
    }

    // ---- who runs, who waits

    @Test
    void aSecondRunIsRefused() {
        CountDownLatch release = new CountDownLatch(1);
        CompiledGraphBuilder builder = session.compile("g");
        builder.task("a", context -> Watchdog.await(release, "released"));
        CompiledGraph graph = builder.build();
        graph.start();
        assertMentions(
                assertThrows(IllegalStateException.class, graph::run),
                "\"g\" runs already",
                "CompiledGraph.OverlapRule.QUEUE");
        assertTrue(graph.isRunning());
        release.countDown();
        graph.join();
        assertFalse(graph.isRunning());
        graph.run();
        assertEquals(2, graph.report().run());
    }

    @Test
    void runsOfManyThreadsTakeTurns() throws InterruptedException {
        int[] count = {0};
        CompiledGraphBuilder builder = session.compile("g").whenBusy(CompiledGraph.OverlapRule.QUEUE);
        builder.task("a", context -> count[0]++);
        CompiledGraph graph = builder.build();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int run = 0; run < 200; run++) {
                    graph.run();
                }
            }));
        }
        for (int run = 0; run < 200; run++) {
            graph.run();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(800, count[0]);
        assertEquals(800, graph.report().run());
    }

    @Test
    void anInterruptEndsTheWaitNotTheRun() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CompiledGraphBuilder builder = session.compile("g");
        builder.task("a", context -> {
            Watchdog.await(release, "released");
            throw new IllegalStateException("told later");
        });
        CompiledGraph graph = builder.build();
        FutureTask<WaitInterruptedException> wait =
                new FutureTask<>(() -> assertThrows(WaitInterruptedException.class, graph::run));
        Thread waiter = Thread.ofPlatform().start(wait);
        Watchdog.until(graph::isRunning, "the run begins");
        waiter.interrupt();
        assertMentions(wait.get(), "interrupted while waiting for compiled graph \"g\"");
        release.countDown();
        assertMentions(assertThrows(TaskFailedException.class, graph::join), "told later");
        assertDoesNotThrow(graph::join);
    }

    @Test
    void aTaskMustNotWaitForARun() {
        CompiledGraphBuilder other = session.compile("other");
        log(other, "x");
        CompiledGraph inner = other.build();
        CompiledGraphBuilder builder = session.compile("g");
        builder.task("a", context -> inner.run());
        assertMentions(
                assertThrows(TaskFailedException.class, builder.build()::run),
                "the body of a task must not wait for other tasks");
        assertFalse(inner.isRunning());
    }

    @Test
    void closingTheSessionWaitsForTheRun() {
        AtomicInteger steps = new AtomicInteger();
        Session mine = Session.builder().workers(2).open();
        CompiledGraphBuilder builder = mine.compile("g");
        int step = builder.task("step", context -> steps.incrementAndGet());
        int more = builder.repeatWhile("more", context -> steps.get() < 10_000);
        builder.edge(step, more, true); // else it may ask before the last step
        CompiledGraph graph = builder.build();
        graph.start();
        mine.close();
        assertEquals(10_000, steps.get());
        assertFalse(graph.isRunning());
        assertMentions(
                assertThrows(IllegalStateException.class, graph::run),
                "\"g\" was started after its session was closed");
    }

    @Test
    void anInterruptedCloseCancelsTheRun() {
        Session mine = Session.builder().workers(2).open();
        CompiledGraphBuilder builder = mine.compile("endless");
        builder.repeatWhile("again", context -> true);
        CompiledGraph graph = builder.build();
        graph.start();
        Thread.currentThread().interrupt();
        mine.close();
        assertTrue(Thread.interrupted());
        assertFalse(graph.isRunning());
    }

    @Test
    void closingTheSessionTellsAFailureThatNobodySaw() {
        Session mine = Session.builder().workers(2).open();
        CompiledGraphBuilder builder = mine.compile("g");
        builder.task("a", context -> {
            throw new IllegalStateException("unseen");
        });
        builder.build().start();
        assertMentions(assertThrows(TaskFailedException.class, mine::close), "unseen");
    }

    @Test
    void completionsAreCalledByAWorker() {
        CompiledGraphBuilder builder = session.compile("g");
        log(builder, "a");
        CompiledGraph graph = builder.build();
        AtomicInteger over = new AtomicInteger();
        graph.start((worker, failure) -> over.set(failure == null ? 1 + worker.index() : -1));
        graph.join();
        Watchdog.until(() -> over.get() > 0, "the completion is called");
    }

    @Test
    void bodiesAreTraced() {
        try (Session traced = Session.builder().workers(1).trace(64).open()) {
            CompiledGraphBuilder builder = traced.compile("g");
            builder.edge(builder.task("first", context -> {}), builder.task("second", context -> {}), true);
            builder.build().run();
            Set<String> names = new TreeSet<>();
            traced.trace()
                    .lanes()
                    .forEach(lane ->
                            lane.spans((Span span) -> names.add(traced.trace().nameOf(span.nameId()))));
            assertEquals(Set.of("first", "second"), names);
        }
    }

    // ---- misuse

    @Test
    void badInputIsNamed() {
        CompiledGraphBuilder builder = session.compile("g");
        int a = log(builder, "a");
        int b = log(builder, "b");
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> builder.edge(b, a, true)),
                "from an earlier task to a later one",
                "1 (\"b\")",
                "0 (\"a\")");
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> builder.edge(a, 7, true)),
                "has no task 7",
                "it has 2");
        try (Session other = Session.builder().workers(1).open()) {
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> builder.task("c", context -> {}, c -> c.reads(other.wrap("y", 1)))),
                    "\"y\", which belongs to another session");
            CompiledGraph foreign = other.compile("foreign").build();
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> builder.graph("c", foreign)), "another session");
        }
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> builder.choose("c", 0, context -> 0)),
                "at least 1 branch");
        int chooser = builder.choose("c", 2, context -> 0);
        int guarded = log(builder, "d");
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> builder.guard(chooser, 2, guarded)),
                "has branches 0 to 1, not 2");
        builder.repeatWhile("r", context -> false);
        assertThrows(IllegalStateException.class, () -> builder.repeatWhile("r2", context -> false));
        builder.build();
        assertMentions(assertThrows(IllegalStateException.class, builder::build), "is built");
    }
}

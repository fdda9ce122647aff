package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport.Outcome;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class FailureTest {
    private static FlowGraph<Integer, Integer> failingAt(int bad) {
        return FlowGraph.build(
                "plates",
                g -> g.input()
                        .to(g.task("read", 1, () -> FlowTest.plus(0)))
                        .to(g.<Integer, Integer>task("correlate", 2, () -> (n, out) -> out.emit(100 / (n - bad))))
                        .to(g.output()));
    }

    @Test
    void aFailureSaysWhereWithTheCauseAndTheCount() {
        try (FlowRun<Integer, Integer> run = failingAt(2).start(new SeededWorkers(1))) {
            FlowTest.numbers(10).forEach(run::send);
            run.finish();
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            assertEquals("correlate", failed.task());
            assertTrue(failed.copy() == 0 || failed.copy() == 1);
            assertEquals("2", failed.item());
            assertTrue(failed.getCause() instanceof ArithmeticException);
            String text = failed.toString();
            assertTrue(
                    text.contains("flow \"plates\": \"correlate\" copy " + failed.copy()
                            + " failed in execute of item 2: java.lang.ArithmeticException: / by zero"),
                    text);
            assertTrue(text.contains("10 items sent") && text.contains("1 failed"), text);
            RandomFlow.checkNothingIsLost(run);
            assertThrows(FlowFailedException.class, () -> run.iterator().hasNext());
            assertThrows(FlowFailedException.class, () -> run.send(1));
        }
    }

    @Test
    void aFailureThatNobodyWasToldOfComesFromClose() throws InterruptedException {
        try (ThreadedWorkers workers = new ThreadedWorkers(1)) {
            FlowRun<Integer, Integer> run = failingAt(0).start(workers);
            run.send(0);
            while (!run.isDone()) {
                Thread.onSpinWait();
            }
            assertThrows(FlowFailedException.class, run::close);
            run.close();
            assertEquals(Outcome.FAILED, run.report().outcome());
        }
    }

    @Test
    void anItemWhoseTextFailsHidesNothing() {
        record Bad() {
            @Override
            public String toString() {
                throw new IllegalStateException("no text");
            }
        }
        FlowGraph<Bad, Integer> graph = FlowGraph.build(
                "bad",
                g -> g.input()
                        .to(g.<Bad, Integer>task("fail", 1, () -> (item, out) -> {
                            throw new IOException("disk");
                        }))
                        .to(g.output()));
        try (FlowRun<Bad, Integer> run = graph.start(new SeededWorkers(1))) {
            run.send(new Bad());
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            assertTrue(Objects.requireNonNull(failed.item()).contains("its toString failed"));
            assertEquals("java.io.IOException: disk", String.valueOf(failed.getCause()));
        }
    }

    @Test
    void anAllocatorThatFailsAtTheStartStartsNothing() {
        IllegalStateException full = new IllegalStateException("full");
        FlowGraph<Integer, Integer> graph = FlowGraph.build("memory", g -> {
            var edge = g.<int[]>memory("m", 1, () -> {
                throw full;
            });
            g.input()
                    .to(g.task("t", 1, () -> FlowTest.plus(0)).takes(edge).releases(edge))
                    .to(g.output());
        });
        FlowFailedException failed = assertThrows(FlowFailedException.class, () -> graph.start(new SeededWorkers(1)));
        assertSame(full, failed.getCause());
        assertEquals("m", failed.task());
        assertNull(failed.report());
    }

    @Test
    void aBodyThatNeverEndsIsNamedInsteadOfWaitingForever() {
        final class Endless implements Body<Integer, Integer> {
            @Override
            public void execute(Integer item, Emitter<Integer> out) {}

            @Override
            public boolean canTerminate(boolean inputClosed) {
                return false;
            }
        }
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "endless", g -> g.input().to(g.task("endless", 2, Endless::new)).to(g.output()));
        try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1))) {
            run.finish();
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            assertTrue(failed.toString().contains("\"endless\""));
            assertTrue(failed.toString().contains("let canTerminate(true) answer true"));
        }
    }

    @Test
    void aConditionThatEndsATaskEarlyCancelsWhatIsLeft() throws InterruptedException {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "early",
                g -> g.input()
                        .to(g.task("three", 1, () -> FlowTest.plus(0))
                                .terminatedWhen(progress -> progress.executed() == 3))
                        .to(g.output()));
        try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1))) {
            FlowTest.numbers(10).forEach(run::send);
            run.finish();
            run.await();
            assertEquals(
                    List.of(0, 1, 2),
                    List.of(
                            run.iterator().next(),
                            run.iterator().next(),
                            run.iterator().next()));
            assertEquals(7, run.report().cancelled());
            RandomFlow.checkNothingIsLost(run);
        }
    }

    @Test
    void anInterruptEndsTheWaitAndTheRunGoesOn() {
        FlowRun<Integer, Integer> run = failingAt(-1).start(new SeededWorkers(1));
        try (run) {
            run.send(1);
            Thread.currentThread().interrupt();
            assertThrows(WaitInterruptedException.class, () -> run.iterator().next());
            assertTrue(Thread.interrupted());
            Thread.currentThread().interrupt();
            WaitInterruptedException told = assertThrows(WaitInterruptedException.class, run::await);
            assertTrue(Thread.interrupted());
            assertEquals("interrupted while waiting for flow \"plates\"; the tasks go on", told.getMessage());
            run.finish();
            assertEquals(Outcome.DONE, run.await().outcome());
            assertTrue(run.iterator().hasNext());
        }
        RandomFlow.checkNothingIsLost(run);
    }

    @Test
    void aSessionThatWaitsForNothingClosesAfterAnUnfinishedFlow() {
        for (int threads = 1; threads <= 2; threads++) {
            try (Session session = Session.builder().workers(threads).open();
                    FlowRun<Integer, Integer> run = failingAt(-1).start(session)) {
                run.send(1);
            }
        }
    }

    /** A body that is told of another's failure, and goes on, keeps it from the thread that closes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFailureThatOnlyABodyWasToldOfComesFromClose(boolean dedicated) {
        CompletableFuture<FlowRun<Integer, Integer>> itself = new CompletableFuture<>();
        CompletableFuture<RuntimeException> inside = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("kept", g -> {
            FlowTask<Integer, Integer> fails = g.task("fails", 1, () -> (n, out) -> {
                Watchdog.await(begun, "the other task is at work");
                throw new IOException("disk");
            });
            FlowTask<Integer, Integer> sends = g.task("sends", 1, () -> (n, out) -> {
                FlowRun<Integer, Integer> run = itself.join();
                begun.countDown();
                Watchdog.until(out::stopping, "the other task fails");
                inside.complete(assertThrows(FlowFailedException.class, () -> run.send(2)));
            });
            g.input().to(dedicated ? fails.dedicated() : fails).endsHere();
            g.input().to(dedicated ? sends.dedicated() : sends).endsHere();
        });
        try (Session session = Session.builder().workers(3).open()) {
            FlowRun<Integer, Integer> run = graph.start(session);
            itself.complete(run);
            run.send(1);
            Watchdog.until(run::isDone, "all copies shut down");
            FlowFailedException told = assertThrows(FlowFailedException.class, run::close);
            assertEquals("java.io.IOException: disk", String.valueOf(told.getCause()));
            assertMentions(inside.getNow(new IllegalStateException("was not told")), "java.io.IOException: disk");
        }
    }
}

package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.report.FlowReport.Outcome;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures that come after a run was cancelled are told with the cancellation; what follows from that is not. */
@Timeout(180)
class FailedSinceTest {
    private final CountDownLatch begun = new CountDownLatch(1);

    /** Begins with an item, and fails once the run stops; fails again when it shuts down. */
    private final class Fails implements Body<Integer, Integer> {
        @Override
        public void execute(Integer n, Emitter<Integer> out) {
            begun.countDown();
            Watchdog.until(out::stopping, "the run stops");
            throw new IllegalStateException("disk full");
        }

        @Override
        public void shutdown(Emitter<Integer> out) {
            throw new OutOfMemoryError("index not written");
        }
    }

    private FlowGraph<Integer, Integer> fails() {
        return FlowGraph.build(
                "fails", g -> g.input().to(g.task("task", 1, Fails::new)).to(g.output()));
    }

    private static void checkSuppressed(Throwable told) {
        List<Throwable> since = Arrays.asList(told.getSuppressed());
        assertEquals(2, since.size(), since::toString);
        assertMentions(
                assertInstanceOf(FlowFailedException.class, since.getFirst()),
                "\"task\" copy 0 failed in execute of item 1",
                "disk full");
        assertMentions(
                assertInstanceOf(FlowFailedException.class, since.getLast()),
                "failed in shutdown",
                "index not written");
    }

    @Test
    void waitsTellOfThem() {
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = fails().start(session)) {
            run.send(1);
            Watchdog.await(begun, "the body runs");
            run.cancel();
            CancellationException told = assertThrows(CancellationException.class, run::await);
            assertMentions(told, "flow \"fails\" was cancelled", "1 failed");
            checkSuppressed(told);
            assertEquals(Outcome.CANCELLED, run.report().outcome());
        } // which has nothing to add
    }

    @Test
    void closingEarlyTellsOfThem() {
        try (Session session = Session.builder().workers(2).open()) {
            FlowRun<Integer, Integer> run = fails().start(session);
            run.send(1);
            Watchdog.await(begun, "the body runs");
            checkSuppressed(assertThrows(CancellationException.class, run::close));
            run.close();
        }
    }

    @Test
    void closingTheSessionTellsOfThem() {
        Session session = Session.builder().workers(2).open();
        FlowRun<Integer, Integer> run = fails().start(session);
        run.send(1);
        Watchdog.await(begun, "the body runs");
        IllegalStateException lost = assertThrows(IllegalStateException.class, session::close);
        assertMentions(lost, "the session was closed while flow \"fails\" was open");
        checkSuppressed(lost.getSuppressed()[0]);
    }

    /** One of the item's tasks fails behind the cancellation, which has ended another one of them by then. */
    @Test
    void whatATaskOfTheEngineThrowsIsToldBesideAnotherThatWasCancelled() {
        CountDownLatch both = new CountDownLatch(2);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("writes", g -> {
            FlowTask<Integer, Integer> task = g.task("task", 1, () -> (n, out) -> {
                Task<?> waits = out.graph().task("waits").abandonable().start(ctx -> {
                    both.countDown();
                    return new CompletableFuture<>();
                });
                out.graph().task("writes").run(ctx -> {
                    both.countDown();
                    Watchdog.until(() -> waits.state().isOver(), "the other task is cancelled");
                    throw new IOException("disk full");
                });
                out.whenDone(then -> {});
            });
            g.input().to(task).to(g.output());
        });
        try (Session session = Session.builder().workers(3).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(1);
            Watchdog.await(both, "both tasks are at work");
            run.cancel();
            CancellationException told = assertThrows(CancellationException.class, run::await);
            assertEquals(1, told.getSuppressed().length);
            assertMentions(told.getSuppressed()[0], "\"task\" copy 0 failed in execute of item 1", "disk full");
        }
    }

    @Test
    void whatFollowsFromTheCancellationIsNotToldOf() {
        CountDownLatch never = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("waits", g -> {
            FlowTask<Integer, Integer> task = g.task("task", 1, () -> (n, out) -> {
                begun.countDown();
                try {
                    never.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("gave up", e);
                }
            });
            g.input().to(task.dedicated()).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(1);
            Watchdog.await(begun, "the body runs");
            run.cancel();
            CancellationException told = assertThrows(CancellationException.class, run::await);
            assertEquals(0, told.getSuppressed().length);
            assertEquals(
                    List.of(new FlowReport.TaskCount("task", 0, 0, 1, 0)),
                    run.report().tasks());
        }
    }
}

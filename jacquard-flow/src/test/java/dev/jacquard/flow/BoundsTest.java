package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport.Outcome;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bounds of both ends of a run, reads that do not wait, and the reports where only a user's thread can go on. */
@Timeout(180)
class BoundsTest {
    private static FlowGraph<Integer, Integer> same() {
        return FlowGraph.build("same", g -> {
            FlowTask<Integer, Integer> same = g.task("same", 1, () -> (n, out) -> out.emit(n));
            g.input().to(same).to(g.output());
        });
    }

    private static Session watched(CompletableFuture<String> told) {
        return Session.builder()
                .workers(2)
                .stallWatch(Duration.ofMillis(50), told::complete)
                .open();
    }

    private static void assertSays(String text, String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part), text);
        }
    }

    @Test
    void bothEndsAreBoundedByDefaultAndUnboundedOnDemand() {
        assertEquals(new FlowRun.Options(false, 1_024, 16_384), FlowRun.Options.defaults());
        assertEquals(new FlowRun.Options(false, 0, 0), FlowRun.Options.unbounded());
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> FlowRun.Options.defaults().withResultBound(-1)),
                "-1",
                "0 (none) or more");
        try (Session session = Session.builder().workers(1).open();
                FlowRun<Integer, Integer> run = same().start(session, FlowRun.Options.unbounded())) {
            int count = FlowRun.Options.RESULT_BOUND + 1_000;
            for (int i = 0; i < count; i++) {
                run.send(i);
            }
            run.finish();
            run.await();
            assertEquals(count, run.report().undelivered());
        }
    }

    /** The functions of edges run without a lock: the room of items on their way through them is not there twice. */
    @Test
    void roomThatIsReservedIsNotUsedByOthers() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch work = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("reserved", g -> {
            FlowTask<Integer, Integer> task = g.task("t", 1, () -> (n, out) -> {
                Watchdog.await(work, "all items are sent");
                out.emit(n);
            });
            g.input()
                    .as((Integer n) -> {
                        if (n == 0) {
                            inside.countDown();
                            Watchdog.await(goOn, "the second sender waits");
                        }
                        if (n < 0) {
                            throw new IllegalArgumentException("refused by the function");
                        }
                        return n;
                    })
                    .to(task);
            task.to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run =
                        graph.start(session, FlowRun.Options.defaults().withInputBound(4))) {
            assertThrows(IllegalArgumentException.class, () -> run.sendAll(List.of(-1, -2, -3, -4)));
            Thread first = Thread.ofPlatform().start(() -> run.sendAll(List.of(0, 1, 2, 3)));
            Watchdog.await(inside, "the function of the edge");
            Thread second = Thread.ofPlatform().start(() -> run.sendAll(List.of(4, 5, 6, 7)));
            Watchdog.until(
                    () -> second.getState() == Thread.State.WAITING || second.getState() == Thread.State.TIMED_WAITING,
                    "the second sender waits");
            assertEquals(0, run.report().sent());
            goOn.countDown();
            first.join();
            work.countDown();
            second.join();
            run.finish();
            List<Integer> all = new ArrayList<>();
            run.forEach(all::add);
            assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), all);
        }
    }

    @Test
    void aSendWaitsUntilResultsAreReadWhateverThreadSends() throws InterruptedException {
        int items = 2_000;
        FlowRun.Options small = FlowRun.Options.defaults().withInputBound(4).withResultBound(8);
        for (Thread.Builder threads : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
            try (Session session = Session.builder().workers(2).open();
                    FlowRun<Integer, Integer> run = same().start(session, small)) {
                List<Thread> senders = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    senders.add(threads.start(() -> {
                        for (int n = 0; n < items; n++) {
                            run.send(n);
                        }
                    }));
                }
                Watchdog.until(() -> run.report().undelivered() >= 8, "results at the bound");
                assertTrue(run.report().sent() < items / 10, () -> run.report().toString());
                for (int i = 0; i < 8 * items; i++) {
                    assertTrue(run.iterator().hasNext());
                    run.iterator().next();
                }
                for (Thread sender : senders) {
                    sender.join();
                }
                run.finish();
                assertEquals(8L * items, run.await().delivered());
            }
        }
    }

    @Test
    void oneThreadThatSendsAllAndReadsAfterwardsIsReported() {
        CompletableFuture<String> told = new CompletableFuture<>();
        try (Session session = watched(told);
                FlowRun<Integer, Integer> run =
                        same().start(session, FlowRun.Options.defaults().withResultBound(10))) {
            CompletableFuture<Void> _ = told.thenRun(run::cancel);
            assertThrows(CancellationException.class, () -> {
                for (int i = 0; ; i++) {
                    run.send(i);
                }
            });
        }
        assertSays(
                told.join(),
                "a thread waits in send: ",
                "results wait to be read, and the bound is 10",
                "read them in another thread",
                "withResultBound");
    }

    @Test
    void anIterationWithoutAFinishIsReported() {
        CompletableFuture<String> told = new CompletableFuture<>();
        try (Session session = watched(told);
                FlowRun<Integer, Integer> run = same().start(session)) {
            CompletableFuture<Void> _ = told.thenRun(run::finish);
            run.sendAll(List.of(1, 2, 3));
            int sum = 0;
            for (int n : run) {
                sum += n;
            }
            assertEquals(6, sum);
        }
        assertSays(told.join(), "more items may come: call finish() once all items are sent");
    }

    @Test
    void theEndOfARunWithoutAFinishIsReported() {
        CompletableFuture<String> told = new CompletableFuture<>();
        try (Session session = watched(told);
                FlowRun<Integer, Integer> run = same().start(session)) {
            CompletableFuture<Void> _ = told.thenRun(run::finish);
            run.send(1);
            assertEquals(1, run.await().undelivered());
        }
        assertSays(told.join(), "call finish()");
    }

    @Test
    void aPollNeitherWaitsForABodyNorRunsOne() throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("held", g -> {
            FlowTask<Integer, Integer> held = g.task("held", 1, () -> (n, out) -> {
                begun.countDown();
                Watchdog.await(gate, "the gate");
                out.emit(n);
            });
            g.input().to(held.dedicated()).to(g.output());
        });
        try (Session session = Session.builder().workers(1).open();
                FlowRun<Integer, Integer> run = graph.start(session);
                FlowRun<Integer, Integer> other = same().start(session)) {
            other.send(1); // for the only worker, this thread, which a poll does not make work
            run.send(7);
            Watchdog.await(begun, "the body");
            for (Duration none : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
                assertNull(run.poll());
                assertNull(run.poll(none));
                assertNull(other.poll(none));
            }
            assertNull(run.poll(Duration.ofMillis(1)));
            gate.countDown();
            assertEquals(7, run.poll(Duration.ofSeconds(Long.MAX_VALUE)));
            assertEquals(1, other.poll(Duration.ofMinutes(2)));
            run.finish();
            run.await();
            assertTrue(run.isDone());
            assertNull(run.poll());
            assertNull(run.poll(Duration.ofDays(1)));
        } finally {
            gate.countDown();
        }
    }

    @Test
    void aPollOfARunThatFailsWaitsForNoBody() {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("fails", g -> {
            FlowTask<Integer, Integer> fails = g.task("fails", 2, () -> (n, out) -> {
                if (n == 0) {
                    begun.countDown();
                    while (!out.stopping() || gate.getCount() > 0) { // not to be interrupted
                        Thread.onSpinWait();
                    }
                } else {
                    Watchdog.await(begun, "the other body");
                    throw new IllegalStateException("no item " + n);
                }
            });
            g.input().to(fails.dedicated()).to(g.output());
        });
        Session session = Session.builder().workers(1).open();
        try (session) {
            FlowRun<Integer, Integer> run = graph.start(session);
            run.sendAll(List.of(0, 1));
            Watchdog.until(() -> run.report().outcome() != Outcome.RUNNING, "end");
            assertNull(run.poll());
            gate.countDown();
            assertMentions(assertThrows(FlowFailedException.class, () -> run.poll(Duration.ofMinutes(2))), "no item 1");
            assertThrows(FlowFailedException.class, run::poll);
            run.close();
        } finally {
            gate.countDown();
        }
    }
}

package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limit of items that wait for engine tasks, where the first such item comes in the middle of a large batch. */
@Timeout(180)
class InFlightTest {
    private static final int CHEAP = 700;
    private static final int ITEMS = 1_500;

    /** Works through cheap items, so that batches grow, and then submits a task for each. */
    private static final class Late implements Body<Integer, Integer> {
        private final CountDownLatch sent;
        private int live;
        private int most;
        private final List<Integer> seen = new ArrayList<>();

        Late(CountDownLatch sent) {
            this.sent = sent;
        }

        @Override
        public void initialize(CopyInfo copy) {
            Watchdog.await(sent, "all items wait");
        }

        @Override
        public void execute(Integer n, Emitter<Integer> out) {
            seen.add(n);
            if (n < CHEAP) {
                out.emit(n);
                return;
            }
            most = Math.max(most, ++live); // goes down between batches only
            out.graph().task("task").run(context -> {});
            out.whenDone(then -> {
                live--;
                then.emit(n);
            });
        }
    }

    /** Time stands still, so that all batches are short, and grow. */
    private static Session session(int workers) {
        return Session.builder().workers(workers).clock(() -> 0).open();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, false, false",
        "1, 1, true, false",
        "1, 1, false, true",
        "3, 2, false, false",
        "3, 2, false, true",
        "0, 1, false, false",
        "0, 2, true, true"
    })
    void theLimitHoldsFromTheFirstItemOn(int limit, int copies, boolean dedicated, boolean taking) {
        CountDownLatch sent = new CountDownLatch(1);
        List<Late> bodies = new ArrayList<>();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("late", g -> {
            FlowTask<Integer, Integer> late = g.task("late", copies, () -> {
                Late body = new Late(sent);
                bodies.add(body);
                return body;
            });
            FlowTask<Integer, Integer> counted = limit == 0 ? late : late.inFlight(limit);
            if (taking) {
                MemoryEdge<int[]> edge = g.memory("e", 2 * ITEMS, () -> new int[1]);
                counted.takes(edge).releases(edge);
            }
            g.input().to(dedicated ? counted.dedicated() : counted).to(g.output());
        });
        int most = limit == 0 ? 32 : limit;
        Set<Integer> results = new TreeSet<>();
        try (Session session = session(3);
                FlowRun<Integer, Integer> run = graph.start(session, FlowRun.Options.unbounded())) {
            run.sendAll(FlowTest.numbers(ITEMS));
            run.finish();
            sent.countDown();
            run.forEach(results::add);
            assertEquals(ITEMS, run.await().tasks().getFirst().executed());
            RandomFlow.checkNothingIsLost(run);
        }
        assertEquals(new TreeSet<>(FlowTest.numbers(ITEMS)), results);
        for (Late body : bodies) {
            assertTrue(body.most <= most, () -> body.most + " items in flight, not " + most);
            if (copies == 1) { // of two copies one may take items before those that the other one puts back
                assertEquals(body.seen.stream().sorted().toList(), body.seen, "the order of the items");
            }
        }
    }

    /** Items that were put back are counted when the run ends over them. */
    @Test
    void whatIsPutBackIsCancelledWithTheRun() {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<String> never = new CompletableFuture<>();
        AtomicInteger count = new AtomicInteger();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("ends", g -> {
            FlowTask<Integer, Integer> late = g.task("late", 1, () -> new Body<Integer, Integer>() {
                @Override
                public void initialize(CopyInfo copy) {
                    Watchdog.await(sent, "all items wait");
                }

                @Override
                public void execute(Integer n, Emitter<Integer> out) {
                    if (n >= CHEAP) {
                        count.incrementAndGet();
                        out.graph().task("task").start(context -> {
                            begun.countDown();
                            return never;
                        });
                    }
                }
            });
            g.input().to(late.inFlight(2)).to(g.output());
        });
        try (Session session = session(2);
                FlowRun<Integer, Integer> run = graph.start(session, FlowRun.Options.unbounded())) {
            run.sendAll(FlowTest.numbers(ITEMS));
            run.finish();
            sent.countDown();
            Watchdog.await(begun, "a task runs");
            run.cancel();
            never.complete("now");
            assertThrows(CancellationException.class, run::await);
            RandomFlow.checkNothingIsLost(run);
            assertTrue(count.get() <= 2, count + " items were begun");
            assertEquals(
                    ITEMS,
                    run.report().tasks().getFirst().executed() + run.report().cancelled());
        }
    }
}

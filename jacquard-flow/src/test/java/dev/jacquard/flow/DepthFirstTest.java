package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.task.Body;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker runs what an expensive item has brought about before the next item, whose memory would displace it. */
@Timeout(180)
class DepthFirstTest {
    private static final int ITEMS = 20;
    /** More than a cheap item takes, and far less than the time behind which older work has its turn. */
    private static final long EXPENSIVE_NANOS = 50_000;

    private final List<String> order = new ArrayList<>(); // one worker runs everything that adds to it

    private Body<Integer, Integer> noting(String task, long nanos) {
        return (n, out) -> {
            for (long begun = System.nanoTime(); System.nanoTime() - begun < nanos; ) {
                Thread.onSpinWait();
            }
            order.add(task + " " + n);
            out.emit(n);
        };
    }

    /** Runs {@code graph} on the calling thread's worker, while the other one is busy. */
    private void run(FlowGraph<Integer, Integer> graph, int results) throws InterruptedException {
        try (Session session = Session.builder().workers(2).open()) {
            CountDownLatch busy = new CountDownLatch(1);
            CountDownLatch over = new CountDownLatch(1);
            Thread outside = new Thread(() -> session.graph().task("busy").run(context -> {
                busy.countDown();
                Watchdog.await(over, "the run");
            }));
            outside.start();
            outside.join();
            busy.await();
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                run.sendAll(IntStream.range(0, ITEMS).boxed().toList());
                run.finish();
                int got = 0;
                for (Integer _ : run) {
                    got++;
                }
                assertEquals(results, got);
            } finally {
                over.countDown();
            }
        }
    }

    /**
     * Checks that what the tasks do with most items is done before the first task has its next one: with all of them,
     * but where the thread is kept from its processor for so long that older work has its turn.
     */
    private void assertMostGoOn(String... tasks) {
        int inTurn = 0;
        for (int n = 0; n + 1 < ITEMS; n++) {
            int next = order.indexOf(tasks[0] + " " + (n + 1));
            boolean all = true;
            for (String task : tasks) {
                all &= order.indexOf(task + " " + n) < next;
            }
            inTurn += all ? 1 : 0;
        }
        assertTrue(inTurn >= ITEMS / 2, order::toString);
    }

    @Test
    void anItemGoesOn() throws InterruptedException {
        run(
                FlowGraph.build("depth first", g -> {
                    FlowTask<Integer, Integer> first = g.task("first", 1, () -> noting("first", EXPENSIVE_NANOS));
                    FlowTask<Integer, Integer> second = g.task("second", 1, () -> noting("second", EXPENSIVE_NANOS));
                    FlowTask<Integer, Integer> third = g.task("third", 1, () -> noting("third", 0));
                    g.input().to(first).to(second).to(third).to(g.output());
                }),
                ITEMS);
        assertMostGoOn("first", "second", "third");
    }

    @Test
    void anItemGoesOnToAllItsConsumers() throws InterruptedException {
        run(
                FlowGraph.build("two consumers", g -> {
                    FlowTask<Integer, Integer> first = g.task("first", 1, () -> noting("first", EXPENSIVE_NANOS));
                    FlowTask<Integer, Integer> left = g.task("left", 1, () -> noting("left", 0));
                    FlowTask<Integer, Integer> right = g.task("right", 1, () -> noting("right", 0));
                    g.input().to(first).to(left).to(g.output());
                    first.to(right).to(g.output());
                }),
                2 * ITEMS);
        assertMostGoOn("first", "left", "right");
    }
}

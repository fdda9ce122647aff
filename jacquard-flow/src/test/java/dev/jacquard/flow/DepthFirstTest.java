package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.session.Session;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker runs what an expensive item has brought about before the next item, whose memory would displace it. */
@Timeout(60)
class DepthFirstTest {
    private static final int ITEMS = 20;
    /** Longer than any item that is called cheap, for bodies that need to be just that. */
    private static final long EXPENSIVE_NANOS = 200_000;

    private final List<String> order = new ArrayList<>(); // one worker runs everything that adds to it

    private FlowGraph<Integer, Integer> graph() {
        return FlowGraph.build("depth first", g -> {
            FlowTask<Integer, Integer> first = g.task("first", 1, () -> (n, out) -> {
                LockSupport.parkNanos(EXPENSIVE_NANOS);
                order.add("first " + n);
                out.emit(n);
            });
            FlowTask<Integer, Integer> second = g.task("second", 1, () -> (n, out) -> {
                order.add("second " + n);
                out.emit(n);
            });
            g.input().to(first).to(second).to(g.output());
        });
    }

    @Test
    void anItemGoesOnWhileTheOtherWorkerIsBusy() throws InterruptedException {
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
            try (FlowRun<Integer, Integer> run = graph().start(session)) {
                run.sendAll(IntStream.range(0, ITEMS).boxed().toList());
                run.finish();
                int got = 0;
                for (Integer next : run) {
                    assertEquals(got++, next);
                }
                assertEquals(ITEMS, got);
            } finally {
                over.countDown();
            }
        }
        assertEquals(
                IntStream.range(0, ITEMS)
                        .boxed()
                        .flatMap(n -> List.of("first " + n, "second " + n).stream())
                        .toList(),
                order);
    }
}

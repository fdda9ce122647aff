package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A body that works on after many cheap items does not keep from others what it has emitted or released. In each of
 * these, one item of thousands waits until somebody else got something from it.
 */
@Timeout(180)
class HeldBackTest {
    private static final int ITEMS = 5_000;
    private static final int LATE = 4_000;

    private static List<Integer> items() {
        return IntStream.range(0, ITEMS).boxed().toList();
    }

    /** True if {@code event} came while the body waited for it, and not only behind it. */
    private static boolean comes(CountDownLatch event) throws InterruptedException {
        return event.await(20, TimeUnit.SECONDS);
    }

    private static void ends(FlowGraph<Integer, Integer> graph, int workers, AtomicInteger inTime)
            throws InterruptedException {
        try (Session session = Session.builder().workers(workers).open();
                FlowRun<Integer, Integer> run = graph.start(session, FlowRun.Options.unbounded())) {
            run.sendAll(items());
            run.finish();
            int got = 0;
            for (Integer next : run) {
                assertEquals(got++, next);
            }
            assertEquals(ITEMS, got);
            assertEquals(1, inTime.get());
            assertEquals(ITEMS, run.await().delivered());
        }
    }

    /** Two tasks, of which the first waits in its late item until the second has that. */
    private static void anItemIsPassedOn(boolean dedicated, int workers) throws InterruptedException {
        CountDownLatch there = new CountDownLatch(1);
        AtomicInteger inTime = new AtomicInteger();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("goes on", g -> {
            FlowTask<Integer, Integer> first = g.task("first", 1, () -> (n, out) -> {
                out.emit(n);
                if (n == LATE && comes(there)) {
                    inTime.incrementAndGet();
                }
            });
            FlowTask<Integer, Integer> second = g.task("second", 1, () -> (n, out) -> {
                if (n == LATE) {
                    there.countDown();
                }
                out.emit(n);
            });
            g.input().to(first).to(dedicated ? second.dedicated() : second).to(g.output());
        });
        ends(graph, workers, inTime);
    }

    @Test
    void anItemIsPassedOnToAnotherWorker() throws InterruptedException {
        anItemIsPassedOn(false, 2);
    }

    @Test
    void anItemIsPassedOnToATaskWithAThreadOfItsOwn() throws InterruptedException {
        anItemIsPassedOn(true, 1);
        anItemIsPassedOn(true, 2);
    }

    @Test
    void aResultIsPassedOnToWhoFetches() throws InterruptedException {
        for (int workers = 1; workers <= 2; workers++) {
            CountDownLatch there = new CountDownLatch(1);
            AtomicInteger inTime = new AtomicInteger();
            FlowGraph<Integer, Integer> graph = FlowGraph.build("fetched", g -> {
                FlowTask<Integer, Integer> only = g.task("only", 1, () -> (n, out) -> {
                    out.emit(n);
                    if (n == LATE && comes(there)) {
                        inTime.incrementAndGet();
                    }
                });
                g.input().to(only).to(g.output());
            });
            try (Session session = Session.builder().workers(workers).open();
                    FlowRun<Integer, Integer> run = graph.start(session, FlowRun.Options.unbounded())) {
                Thread fetches = Thread.ofPlatform().start(() -> {
                    for (Integer next : run) {
                        if (next == LATE) {
                            there.countDown();
                        }
                    }
                });
                run.sendAll(items());
                run.finish();
                run.await();
                fetches.join();
                assertEquals(1, inTime.get());
            }
        }
    }

    @Test
    void severalItemsOfOneBodyArePassedOnInTheirOrder() throws InterruptedException {
        CountDownLatch[] there = {new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1)};
        AtomicInteger inTime = new AtomicInteger();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("several", g -> {
            FlowTask<Integer, Integer> first = g.task("first", 1, () -> (n, out) -> {
                for (int i = 0; i < there.length; i++) {
                    out.emit(there.length * n + i);
                    if (n == LATE && comes(there[i])) {
                        inTime.incrementAndGet();
                    }
                }
            });
            FlowTask<Integer, Integer> second = g.task("second", 1, () -> (n, out) -> {
                if (n / there.length == LATE) {
                    there[n % there.length].countDown();
                }
                out.emit(n);
            });
            g.input().to(first).to(second).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session, FlowRun.Options.unbounded())) {
            run.sendAll(items());
            run.finish();
            List<Integer> got = new ArrayList<>();
            run.forEach(got::add);
            assertEquals(IntStream.range(0, there.length * ITEMS).boxed().toList(), got);
            assertEquals(there.length, inTime.get());
        }
    }

    @Test
    void aBufferThatIsReleasedIsGrantedWhileItsBodyGoesOn() throws InterruptedException {
        record Held(Handle<int[]> buffer, int number) {}
        CountDownLatch taken = new CountDownLatch(1);
        AtomicInteger inTime = new AtomicInteger();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("released", g -> {
            MemoryEdge<int[]> edge = g.memory("buffers", 2, () -> new int[1]);
            FlowTask<Integer, Held> take = g.task("take", 1, () -> (n, out) -> {
                if (n > LATE + 1) {
                    taken.countDown(); // with the buffer that LATE had, at the latest
                }
                out.emit(new Held(out.take(edge), n));
            });
            FlowTask<Held, Integer> release = g.task("release", 1, () -> (held, out) -> {
                out.release(held.buffer());
                out.emit(held.number());
                if (held.number() == LATE && comes(taken)) {
                    inTime.incrementAndGet();
                }
            });
            take.takes(edge);
            g.input().to(take).to(release.releases(edge)).to(g.output());
        });
        ends(graph, 2, inTime);
    }

    @Test
    void anItemGetsItsBufferWhileTheBodyBehindItsElderOnesGoesOn() throws InterruptedException {
        for (int size = 1; size <= 8; size *= 8) {
            int buffers = size;
            CountDownLatch taken = new CountDownLatch(1);
            AtomicInteger inTime = new AtomicInteger();
            FlowGraph<Integer, Integer> graph = FlowGraph.build("granted", g -> {
                MemoryEdge<int[]> edge = g.memory("buffers", buffers, () -> new int[1]);
                FlowTask<Integer, Integer> first = g.task("first", 1, () -> (n, out) -> {
                    out.emit(n);
                    if (n == LATE && comes(taken)) {
                        inTime.incrementAndGet();
                    }
                });
                FlowTask<Integer, Integer> second = g.task("second", 1, () -> (n, out) -> {
                    Handle<int[]> buffer = out.take(edge);
                    if (n == LATE) {
                        taken.countDown();
                    }
                    out.release(buffer);
                    out.emit(n);
                });
                second.takes(edge).releases(edge);
                g.input().to(first).to(second).to(g.output());
            });
            ends(graph, 2, inTime);
        }
    }

    @Test
    void anotherCopyIsWokenForWhatTheFirstLeaves() throws InterruptedException {
        CountDownLatch other = new CountDownLatch(1);
        AtomicInteger inTime = new AtomicInteger();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("two copies", g -> {
            FlowTask<Integer, Integer> work = g.task("work", 2, () -> (n, out) -> {
                if (n == LATE && comes(other)) {
                    inTime.incrementAndGet();
                }
                if (n == ITEMS - 1) { // behind more than a batch
                    other.countDown();
                }
                out.emit(n);
            });
            g.input().to(work).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session, FlowRun.Options.unbounded())) {
            run.sendAll(items());
            run.finish();
            int got = 0;
            for (Integer _ : run) {
                got++;
            }
            assertEquals(ITEMS, got);
            assertTrue(inTime.get() == 1, "the other copy slept");
        }
    }

    @Test
    void noItemWaitsBehindALongOneWhereCopiesTakeOneByOne() throws InterruptedException {
        CountDownLatch others = new CountDownLatch(ITEMS - 1);
        AtomicInteger inTime = new AtomicInteger();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("one by one", g -> {
            FlowTask<Integer, Integer> work = g.task("work", 2, () -> (n, out) -> {
                if (n != LATE) {
                    others.countDown();
                } else if (comes(others)) {
                    inTime.incrementAndGet();
                }
            });
            g.input().to(work.oneByOne()).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session, FlowRun.Options.unbounded())) {
            run.sendAll(items());
            run.finish();
            run.await();
            assertEquals(1, inTime.get());
        }
    }
}

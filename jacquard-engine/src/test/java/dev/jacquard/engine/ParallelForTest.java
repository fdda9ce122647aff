package dev.jacquard.engine;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class ParallelForTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void everyNumberComesOnce(int workers) {
        for (int grain : new int[] {1, 3, 100, 1000}) {
            AtomicIntegerArray seen = new AtomicIntegerArray(100);
            run(
                    workers,
                    worker -> worker.parallelFor(5, 105, grain, (from, to) -> {
                        assertTrue(to - from <= grain && from < to, from + " to " + to);
                        for (long i = from; i < to; i++) {
                            seen.incrementAndGet((int) i - 5);
                        }
                    }));
            for (int i = 0; i < 100; i++) {
                assertEquals(1, seen.get(i), "number " + i + " with grain " + grain);
            }
        }
    }

    @Test
    void idleWorkersHelp() {
        CountDownLatch together = new CountDownLatch(3);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        run(
                3,
                worker -> worker.parallelFor(0, 3, 1, (from, to) -> {
                    threads.add(Thread.currentThread());
                    together.countDown();
                    Watchdog.await(together, "three parts at once");
                }));
        assertEquals(3, threads.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void noMoreWorkersHelpThanAllowed(int helpers) {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch together = new CountDownLatch(helpers + 1);
        run(4, worker -> {
            for (int round = 0; round < 200; round++) { // a loop that is open again meets helpers of its last range
                worker.parallelFor(0, 40, 1, WorkerContext.ALL_HELP, (from, to) -> Rounds.drift((int) from));
                worker.parallelFor(0, 40, 1, helpers, (from, to) -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    together.countDown();
                    Watchdog.await(together, "as many as are allowed");
                    Rounds.drift((int) from);
                    now.decrementAndGet();
                });
            }
        });
        assertEquals(helpers + 1, most.get());
    }

    @Test
    void idleWorkersHelpUnderAPolicyAndATargetsTask() {
        CountDownLatch together = new CountDownLatch(2);
        AtomicBoolean done = new AtomicBoolean();
        ExecutionTarget fpga = ExecutionTarget.named("fpga");
        EngineOptions options = EngineOptions.of(1)
                .withPolicy(Policies.named("fifo"))
                .withPlaces(SeededSchedule.places(Map.of(fpga, 1)));
        try (Engine engine = new Engine(options, new Trace(Clock.system(), 0)).start()) {
            engine.ready(body(
                    Objects.requireNonNull(engine.place(fpga)),
                    done,
                    worker -> worker.parallelFor(0, 2, 1, (from, to) -> {
                        together.countDown();
                        Watchdog.await(together, "two parts at once");
                    })));
            await(engine, done::get);
        }
    }

    @Test
    void workersThatHaveOtherWorkDoNotHelp() {
        AtomicBoolean over = new AtomicBoolean();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        CountDownLatch busy = new CountDownLatch(1);
        AtomicBoolean done = new AtomicBoolean();
        try (Engine engine = Engine.of(2)) {
            engine.ready(new Scripted("busy", Place.HOST, worker -> {
                busy.countDown();
                Watchdog.until(over::get, "the loop ends");
            }));
            Watchdog.await(busy, "the other worker is busy");
            engine.ready(body(Place.HOST, done, worker -> {
                worker.parallelFor(0, 100, 1, (from, to) -> threads.add(Thread.currentThread()));
                over.set(true);
            }));
            await(engine, done::get);
        }
        assertEquals(Set.of(Thread.currentThread()), threads);
    }

    @Test
    void theCallerRunsNothingElseMeanwhile() {
        AtomicBoolean inLoop = new AtomicBoolean();
        AtomicReference<@Nullable Thread> caller = new AtomicReference<>();
        AtomicInteger strangers = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();
        try (Engine engine = Engine.of(2)) {
            engine.ready(body(Place.HOST, done, worker -> {
                caller.set(Thread.currentThread());
                for (int i = 0; i < 20; i++) {
                    worker.ready(new Scripted("other", Place.HOST, other -> {
                        ran.incrementAndGet();
                        if (inLoop.get() && Thread.currentThread() == caller.get()) {
                            strangers.incrementAndGet();
                        }
                    }));
                }
                inLoop.set(true);
                worker.parallelFor(0, 50, 1, (from, to) -> Rounds.drift((int) from));
                inLoop.set(false);
            }));
            await(engine, () -> done.get() && ran.get() == 20);
        }
        assertEquals(0, strangers.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void loopsNest(int workers) {
        AtomicLong sum = new AtomicLong();
        run(
                workers,
                worker -> worker.parallelFor(
                        0,
                        20,
                        1,
                        (row, end) -> worker.parallelFor(0, 20, 3, (from, to) -> {
                            for (long i = from; i < to; i++) {
                                sum.addAndGet(row * 20 + i);
                            }
                        })));
        assertEquals(400L * 399 / 2, sum.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void whatAPartThrowsIsThrownOnce(int workers) {
        IOException planned = new IOException("planned");
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        AtomicInteger begun = new AtomicInteger();
        run(
                workers,
                worker -> thrown.set(assertThrows(
                        IOException.class,
                        () -> worker.parallelFor(0, 1_000_000, 1, (from, to) -> {
                            begun.incrementAndGet();
                            throw planned;
                        }))));
        assertSame(planned, thrown.get());
        assertTrue(begun.get() <= workers, begun + " parts began after the first had failed");
    }

    @Test
    void whatOtherPartsThrowIsSuppressed() {
        CountDownLatch together = new CountDownLatch(2);
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        run(
                2,
                worker -> thrown.set(assertThrows(
                        IllegalStateException.class,
                        () -> worker.parallelFor(0, 2, 1, (from, to) -> {
                            together.countDown();
                            Watchdog.await(together, "both parts");
                            throw new IllegalStateException("part " + from);
                        }))));
        assertEquals(1, Objects.requireNonNull(thrown.get()).getSuppressed().length);
    }

    @Test
    void strangeRanges() {
        AtomicInteger parts = new AtomicInteger();
        List<Throwable> thrown = new ArrayList<>();
        run(1, worker -> {
            worker.parallelFor(3, 3, 1, (from, to) -> parts.incrementAndGet());
            worker.parallelFor(3, -3, 1, (from, to) -> parts.incrementAndGet());
            thrown.add(
                    assertThrows(IllegalArgumentException.class, () -> worker.parallelFor(0, 1, 0, (from, to) -> {})));
            thrown.add(assertThrows(
                    IllegalArgumentException.class,
                    () -> worker.parallelFor(Long.MIN_VALUE, Long.MAX_VALUE, 1, (from, to) -> {})));
            thrown.addFirst(assertThrows(
                    IllegalArgumentException.class, () -> worker.parallelFor(0, 1, 1, -1, (from, to) -> {})));
        });
        assertEquals(0, parts.get());
        assertMentions(thrown.removeFirst(), "a parallel loop has 0 helpers or more, not -1");
        assertMentions(thrown.getFirst(), "the grain of a parallel loop must be at least 1, not 0");
        assertMentions(thrown.getLast(), "is too long");
    }

    /** More loops are open at a time than the list holds at first. */
    @Test
    void veryManyLevels() {
        AtomicLong sum = new AtomicLong();
        run(3, worker -> nested(worker, 20, sum));
        assertEquals(1 << 20, sum.get());
    }

    private static void nested(WorkerContext worker, int levels, AtomicLong sum) throws Exception {
        if (levels == 0) {
            sum.incrementAndGet();
        } else {
            worker.parallelFor(0, 2, 1, (from, to) -> nested(worker, levels - 1, sum));
        }
    }

    /** Loops open just when workers go to sleep, and end just when helpers come. */
    @Test
    void manyShortLoops() {
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong sum = new AtomicLong();
        AtomicLong expected = new AtomicLong();
        try (Engine engine = new Engine(new EngineOptions(3, 0), new Trace(Clock.system(), 0)).start()) {
            engine.ready(body(
                    Place.HOST,
                    done,
                    worker -> Rounds.run(100_000, round -> {
                        try {
                            worker.parallelFor(0, 4, 1, (from, to) -> sum.addAndGet(from + 1));
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                        assertEquals(expected.addAndGet(10), sum.get());
                        Rounds.drift(round);
                    })));
            await(engine, done::get);
        }
    }

    /** On the thread that runs the loops; others help meanwhile. */
    @Test
    void loopsAllocateNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        AtomicLong sum = new AtomicLong();
        AtomicLong allocated = new AtomicLong();
        RangeBody body = (from, to) -> sum.addAndGet(to - from);
        run(3, worker -> {
            for (int attempt = 0; attempt < 100; attempt++) { // the first ones warm up
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int round = 0; round < 1_000; round++) {
                    worker.parallelFor(0, 8, 1, body);
                }
                allocated.set(threads.getCurrentThreadAllocatedBytes() - before);
                if (allocated.get() < 1_000) {
                    return;
                }
            }
        });
        assertTrue(allocated.get() < 1_000, "1,000 loops allocated " + allocated + " bytes");
        assertEquals(0, sum.get() % 8_000);
    }

    private interface Body {
        void run(WorkerContext worker) throws Exception;
    }

    private static Node body(Place place, AtomicBoolean done, Body body) {
        return new Scripted("loop", place, worker -> {
            try {
                body.run(worker);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            done.set(true);
        });
    }

    private static void run(int workers, Body body) {
        AtomicBoolean done = new AtomicBoolean();
        try (Engine engine = Engine.of(workers)) {
            engine.ready(body(Place.HOST, done, body));
            await(engine, done::get);
        }
    }

    private static void await(Engine engine, BooleanSupplier done) {
        try {
            engine.awaitUntil(done);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

package dev.jacquard.engine;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.ThreadFunction;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops whose function is interrupted, or whose node is cancelled, while parts of them run. */
@Timeout(180)
class StoppedLoopsTest {
    private final ThreadFunction function = new ThreadFunction() {};
    private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();

    @AfterEach
    void noInterruptIsLeft() {
        assertFalse(Thread.interrupted());
    }

    @Test
    void anInterruptReachesAllPartsThatRun() throws InterruptedException {
        CountDownLatch together = new CountDownLatch(3);
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger interrupted = new AtomicInteger();
        Thread interrupter = interruptOnce(together);
        run(3, (engine, worker) -> {
            function.begin();
            keep(() -> worker.parallelFor(0, 1_000, 1, (from, to) -> {
                together.countDown();
                try {
                    never.await();
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                    throw e;
                }
            }));
            function.end();
            assertFalse(Thread.currentThread().isInterrupted());
        });
        interrupter.join();
        assertEquals(3, interrupted.get());
        assertEquals(
                2, assertInstanceOf(InterruptedException.class, thrown.get()).getSuppressed().length);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void noPartBeginsAfterTheInterrupt(int workers) throws InterruptedException {
        CountDownLatch together = new CountDownLatch(workers);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger late = new AtomicInteger();
        Thread interrupter = Thread.ofPlatform().start(() -> {
            Watchdog.await(together, "a part on each worker");
            assertTrue(function.interrupt());
            over.set(true);
        });
        run(workers, (engine, worker) -> {
            function.begin();
            keep(() -> worker.parallelFor(0, 1_000, 1, (from, to) -> {
                late.addAndGet(over.get() ? 1 : 0);
                together.countDown();
                while (!over.get()) { // and does not listen
                    Thread.onSpinWait();
                }
            }));
            assertThrows(
                    CancellationException.class, () -> worker.parallelFor(0, 2, 1, (from, to) -> late.addAndGet(100)));
            function.end();
            worker.parallelFor(
                    0, 3, 1, (from, to) -> assertFalse(Thread.currentThread().isInterrupted()));
        });
        interrupter.join();
        assertEquals(0, late.get());
        CancellationException ended = assertInstanceOf(CancellationException.class, thrown.get());
        assertMentions(ended, "from 0 to 1000 ended early, with " + workers + " of its 1000 parts begun");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void noPartBeginsAfterTheNodeWasCancelled(int workers) {
        CountDownLatch together = new CountDownLatch(workers);
        AtomicBoolean cancelled = new AtomicBoolean();
        AtomicInteger parts = new AtomicInteger();
        run(workers, (engine, worker) -> {
            keep(() -> engine.loop(
                    0,
                    1_000,
                    1,
                    WorkerContext.ALL_HELP,
                    (from, to) -> {
                        parts.incrementAndGet();
                        together.countDown();
                        Watchdog.await(together, "a part on each worker");
                        cancelled.set(true);
                        assertFalse(Thread.currentThread().isInterrupted());
                    },
                    cancelled::get));
            worker.parallelFor(
                    0, 10, 1, (from, to) -> parts.incrementAndGet()); // in a loop object that was used before
        });
        assertInstanceOf(CancellationException.class, thrown.get());
        assertTrue(parts.get() - 10 >= workers && parts.get() - 10 < 2 * workers, parts.get() - 10 + " parts");
    }

    @Test
    void aLoopOutsideOfNodesIsStoppedToo() {
        AtomicInteger parts = new AtomicInteger();
        try (Engine engine = Engine.of(2)) {
            keep(() -> engine.loop(0, 10, 3, 1, (from, to) -> parts.incrementAndGet(), () -> parts.get() == 2));
        }
        assertMentions(Objects.requireNonNull(thrown.get()), "2 of its 4 parts");
    }

    @Test
    void aLoopOfWhichAllPartsHaveBegunIsNotStopped() {
        CountDownLatch together = new CountDownLatch(2);
        AtomicInteger ended = new AtomicInteger();
        run(2, (engine, worker) -> {
            function.begin();
            worker.parallelFor(0, 2, 1, (from, to) -> {
                together.countDown();
                while (together.getCount() > 0) { // and does not listen
                    Thread.onSpinWait();
                }
                assertTrue(function.interrupt());
                ended.incrementAndGet();
            });
            assertTrue(Thread.currentThread().isInterrupted(), "the function may see it");
            function.end();
        });
        assertEquals(2, ended.get());
    }

    /** The loops of a loop's parts, and of a function inside of the one that is interrupted. */
    @Test
    void anInterruptReachesLoopsInside() throws InterruptedException {
        CountDownLatch together = new CountDownLatch(4);
        CountDownLatch never = new CountDownLatch(1);
        AtomicInteger interrupted = new AtomicInteger();
        Thread interrupter = interruptOnce(together);
        run(4, (engine, worker) -> {
            function.begin();
            ThreadFunction inside = new ThreadFunction() {};
            inside.begin();
            CountDownLatch outer = new CountDownLatch(2);
            keep(() -> worker.parallelFor(0, 2, 1, (row, end) -> {
                outer.countDown();
                Watchdog.await(outer, "both rows");
                worker.parallelFor(0, 2, 1, (from, to) -> {
                    together.countDown();
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.incrementAndGet();
                        throw e;
                    }
                });
            }));
            inside.end();
            function.end();
        });
        interrupter.join();
        assertEquals(4, interrupted.get());
        assertInstanceOf(InterruptedException.class, thrown.get());
    }

    /** A node that runs inside of a submission of the function is another's. */
    @Test
    void aLoopOfANodeInsideIsNoPartOfTheFunction() {
        AtomicInteger parts = new AtomicInteger();
        run(2, (engine, worker) -> {
            function.begin();
            ThreadFunction paused = Objects.requireNonNull(ThreadFunction.pauseInnermost());
            assertTrue(function.interrupt());
            worker.parallelFor(0, 10, 1, (from, to) -> {
                assertFalse(Thread.currentThread().isInterrupted());
                parts.incrementAndGet();
            });
            paused.goOn();
            assertTrue(Thread.currentThread().isInterrupted());
            function.end();
        });
        assertEquals(10, parts.get());
    }

    /** Interrupts that come while the parts end, and the threads go on with other loops. */
    @Test
    void noInterruptReachesWhatComesAfterALoop() throws InterruptedException {
        AtomicReference<@Nullable ThreadFunction> present = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger strays = new AtomicInteger();
        AtomicInteger interrupts = new AtomicInteger();
        Thread interrupter = Thread.ofPlatform().start(() -> {
            for (int round = 0; !over.get(); round++) {
                ThreadFunction its = present.getAndSet(null);
                if (its != null) {
                    Rounds.drift(round);
                    interrupts.addAndGet(its.interrupt() ? 1 : 0);
                }
            }
        });
        run(3, (engine, worker) -> {
            Rounds.run(100_000, round -> {
                ThreadFunction its = new ThreadFunction() {};
                try {
                    its.begin();
                    present.set(its);
                    worker.parallelFor(0, 6, 1, (from, to) -> Rounds.drift(round));
                } catch (Exception e) {
                    assertInstanceOf(CancellationException.class, e);
                } finally {
                    its.end();
                }
                try {
                    worker.parallelFor(0, 6, 1, (from, to) -> {
                        Rounds.drift(round);
                        strays.addAndGet(Thread.interrupted() ? 1 : 0);
                    });
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            over.set(true);
        });
        interrupter.join();
        assertEquals(0, strays.get());
        assertTrue(interrupts.get() > 0, "no function was interrupted");
    }

    private Thread interruptOnce(CountDownLatch together) {
        Thread interrupter = Thread.ofPlatform().start(() -> {
            Watchdog.await(together, "all parts at once");
            assertTrue(function.interrupt());
        });
        return interrupter;
    }

    /** Code that may throw. */
    private interface Code {
        void run() throws Exception;
    }

    private void keep(Code code) {
        try {
            code.run();
        } catch (Exception e) {
            thrown.set(e);
        }
    }

    private interface Body {
        void run(Engine engine, WorkerContext worker) throws Exception;
    }

    private static void run(int workers, Body body) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        AtomicBoolean done = new AtomicBoolean();
        try (Engine engine = Engine.of(workers)) {
            engine.ready(new Scripted("loop", Place.HOST, worker -> {
                try {
                    body.run(engine, worker);
                } catch (Throwable e) {
                    failure.set(e);
                }
                done.set(true);
            }));
            engine.awaitUntil(done::get);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        Throwable its = failure.get();
        if (its != null) {
            throw new AssertionError(its);
        }
    }
}

package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.Stealing;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sleep against announce, wait against signal, on engines without patience. Needs the CAS of wake and the monitor of
 * the waiters; the fences and the number of sleepers are {@link EngineRaces}' part, which is sharper.
 */
class EngineStressTest {
    /** Every node is made ready just when its worker goes to sleep, a little earlier or later. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void noNodeWaitsWhileAWorkerSleeps(int workers) {
        within(workers, engine -> {
            Count count = new Count();
            Rounds.run(200_000, round -> {
                engine.ready(count);
                Watchdog.until(() -> count.ran.get() == round, "the node runs");
                Rounds.drift(round);
            });
        });
    }

    /** The same through a policy's orders; what is placed on the opener, who is away, others must run. */
    @ParameterizedTest
    @ValueSource(strings = {"fifo", "priority", "round-robin", "minimum-load"})
    void noNodeWaitsInAnOrderWhileAWorkerSleeps(String policy) {
        within(3, Policies.named(policy), engine -> {
            Count count = new Count();
            Rounds.run(200_000, round -> {
                engine.ready(count);
                Watchdog.until(() -> count.ran.get() == round, "the node runs");
                Rounds.drift(round);
            });
        });
    }

    /** The opener comes and goes while nodes are placed on it, by itself and by another thread. */
    @ParameterizedTest
    @ValueSource(strings = {"fifo", "pinned", "round-robin", "minimum-load"})
    void noNodeIsLostWhenTheOpenerComesAndGoes(String policy) {
        within(2, Policies.named(policy), engine -> {
            Count count = new Count();
            AtomicInteger turn = new AtomicInteger();
            CompletableFuture<Void> other = onThread(() -> {
                for (int mine = next(turn, 0); mine != 0; mine = next(turn, mine)) {
                    engine.ready(new Relay(count));
                }
            });
            Rounds.run(100_000, round -> {
                turn.set(round);
                engine.ready(new Relay(count));
                await(engine, () -> count.ran.get() >= 2 * round - 1);
                Rounds.drift(round);
                await(engine, () -> count.ran.get() == 2 * round);
            });
            turn.set(-1);
            other.join();
        });
    }

    /** While one worker goes to sleep the opener wakes the other: the number of sleepers stays right. */
    @Test
    void workersAreCountedRightThatSleepAndWakeTogether() {
        within(3, engine -> {
            Count count = new Count();
            Rounds.run(100_000, round -> {
                engine.ready(count);
                Rounds.drift(round);
                engine.ready(count);
                Watchdog.until(() -> count.ran.get() == 2 * round, "both nodes run");
            });
            Watchdog.until(() -> engine.pool().sleepers.count() == 2, "both workers sleep and are counted");
        });
    }

    /** The opener and another thread wake the same worker. */
    @Test
    void nodesFromInsideAndOutsideWakeWorkersTogether() {
        within(2, engine -> {
            Count count = new Count();
            AtomicInteger turn = new AtomicInteger();
            CompletableFuture<Void> other = onThread(() -> {
                for (int mine = next(turn, 0); mine != 0; mine = next(turn, mine)) {
                    engine.ready(count);
                }
            });
            Rounds.run(100_000, round -> {
                turn.set(round);
                Rounds.drift(round);
                engine.ready(count);
                Watchdog.until(() -> count.ran.get() == 2 * round, "both nodes run");
            });
            turn.set(-1);
            other.join();
        });
    }

    /** What is waited for changes just when the waiter goes to sleep, a little earlier or later. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void noWaiterSleepsThroughASignal(int waiters) {
        within(1, engine -> {
            AtomicInteger turn = new AtomicInteger();
            AtomicInteger heard = new AtomicInteger();
            List<CompletableFuture<Void>> waiting = new ArrayList<>();
            for (int i = 0; i < waiters; i++) {
                waiting.add(onThread(() -> {
                    for (int mine = 1; turn.get() >= 0; mine++) {
                        int awaited = mine;
                        Rounds.drift(7 * mine); // so that the turn comes now before, now while it begins to wait
                        await(engine, () -> turn.getAcquire() >= awaited || turn.getAcquire() < 0);
                        heard.incrementAndGet();
                    }
                }));
            }
            Rounds.run(200_000, round -> {
                turn.setRelease(round);
                engine.signal();
                Watchdog.until(() -> heard.get() == round * waiters, "every waiter hears of the turn");
                Rounds.drift(round);
            });
            turn.set(-1);
            engine.signal();
            waiting.forEach(CompletableFuture::join);
        });
    }

    /** Waits until {@code turn} is beyond {@code last}; returns it, or 0 when it has become negative. */
    private static int next(AtomicInteger turn, int last) {
        Watchdog.until(() -> turn.get() > last || turn.get() < 0, "the next turn");
        return Math.max(0, turn.get());
    }

    private static void await(Engine engine, BooleanSupplier done) {
        try {
            engine.awaitUntil(done);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static CompletableFuture<Void> onThread(Runnable action) {
        return CompletableFuture.runAsync(action, task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
        });
    }

    private interface Part {
        void run(Engine engine) throws Exception;
    }

    /** An engine is not closed when the test fails: its threads are daemons. */
    private static void within(int workers, Part test) {
        within(workers, new Stealing(), test);
    }

    private static void within(int workers, Policy policy, Part test) {
        assertTimeoutPreemptively(
                Watchdog.LIMIT.plusSeconds(10),
                () -> {
                    EngineOptions options = new EngineOptions(workers, 0).withPolicy(policy);
                    Engine engine = new Engine(options, new Trace(Clock.system(), 0)).start();
                    test.run(engine);
                    engine.close();
                },
                "somebody sleeps for ever");
    }

    /** Makes the count ready at its end. */
    private static final class Relay extends Node {
        private final Count count;

        Relay(Count count) {
            this.count = count;
        }

        @Override
        public void run(WorkerContext worker) {
            worker.readyAtEnd(new Scripted("last", Place.HOST, count::run));
        }
    }

    private static final class Count extends Node {
        private final AtomicInteger ran = new AtomicInteger();

        @Override
        public void run(WorkerContext worker) {
            ran.incrementAndGet();
        }
    }
}

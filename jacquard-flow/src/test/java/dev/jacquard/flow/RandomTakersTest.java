package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.RandomBodies.Injected;
import dev.jacquard.flow.RandomBodies.Item;
import dev.jacquard.flow.RandomFlow.Threads;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random graphs from whose memory edges threads outside take buffers, too, until the run is over, fails or is
 * cancelled: in line with the tasks, one holder at a time, and nothing waits for ever. Begins at seed
 * {@code -Djacquard.seed}, 0 by default.
 */
@Timeout(120)
class RandomTakersTest {
    private static final long FROM = Long.getLong("jacquard.seed", 0);
    private static final int SEEDS = Rounds.some(600);

    /** Threads outside. */
    private static final class Takers {
        private final List<Thread> threads = new ArrayList<>();
        final AtomicReference<@Nullable Throwable> problem = new AtomicReference<>();
        final AtomicInteger taken = new AtomicInteger();

        Takers(RandomFlow random, FlowRun<Item, Item> run, long seed) {
            int count = 1 + new Random(3 * seed).nextInt(3);
            for (int i = 0; i < count; i++) {
                int number = i;
                threads.add(Thread.ofPlatform().start(() -> takeAll(random, run, seed, number)));
            }
        }

        private void takeAll(RandomFlow random, FlowRun<Item, Item> run, long seed, int number) {
            Random draw = new Random(5 * seed + number);
            try {
                while (true) {
                    MemoryEdge<long[]> edge = random.memories.get(draw.nextInt(random.memories.size()));
                    Handle<long[]> buffer = run.take(edge, ReleaseRule.after(1));
                    taken.incrementAndGet();
                    buffer.value()[0] = -1L - number;
                    if (draw.nextBoolean()) {
                        Thread.onSpinWait();
                    }
                    if (buffer.value()[0] != -1L - number) {
                        throw new AssertionError("a buffer was lent twice at once");
                    }
                    run.release(buffer);
                }
            } catch (CancellationException | Injected e) {
                // the run failed or was cancelled, or the allocator refused this thread
            } catch (IllegalStateException e) {
                if (!String.valueOf(e.getMessage()).contains("over")) {
                    problem.set(e);
                }
            } catch (Throwable e) {
                problem.set(e);
            }
        }

        void join(String what) {
            for (Thread thread : threads) {
                Watchdog.until(() -> !thread.isAlive(), what + ": the end of what takes outside");
            }
            Throwable thrown = problem.get();
            if (thrown != null) {
                throw new AssertionError(what, thrown);
            }
        }
    }

    private static List<Long> values(long seed) {
        return LongStream.range(0, new Random(seed).nextInt(RandomFlow.LARGEST))
                .boxed()
                .toList();
    }

    private static void check(RandomFlow random, FlowRun<Item, Item> run, String what) {
        RandomFlow.checkNothingIsLost(run);
        RandomBodies bodies = random.bodies;
        assertEquals(bodies.allocated.get(), bodies.freed.get(), "buffers, " + what);
        assertTrue(bodies.largestLive.get() <= random.largestPool(), "live buffers, " + what);
    }

    private static void toTheEnd(RandomFlow random, FlowRun<Item, Item> run, Workers workers, long seed) {
        String what = "seed " + seed;
        List<Long> results = new ArrayList<>();
        try (run) {
            Takers takers = new Takers(random, run, seed);
            RandomFlowTest.feed(
                    run, workers, seed, values(seed).stream().map(Item::of).toList());
            run.finish();
            for (Item item : run) {
                results.add(item.value());
            }
            takers.join(what);
        }
        results.sort(null);
        assertEquals(random.expected(values(seed)), results, what);
        check(random, run, what);
    }

    @Test
    void theResultsAreThoseOfASequentialRun() {
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (long seed = FROM; seed < FROM + SEEDS; seed++) {
                RandomFlow random = new RandomFlow(seed, seed % 4 == 0 ? Threads.DEDICATED : Threads.MIXED);
                toTheEnd(random, random.start(workers), workers, seed);
            }
        }
    }

    @Test
    void theEngineGivesTheResultsOfASequentialRun() {
        for (long seed = FROM; seed < FROM + SEEDS; seed++) {
            try (Session session =
                    Session.builder().workers(1 + (int) (seed % 3)).open()) {
                RandomFlow random = new RandomFlow(seed, seed % 4 == 0 ? Threads.MIXED : Threads.SHARED);
                FlowRun<Item, Item> run = random.graph().start(session, random.options());
                toTheEnd(random, run, session.executor(), seed);
            }
        }
    }

    @Test
    void aFailureOrACancelEndsTheRunAndLosesNothing() {
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (long seed = FROM; seed < FROM + SEEDS; seed++) {
                RandomFlow random = new RandomFlow(seed, seed % 4 == 0 ? Threads.DEDICATED : Threads.MIXED);
                boolean cancels = seed % 2 == 0;
                random.bodies.fuse.set(cancels ? Integer.MAX_VALUE : new Random(~seed).nextInt(200));
                FlowRun<Item, Item> run;
                try {
                    run = random.start(workers);
                } catch (FlowFailedException e) {
                    continue; // before any thread could take
                }
                try (run) {
                    endEarly(random, run, cancels, seed);
                } catch (FlowFailedException e) {
                    assertTrue(RandomFlowTest.rootOf(e) instanceof Injected, "seed " + seed + ": " + e);
                } catch (CancellationException e) {
                    assertTrue(cancels, "seed " + seed + ": " + e);
                }
                check(random, run, "seed " + seed);
            }
        }
    }

    private static void endEarly(RandomFlow random, FlowRun<Item, Item> run, boolean cancels, long seed) {
        Takers takers = new Takers(random, run, seed);
        try {
            int many = new Random(~seed).nextInt(60);
            for (long value = 0; value < many; value++) {
                run.send(Item.of(value));
            }
            if (cancels) {
                run.cancel();
            }
            run.finish();
            run.await();
        } finally {
            takers.join("seed " + seed); // before the run is closed, which asks for what is lent
        }
    }
}

package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.RandomFlow.Injected;
import dev.jacquard.flow.RandomFlow.Item;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport.Outcome;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random graphs: the same results as one after the other, and every promise kept when something goes wrong. */
@Timeout(120)
class RandomFlowTest {
    private static final int SEEDED = 3_000;
    private static final int THREADED = 300;

    private static List<Long> values(long seed) {
        return LongStream.range(0, new Random(seed).nextInt(RandomFlow.LARGEST))
                .boxed()
                .toList();
    }

    /** Sends one by one and many at a time; seeded workers run some nodes in between. */
    static <T> void feed(FlowRun<T, ?> run, Workers workers, long seed, List<T> items) {
        Random random = new Random(31 * seed);
        for (int at = 0; at < items.size(); ) {
            if (workers instanceof SeededWorkers seeded && random.nextInt(3) == 0) {
                seeded.runSome(random.nextInt(20));
            }
            int many = random.nextInt(3) == 0 ? 1 + random.nextInt(items.size() - at) : 1;
            if (many == 1) {
                run.send(items.get(at));
            } else {
                run.sendAll(items.subList(at, at + many));
            }
            at += many;
        }
    }

    private static void runToTheEnd(RandomFlow random, Workers workers, long seed) {
        List<Long> sent = values(seed);
        List<Long> results = new ArrayList<>();
        FlowRun<Item, Item> run = random.start(workers, seed);
        try (run) {
            feed(run, workers, seed, sent.stream().map(Item::of).toList());
            run.finish();
            for (Item item : run) {
                results.add(item.value());
            }
            RandomFlow.checkNothingIsLost(run);
            assertEquals(Outcome.DONE, run.report().outcome());
        }
        results.sort(null);
        assertEquals(random.expected(sent), results, "seed " + seed);
        checkClosed(random, seed);
    }

    private static void checkClosed(RandomFlow random, long seed) {
        assertEquals(random.initialized.get(), random.shutDown.get(), "phases, seed " + seed);
        assertEquals(random.allocated.get(), random.freed.get(), "buffers, seed " + seed);
        assertTrue(random.largestLive.get() <= random.largestPool(), "live buffers, seed " + seed);
    }

    @Test
    void anyOrderOfActivationsGivesTheResultsOfASequentialRun() {
        for (long seed = 0; seed < SEEDED; seed++) {
            runToTheEnd(new RandomFlow(seed, false), new SeededWorkers(seed), seed);
        }
    }

    @Test
    void threadsGiveTheResultsOfASequentialRun() {
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (long seed = 0; seed < THREADED; seed++) {
                runToTheEnd(new RandomFlow(seed, false), workers, seed);
            }
        }
    }

    @Test
    void theEngineGivesTheResultsOfASequentialRun() {
        for (int threads = 1; threads <= 2; threads++) {
            try (Session session = Session.builder().workers(threads).trace(64).open()) {
                for (long seed = 0; seed < THREADED; seed++) {
                    RandomFlow random = new RandomFlow(seed, false);
                    random.expensive = seed % 2 == 0;
                    runToTheEnd(random, session.executor(), seed);
                }
            }
        }
    }

    @Test
    void dedicatedThreadsGiveTheResultsOfASequentialRun() {
        try (ThreadedWorkers workers = new ThreadedWorkers(1)) {
            for (long seed = 0; seed < THREADED / 3; seed++) {
                runToTheEnd(new RandomFlow(seed, true), workers, seed);
            }
        }
    }

    private static boolean runWithFailure(RandomFlow random, Workers workers, long seed, int fuse) {
        random.fuse.set(fuse);
        FlowRun<Item, Item> run;
        try {
            run = random.start(workers, seed);
        } catch (FlowFailedException e) {
            assertTrue(e.getCause() instanceof Injected, "seed " + seed);
            assertEquals(random.allocated.get(), random.freed.get(), "buffers, seed " + seed);
            return true;
        }
        boolean failed = false;
        try (run) {
            feed(run, workers, seed, values(seed).stream().map(Item::of).toList());
            run.finish();
            run.await();
        } catch (FlowFailedException e) {
            failed = true;
            assertTrue(rootOf(e) instanceof Injected, "seed " + seed + ": " + e);
            assertTrue(e.report() != null && e.report().outcome() == Outcome.FAILED);
            assertTrue(e.toString().contains("\"" + e.task() + "\""));
        }
        RandomFlow.checkNothingIsLost(run);
        checkClosed(random, seed);
        return failed;
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    @Test
    void aFailureAnywhereEndsTheRunAndLosesNothing() {
        int failed = 0;
        for (long seed = 0; seed < SEEDED; seed++) {
            int fuse = new Random(~seed).nextInt(200);
            failed += runWithFailure(new RandomFlow(seed, false), new SeededWorkers(seed), seed, fuse) ? 1 : 0;
        }
        assertTrue(failed > SEEDED / 3, failed + " runs failed");
    }

    @Test
    void aFailureAmongThreadsEndsTheRunAndLosesNothing() {
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (long seed = 0; seed < THREADED; seed++) {
                boolean dedicated = seed % 4 == 0;
                int fuse = new Random(~seed).nextInt(200);
                runWithFailure(new RandomFlow(seed, dedicated), workers, seed, fuse);
            }
        }
    }

    @Test
    void aCancelAtAnyMomentEndsTheRunAndLosesNothing() {
        int cancelled = 0;
        for (long seed = 0; seed < SEEDED; seed++) {
            RandomFlow random = new RandomFlow(seed, false);
            SeededWorkers workers = new SeededWorkers(seed);
            FlowRun<Item, Item> run = random.start(workers, seed);
            int[] left = {new Random(~seed).nextInt(60)};
            workers.beforeEach(() -> {
                if (--left[0] == 0) {
                    run.cancel();
                }
            });
            try (run) {
                feed(run, workers, seed, values(seed).stream().map(Item::of).toList());
                run.finish();
                run.await();
            } catch (CancellationException e) {
                cancelled++;
            }
            RandomFlow.checkNothingIsLost(run);
            checkClosed(random, seed);
        }
        assertTrue(cancelled > SEEDED / 3, cancelled + " runs were cancelled");
    }

    @Test
    void aCancelAmongThreadsEndsTheRunAndLosesNothing() {
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (long seed = 0; seed < THREADED; seed++) {
                RandomFlow random = new RandomFlow(seed, seed % 4 == 0);
                FlowRun<Item, Item> run = random.start(workers, seed);
                int left = new Random(~seed).nextInt(60);
                for (long value = 0; value < left; value++) {
                    run.send(Item.of(value));
                }
                run.cancel();
                assertThrows(CancellationException.class, () -> run.send(Item.of(0)));
                run.close();
                RandomFlow.checkNothingIsLost(run);
                checkClosed(random, seed);
            }
        }
    }
}

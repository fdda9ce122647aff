package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.RandomBodies.Injected;
import dev.jacquard.flow.RandomBodies.Item;
import dev.jacquard.flow.RandomFlow.Threads;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport.Outcome;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random graphs: the same results as one after the other, and every promise kept when something goes wrong. Begins at
 * seed {@code -Djacquard.seed}, 0 by default.
 */
@Timeout(120)
class RandomFlowTest {
    private static final long FROM = Long.getLong("jacquard.seed", 0);
    private static final int SEEDED = Rounds.some(3_000);
    private static final int THREADED = Rounds.some(600);
    /** The bytes that two kernels need on a device. */
    private static final long TIGHT = 2L * RandomBodies.ELEMENTS * Long.BYTES;

    private static List<Long> values(long seed) {
        return LongStream.range(0, new Random(seed).nextInt(RandomFlow.LARGEST))
                .boxed()
                .toList();
    }

    private static List<Item> items(long seed) {
        return values(seed).stream().map(Item::of).toList();
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
        runToTheEnd(random, () -> random.start(workers), workers, seed);
    }

    private static void runToTheEnd(
            RandomFlow random, Supplier<FlowRun<Item, Item>> start, Workers workers, long seed) {
        List<Long> results = new ArrayList<>();
        FlowRun<Item, Item> run = start.get();
        try (run) {
            feed(run, workers, seed, items(seed));
            run.finish();
            for (Item item : run) {
                results.add(item.value());
            }
            RandomFlow.checkNothingIsLost(run);
            assertEquals(Outcome.DONE, run.report().outcome());
        }
        results.sort(null);
        assertEquals(random.expected(values(seed)), results, "seed " + seed);
        checkClosed(random, seed);
    }

    private static void checkClosed(RandomFlow random, long seed) {
        RandomBodies bodies = random.bodies;
        assertEquals(bodies.initialized.get(), bodies.shutDown.get(), "phases, seed " + seed);
        assertEquals(bodies.allocated.get(), bodies.freed.get(), "buffers, seed " + seed);
        assertTrue(bodies.largestLive.get() <= random.largestPool(), "live buffers, seed " + seed);
    }

    @Test
    void anyOrderOfActivationsGivesTheResultsOfASequentialRun() {
        for (long seed = FROM; seed < FROM + SEEDED; seed++) {
            runToTheEnd(new RandomFlow(seed, Threads.SHARED), new SeededWorkers(seed), seed);
        }
    }

    @Test
    void threadsGiveTheResultsOfASequentialRun() {
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (long seed = FROM; seed < FROM + THREADED; seed++) {
                runToTheEnd(new RandomFlow(seed, Threads.MIXED), workers, seed);
            }
        }
    }

    @Test
    void theEngineGivesTheResultsOfASequentialRun() {
        for (int threads = 1; threads <= 2; threads++) {
            try (Session session = Session.builder().workers(threads).trace(64).open()) {
                for (long seed = FROM; seed < FROM + THREADED; seed++) {
                    RandomFlow random = new RandomFlow(seed, Threads.SHARED);
                    random.bodies.expensive = seed % 2 == 0;
                    runToTheEnd(random, session.executor(), seed);
                }
            }
        }
    }

    @Test
    void dedicatedThreadsGiveTheResultsOfASequentialRun() {
        try (ThreadedWorkers workers = new ThreadedWorkers(1)) {
            for (long seed = FROM; seed < FROM + THREADED / 3; seed++) {
                runToTheEnd(new RandomFlow(seed, Threads.DEDICATED), workers, seed);
            }
        }
    }

    // ---- with tasks of the engine

    private static RandomFlow forSession(long seed) {
        return RandomFlow.forSession(
                seed, seed % 7 == 0 ? Threads.DEDICATED : seed % 3 == 0 ? Threads.MIXED : Threads.SHARED);
    }

    /** With up to two devices, on which there is little memory, and whose launches fail now and then. */
    private static Session session(RandomFlow random, long seed) {
        Random draw = new Random(7 * seed);
        SessionBuilder builder = Session.builder().workers(1 + draw.nextInt(4));
        boolean tight = draw.nextBoolean();
        for (int i = 0; i < random.bodies.devices; i++) {
            EmulatedOffer offer = EmulatedDevice.offer("emulated" + i);
            builder.device(
                    random.bodies.faulty
                            ? offer.faults(FaultPlan.NONE.seed(seed + i).rate(FaultPlan.Kind.LAUNCH, 0.1))
                            : offer,
                    tight ? TIGHT : 1 << 20);
        }
        Session session = builder.open();
        random.bodies.session = session;
        return session;
    }

    /** The run has told what went wrong, and lends nothing any more. */
    private static void close(Session session) {
        Watchdog.until(
                () -> session.data().transfers().spaces().stream().allMatch(space -> space.bytes() == 0),
                "the last copies, behind which memory goes back");
        session.close();
    }

    @Test
    void withTasksOfTheEngineTheResultsAreThoseOfASequentialRun() {
        for (long seed = FROM; seed < FROM + THREADED; seed++) {
            RandomFlow random = forSession(seed);
            Session session = session(random, seed);
            runToTheEnd(random, () -> random.graph().start(session, random.options()), session.executor(), seed);
            close(session);
        }
    }

    @Test
    void aFailureAmongTasksOfTheEngineEndsTheRunAndLosesNothing() {
        int failed = 0;
        for (long seed = FROM; seed < FROM + THREADED; seed++) {
            RandomFlow random = forSession(seed);
            Session session = session(random, seed);
            int fuse = new Random(~seed).nextInt(200);
            Supplier<FlowRun<Item, Item>> start = () -> random.graph().start(session, random.options());
            failed += runWithFailure(random, start, session.executor(), seed, fuse) ? 1 : 0;
            close(session);
        }
        assertTrue(failed > THREADED / 3, failed + " runs failed");
    }

    @Test
    void aCancelAmongTasksOfTheEngineEndsTheRunAndLosesNothing() {
        for (long seed = FROM; seed < FROM + THREADED; seed++) {
            RandomFlow random = forSession(seed);
            Session session = session(random, seed);
            cancelAmongThreads(
                    random, random.graph().start(session, random.options().withInputBound(0)), seed);
            close(session);
        }
    }

    // ---- when something goes wrong

    private static boolean runWithFailure(RandomFlow random, Workers workers, long seed, int fuse) {
        return runWithFailure(random, () -> random.start(workers), workers, seed, fuse);
    }

    private static boolean runWithFailure(
            RandomFlow random, Supplier<FlowRun<Item, Item>> start, Workers workers, long seed, int fuse) {
        random.bodies.fuse.set(fuse);
        FlowRun<Item, Item> run;
        try {
            run = start.get();
        } catch (FlowFailedException e) {
            assertTrue(e.getCause() instanceof Injected, "seed " + seed);
            assertEquals(random.bodies.allocated.get(), random.bodies.freed.get(), "buffers, seed " + seed);
            return true;
        }
        boolean failed = false;
        try (run) {
            feed(run, workers, seed, items(seed));
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

    static Throwable rootOf(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    @Test
    void aFailureAnywhereEndsTheRunAndLosesNothing() {
        int failed = 0;
        for (long seed = FROM; seed < FROM + SEEDED; seed++) {
            int fuse = new Random(~seed).nextInt(200);
            RandomFlow random = new RandomFlow(seed, Threads.SHARED);
            failed += runWithFailure(random, new SeededWorkers(seed), seed, fuse) ? 1 : 0;
        }
        assertTrue(failed > SEEDED / 3, failed + " runs failed");
    }

    @Test
    void aFailureAmongThreadsEndsTheRunAndLosesNothing() {
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (long seed = FROM; seed < FROM + THREADED; seed++) {
                RandomFlow random = new RandomFlow(seed, seed % 4 == 0 ? Threads.DEDICATED : Threads.MIXED);
                int fuse = new Random(~seed).nextInt(200);
                runWithFailure(random, workers, seed, fuse);
            }
        }
    }

    @Test
    void aCancelAtAnyMomentEndsTheRunAndLosesNothing() {
        int cancelled = 0;
        for (long seed = FROM; seed < FROM + SEEDED; seed++) {
            RandomFlow random = new RandomFlow(seed, Threads.SHARED);
            SeededWorkers workers = new SeededWorkers(seed);
            FlowRun<Item, Item> run = random.start(workers);
            int[] left = {new Random(~seed).nextInt(60)};
            workers.beforeEach(() -> {
                if (--left[0] == 0) {
                    run.cancel();
                }
            });
            try (run) {
                feed(run, workers, seed, items(seed));
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
            for (long seed = FROM; seed < FROM + THREADED; seed++) {
                RandomFlow random = new RandomFlow(seed, seed % 4 == 0 ? Threads.DEDICATED : Threads.MIXED);
                cancelAmongThreads(random, random.start(workers), seed);
            }
        }
    }

    @Test
    void aSessionThatIsClosedOverAnOpenRunLosesNothing() {
        int told = 0;
        for (long seed = FROM; seed < FROM + THREADED; seed++) {
            RandomFlow random = forSession(seed);
            Session session = session(random, seed);
            FlowRun<Item, Item> run =
                    random.graph().start(session, random.options().withInputBound(0));
            int sent = new Random(~seed).nextInt(60);
            for (long value = 0; value < sent; value++) {
                run.send(Item.of(value));
            }
            try {
                session.close();
            } catch (IllegalStateException e) {
                told++;
            }
            RandomFlow.checkNothingIsLost(run);
            checkClosed(random, seed);
        }
        assertTrue(told > THREADED / 3, told + " sessions told of lost items");
    }

    private static void cancelAmongThreads(RandomFlow random, FlowRun<Item, Item> run, long seed) {
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

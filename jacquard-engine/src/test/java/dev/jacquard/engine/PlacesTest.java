package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.PlacedNode;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that only certain threads may run. */
@Timeout(180)
class PlacesTest {
    private static final ExecutionTarget FPGA = ExecutionTarget.named("fpga");

    // ---- the main thread

    @Test
    void mainNodesRunOnTheOpenerWhoeverWaits() {
        Set<Thread> runners = ConcurrentHashMap.newKeySet();
        AtomicInteger ran = new AtomicInteger();
        try (Engine engine = Engine.of(3)) {
            AtomicBoolean waited = new AtomicBoolean();
            CompletableFuture<Void> other = onThread(() -> {
                await(engine, () -> ran.get() == 100);
                waited.set(true);
                engine.signal();
            });
            for (int i = 0; i < 50; i++) {
                engine.ready(node(Place.HOST, worker -> {
                    worker.ready(main(runners, ran));
                    worker.readyAtEnd(main(runners, ran));
                }));
            }
            await(engine, waited::get);
            other.join();
        }
        assertEquals(Set.of(Thread.currentThread()), runners);
    }

    @Test
    void aMainThreadOfItsOwnRunsMainNodesWhileItWaits() throws InterruptedException {
        Set<Thread> runners = ConcurrentHashMap.newKeySet();
        AtomicInteger ran = new AtomicInteger();
        AtomicReference<Engine> engine = new AtomicReference<>();
        CountDownLatch opened = new CountDownLatch(1);
        Thread main = new Thread(() -> {
            Watchdog.await(opened, "the engine");
            await(Objects.requireNonNull(engine.get()), () -> ran.get() == 50);
        });
        main.start();
        try (Engine opening = new Engine(EngineOptions.of(2).withMain(main), new Trace(Clock.system(), 0)).start()) {
            engine.set(opening);
            assertEquals(3, opening.workers());
            opened.countDown();
            for (int i = 0; i < 50; i++) {
                opening.ready(node(Place.HOST, worker -> worker.ready(main(runners, ran))));
            }
            opening.awaitUntil(() -> ran.get() == 50);
            main.join();
        }
        assertEquals(Set.of(main), runners);
    }

    @Test
    void whatTheMainThreadLeavesBehindOthersRun() throws InterruptedException {
        AtomicBoolean begun = new AtomicBoolean();
        AtomicInteger ran = new AtomicInteger();
        AtomicReference<Engine> engine = new AtomicReference<>();
        CountDownLatch opened = new CountDownLatch(1);
        Thread main = new Thread(() -> {
            Watchdog.await(opened, "the engine");
            await(Objects.requireNonNull(engine.get()), begun::get);
        });
        main.start();
        try (Engine opening = new Engine(EngineOptions.of(1).withMain(main), new Trace(Clock.system(), 0)).start()) {
            engine.set(opening);
            opened.countDown();
            opening.ready(node(Place.MAIN, worker -> {
                for (int i = 0; i < 5; i++) {
                    worker.readyAtEnd(node(Place.HOST, other -> ran.incrementAndGet()));
                }
                begun.set(true);
            }));
            main.join();
            opening.awaitUntil(() -> ran.get() == 5);
        }
    }

    @Test
    void endlessMainNodesLeaveOthersTheirTurn() {
        AtomicBoolean stop = new AtomicBoolean();
        try (Engine engine = Engine.of(1)) {
            engine.ready(new Placed(Place.MAIN) {
                @Override
                public void run(WorkerContext worker) {
                    worker.readyAtEnd(node(Place.HOST, other -> {}));
                    if (!stop.get()) {
                        worker.readyAtEnd(this);
                    }
                }
            });
            engine.ready(node(Place.HOST, worker -> stop.set(true)));
            await(engine, stop::get);
        }
    }

    /** The main thread goes to sleep just when a main node comes, a little earlier or later. */
    @Test
    void noMainNodeWaitsWhileTheMainThreadSleeps() {
        AtomicInteger ran = new AtomicInteger();
        try (Engine engine = new Engine(new EngineOptions(2, 0), new Trace(Clock.system(), 0)).start()) {
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Void> rounds = onThread(() -> {
                try {
                    Rounds.run(200_000, round -> {
                        engine.ready(node(Place.MAIN, worker -> ran.incrementAndGet()));
                        Watchdog.until(() -> ran.get() == round, "the node runs");
                        Rounds.drift(round);
                    });
                } finally {
                    over.set(true);
                    engine.signal();
                }
            });
            await(engine, over::get);
            rounds.join();
        }
    }

    // ---- targets

    @Test
    void nodesOfATargetRunOnItsWorkersOnly() {
        Map<ExecutionTarget, Integer> threads = new LinkedHashMap<>();
        threads.put(ExecutionTarget.OPENCL, 1);
        threads.put(FPGA, 2);
        EngineOptions options = EngineOptions.of(2).withPlaces(SeededSchedule.places(threads));
        Set<Integer> opencl = ConcurrentHashMap.newKeySet();
        Set<Integer> fpga = ConcurrentHashMap.newKeySet();
        Set<Integer> host = ConcurrentHashMap.newKeySet();
        AtomicInteger ran = new AtomicInteger();
        try (Engine engine = new Engine(options, new Trace(Clock.system(), 0)).start()) {
            assertEquals(5, engine.workers());
            Place onOpencl = Objects.requireNonNull(engine.place(ExecutionTarget.OPENCL));
            Place onFpga = Objects.requireNonNull(engine.place(FPGA));
            for (int i = 0; i < 100; i++) {
                engine.ready(node(onOpencl, worker -> {
                    opencl.add(worker.index());
                    worker.readyAtEnd(node(onFpga, next -> {
                        fpga.add(next.index());
                        next.ready(node(Place.HOST, last -> {
                            host.add(last.index());
                            ran.incrementAndGet();
                        }));
                    }));
                }));
            }
            await(engine, () -> ran.get() == 100);
        }
        assertEquals(Set.of(2), opencl);
        assertTrue(Set.of(3, 4).containsAll(fpga), "fpga ran on " + fpga);
        assertTrue(Set.of(0, 1).containsAll(host), "host ran on " + host);
    }

    @Test
    void twoNodesOfATargetRunTogetherOnItsTwoWorkers() {
        CountDownLatch together = new CountDownLatch(2);
        AtomicInteger met = new AtomicInteger();
        EngineOptions options = EngineOptions.of(1).withPlaces(SeededSchedule.places(Map.of(FPGA, 2)));
        try (Engine engine = new Engine(options, new Trace(Clock.system(), 0)).start()) {
            for (int i = 0; i < 2; i++) {
                engine.ready(node(Objects.requireNonNull(engine.place(FPGA)), worker -> {
                    together.countDown();
                    Watchdog.await(together, "both at once");
                    met.incrementAndGet();
                }));
            }
            await(engine, () -> met.get() == 2);
        }
    }

    // ---- helpers

    private abstract static class Placed extends PlacedNode {
        Placed(Place where) {
            place(where);
        }
    }

    private static Node node(Place place, Consumer<WorkerContext> body) {
        return new Placed(place) {
            @Override
            public void run(WorkerContext worker) {
                body.accept(worker);
            }
        };
    }

    private static Node main(Set<Thread> runners, AtomicInteger ran) {
        return node(Place.MAIN, worker -> {
            runners.add(Thread.currentThread());
            ran.incrementAndGet();
        });
    }

    private static void await(Engine engine, BooleanSupplier done) {
        try {
            engine.awaitUntil(done);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static CompletableFuture<Void> onThread(Runnable action) {
        return CompletableFuture.runAsync(action, task -> new Thread(task).start());
    }
}

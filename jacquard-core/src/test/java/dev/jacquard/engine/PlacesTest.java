package dev.jacquard.engine;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.machine.Target;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.work.Node;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that only certain threads may run. */
@Timeout(60)
class PlacesTest {
    private static final Target FPGA = Target.named("fpga");

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
    void runMainEndsWithTheSession() throws InterruptedException {
        AtomicReference<Session> session = new AtomicReference<>();
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        CountDownLatch opened = new CountDownLatch(1);
        AtomicReference<@Nullable Thread> ranOn = new AtomicReference<>();
        Thread main = new Thread(() -> {
            Watchdog.await(opened, "the session");
            try {
                Objects.requireNonNull(session.get()).runMain();
            } catch (InterruptedException | RuntimeException e) {
                thrown.set(e);
            }
        });
        main.start();
        try (Session opening = Session.builder().workers(2).mainThread(main).open()) {
            session.set(opening);
            opened.countDown();
            opening.executor().ready(node(Place.MAIN, worker -> {
                ranOn.set(Thread.currentThread());
                opening.signal();
            }));
            opening.awaitUntil(() -> ranOn.get() != null);
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> opening.runMain(() -> true)),
                    "only the main thread runs main tasks",
                    main.getName());
        }
        main.join();
        assertSame(main, ranOn.get());
        assertSame(null, thrown.get());
    }

    @Test
    void theOpenerMustSayUntilWhenItRunsMainNodes() throws InterruptedException {
        AtomicBoolean ran = new AtomicBoolean();
        try (Session session = Session.builder().workers(1).open()) {
            session.executor().ready(node(Place.MAIN, worker -> ran.set(true)));
            session.runMain(ran::get);
            assertMentions(
                    assertThrows(IllegalStateException.class, session::runMain),
                    "would wait for itself",
                    "say until when");
        }
    }

    @Test
    void withoutAMainThreadItsNodesAreRefused() {
        try (Session session = Session.builder().workers(1).noMainThread().open()) {
            assertFalse(session.executor().hasMain());
            assertMentions(
                    assertThrows(
                            IllegalStateException.class,
                            () -> session.executor().ready(node(Place.MAIN, worker -> {}))),
                    "for the main thread, and this session has none");
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
        Map<Target, Integer> threads = new LinkedHashMap<>();
        threads.put(Target.OPENCL, 1);
        threads.put(FPGA, 2);
        EngineOptions options = EngineOptions.of(2).withTargets(threads);
        Set<Integer> opencl = ConcurrentHashMap.newKeySet();
        Set<Integer> fpga = ConcurrentHashMap.newKeySet();
        Set<Integer> host = ConcurrentHashMap.newKeySet();
        AtomicInteger ran = new AtomicInteger();
        try (Engine engine = new Engine(options, new Trace(Clock.system(), 0)).start()) {
            assertEquals(5, engine.workers());
            Place onOpencl = Objects.requireNonNull(engine.place(Target.OPENCL));
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
        EngineOptions options = EngineOptions.of(1).withTargets(Map.of(FPGA, 2));
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

    @Test
    void aSessionSaysWhichTargetsItHas() {
        try (Session session = Session.builder().workers(1).workersFor(FPGA, 1).open()) {
            assertEquals(Place.HOST, session.executor().place(Target.HOST));
            assertEquals(
                    FPGA.name(),
                    Objects.requireNonNull(session.executor().place(FPGA)).name());
            assertNull(session.executor().place(Target.CUDA));
            assertEquals(Set.of(Target.HOST, FPGA), session.targets());
        }
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Session.builder().workersFor(Target.HOST, 2).open()),
                "the host's workers are set by workers(n)");
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Session.builder().workersFor(FPGA, 0).open()),
                "workers for target fpga must be 1 to 4096, not 0");
        assertMentions(assertThrows(IllegalArgumentException.class, () -> Target.named(" ")), "a target needs a name");
    }

    // ---- helpers

    private abstract static class Placed extends Node {
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

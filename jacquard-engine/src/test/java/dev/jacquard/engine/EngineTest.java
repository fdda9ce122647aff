package dev.jacquard.engine;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class EngineTest {
    // ---- nodes reach workers

    @Test
    void everyNodeOfABatchFindsAWorkerWhileOneSleeps() throws InterruptedException {
        CountDownLatch together = new CountDownLatch(3);
        AtomicInteger met = new AtomicInteger();
        Node meeting = node(worker -> {
            together.countDown();
            Watchdog.await(together, "three nodes at once on three workers");
            met.incrementAndGet();
        });
        try (Engine engine = Engine.of(3)) {
            untilAllOthersSleep(engine);
            engine.ready(node(worker -> {
                worker.readyAtEnd(meeting);
                worker.readyAtEnd(meeting);
                worker.readyAtEnd(meeting);
            }));
            engine.awaitUntil(() -> met.get() == 3);
        }
    }

    @Test
    void whoStealsOneOfManyWakesTheNext() {
        SeededSchedule schedule = new SeededSchedule(1, 4);
        schedule.stepUntilAllSleep();
        Node nothing = node(worker -> {});
        Worker[] workers = schedule.engine().pool().crew.all();
        onThread(() -> schedule.engine().ready(node(worker -> {
                    for (int i = 0; i < 5; i++) {
                        worker.readyAtEnd(nothing);
                    }
                })))
                .join();
        Worker first = schedule.awake().getFirst();
        assertEquals(Step.RAN, schedule.step(first));
        for (int awake = 2; awake <= workers.length; awake++) {
            assertEquals(awake, schedule.awake().size());
            schedule.step(schedule.awake().stream()
                    .filter(worker -> worker != first)
                    .reduce((older, newer) -> newer)
                    .orElseThrow());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void nodesFromOtherThreadsRun(int workers) throws InterruptedException {
        AtomicInteger ran = new AtomicInteger();
        Node node = node(worker -> ran.incrementAndGet());
        try (Engine engine = Engine.of(workers)) {
            Thread feeder = engine.dedicated("feeder", () -> {
                for (int i = 0; i < 1000; i++) {
                    engine.ready(node);
                }
            });
            engine.awaitUntil(() -> ran.get() == 1000);
            feeder.join();
        }
    }

    @Test
    void endlessWorkOfOneWorkerDoesNotStarveTheInbox() {
        AtomicBoolean stop = new AtomicBoolean();
        try (Engine engine = Engine.of(1)) {
            engine.ready(again(stop, () -> {}));
            onThread(() -> engine.ready(node(worker -> stop.set(true)))).join();
            await(engine, stop::get);
        }
    }

    @Test
    void aNodeFromOutsideRunsBeforeTheSecondNodeThatFollows() {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger runs = new AtomicInteger();
        try (Engine engine = Engine.of(1)) {
            engine.ready(again(stop, () -> {
                if (runs.getAndIncrement() == 100) {
                    onThread(() -> engine.ready(node(worker -> stop.set(true)))).join();
                }
            }));
            await(engine, stop::get);
        }
        assertTrue(runs.get() <= 102, () -> runs + " nodes ran before the one from outside");
    }

    @Test
    void eachNodeFromOutsideRunsBeforeTheSecondNodeThatFollows() {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger last = new AtomicInteger();
        try (Engine engine = Engine.of(1)) {
            engine.ready(again(stop, () -> {
                int before = runs.getAndIncrement();
                if (before == 100 || before == 200 || before == 300) {
                    onThread(() -> engine.ready(node(worker -> {
                                last.set(runs.get());
                                stop.set(before == 300);
                            })))
                            .join();
                } else if (before > 100 && before % 100 == 1) {
                    assertEquals(before, last.get(), "nodes before the one from outside");
                }
            }));
            await(engine, stop::get);
        }
        assertEquals(301, last.get());
    }

    @Test
    void nodesFromOutsideDoNotHoldUpTheWorkersOwn() {
        AtomicInteger own = new AtomicInteger();
        AtomicInteger fromOutside = new AtomicInteger();
        AtomicBoolean stop = new AtomicBoolean();
        int many = 1000;
        try (Engine engine = Engine.of(1)) {
            onThread(() -> {
                        for (int i = 0; i < many; i++) {
                            engine.ready(node(worker -> fromOutside.incrementAndGet()));
                        }
                    })
                    .join();
            engine.ready(again(stop, () -> stop.set(own.incrementAndGet() == 100)));
            await(engine, stop::get);
        }
        assertTrue(fromOutside.get() <= 102, () -> fromOutside + " of " + many + " nodes came before");
    }

    @Test
    void endlessWorkOfOneWorkerDoesNotStarveItsOwnOldest() {
        AtomicBoolean stop = new AtomicBoolean();
        try (Engine engine = Engine.of(1)) {
            engine.ready(node(worker -> {
                worker.readyAtEnd(again(stop, () -> {}));
                worker.ready(node(inner -> stop.set(true)));
            }));
            await(engine, stop::get);
        }
    }

    @Test
    void theNewestRunFirstWhileTheOldestHasNotWaitedForLong() throws InterruptedException {
        List<Integer> order = new ArrayList<>();
        List<Integer> newestFirst = new ArrayList<>();
        try (Engine engine = new Engine(EngineOptions.of(1), new Trace(() -> 1, 0)).start()) {
            engine.ready(node(worker -> {
                for (int i = 0; i < 1000; i++) {
                    int number = i;
                    newestFirst.addFirst(number);
                    worker.ready(node(any -> order.add(number)));
                }
            }));
            engine.awaitUntil(() -> order.size() == 1000);
        }
        assertEquals(newestFirst, order);
    }

    // ---- waiting

    @Test
    void anyThreadMayWait() throws InterruptedException {
        AtomicInteger ran = new AtomicInteger();
        try (Engine engine = Engine.of(2)) {
            List<CompletableFuture<Void>> waiters = new ArrayList<>();
            for (int i = 1; i <= 4; i++) {
                int target = i * 10;
                waiters.add(onThread(() -> await(engine, () -> ran.get() >= target)));
            }
            for (int i = 0; i < 40; i++) {
                engine.ready(node(worker -> ran.incrementAndGet()));
            }
            engine.awaitUntil(() -> ran.get() == 40);
            Watchdog.until(() -> waiters.stream().allMatch(CompletableFuture::isDone), "every waiter hears of it");
            waiters.forEach(CompletableFuture::join);
        }
    }

    @Test
    void theOpenerTellsOthersWhatItRanLast() {
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<Thread> waiter = new AtomicReference<>();
        try (Engine engine = Engine.of(1)) {
            CompletableFuture<Void> waits = onThread(() -> {
                waiter.set(Thread.currentThread());
                await(engine, done::get);
            });
            Watchdog.until(() -> isAsleep(waiter.get()), "the other thread waits");
            engine.ready(node(worker -> done.set(true)));
            await(engine, done::get);
            Watchdog.until(waits::isDone, "the other thread hears of it");
        }
    }

    @Test
    void aWorkerWithoutPatienceTellsThoseWhoWaitBeforeItSleeps() {
        AtomicBoolean goOn = new AtomicBoolean();
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<Thread> waiter = new AtomicReference<>();
        try (Engine engine = new Engine(new EngineOptions(2, 0), new Trace(Clock.system(), 0)).start()) {
            engine.ready(node(worker -> {
                Watchdog.until(goOn::get, "somebody waits");
                done.set(true);
            }));
            CompletableFuture<Void> waits = onThread(() -> {
                waiter.set(Thread.currentThread());
                await(engine, done::get);
            });
            Watchdog.until(() -> isAsleep(waiter.get()), "the other thread waits");
            goOn.set(true);
            Watchdog.until(waits::isDone, "the other thread hears of the end");
        }
    }

    @Test
    void whoWaitsHearsOfItWhileAWorkerNeverRunsOutOfOtherWork() {
        Thread opener = Thread.currentThread();
        AtomicBoolean begun = new AtomicBoolean();
        AtomicBoolean finish = new AtomicBoolean();
        AtomicBoolean done = new AtomicBoolean();
        AtomicBoolean wentOn = new AtomicBoolean();
        AtomicBoolean stop = new AtomicBoolean();
        try (Engine engine = Engine.of(2)) {
            engine.ready(again(stop, () -> {
                begun.set(true);
                done.set(finish.get());
            }));
            Watchdog.until(begun::get, "the other worker has endless work");
            CompletableFuture<Void> finisher = onThread(() -> {
                Watchdog.until(() -> isAsleep(opener), "the opener waits");
                finish.set(true);
                try {
                    Watchdog.until(wentOn::get, "the opener goes on");
                } finally {
                    stop.set(true);
                }
            });
            await(engine, done::get);
            wentOn.set(true);
            finisher.join();
        }
    }

    @Test
    void anInterruptedWaiterLeavesItsNextNodeToOthers() {
        SeededSchedule schedule = new SeededSchedule(1, 2);
        Engine engine = schedule.engine();
        AtomicBoolean ran = new AtomicBoolean();
        AtomicBoolean began = new AtomicBoolean();
        engine.ready(node(worker -> {
            began.set(true);
            worker.readyAtEnd(node(other -> ran.set(true)));
        }));
        assertThrows(
                InterruptedException.class,
                () -> engine.awaitUntil(() -> {
                    if (began.get()) {
                        Thread.currentThread().interrupt();
                    }
                    return false;
                }));
        schedule.step(engine.pool().crew.all()[1]);
        assertTrue(ran.get(), "the node is stranded");
    }

    @Test
    void interruptEndsTheWaitOfAThreadThatSleeps() throws InterruptedException {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (Engine engine = Engine.of(2)) {
            Thread waiter = engine.dedicated("waiter", () -> {
                try {
                    engine.awaitUntil(() -> false);
                } catch (InterruptedException e) {
                    thrown.set(e);
                }
            });
            Watchdog.until(() -> isAsleep(waiter), "the waiter sleeps");
            waiter.interrupt();
            waiter.join();
        }
        assertTrue(thrown.get() instanceof InterruptedException, "thrown: " + thrown.get());
    }

    @Test
    void aNodeMustNotWait() {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicBoolean done = new AtomicBoolean();
        try (Engine engine = Engine.of(1)) {
            engine.ready(node(worker -> {
                thrown.set(assertThrows(IllegalStateException.class, () -> engine.awaitUntil(() -> true)));
                done.set(true);
            }));
            await(engine, done::get);
        }
        assertMentions(Objects.requireNonNull(thrown.get()), "the body of a task must not wait for other tasks");
    }

    // ---- failures of nodes, and interrupts that bodies leave behind

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aNodeThatThrowsEndsEveryWaitWithItsCause(int workers) {
        RuntimeException cause = new RuntimeException("the node's", null, false, false) {};
        try (Engine engine = Engine.of(workers)) {
            CompletableFuture<Void> other = onThread(() -> await(engine, () -> false));
            engine.ready(node(worker -> {
                throw cause;
            }));
            IllegalStateException mine = assertThrows(IllegalStateException.class, () -> await(engine, () -> false));
            CompletionException others = assertThrows(CompletionException.class, other::join);
            assertSame(cause, mine.getCause());
            assertMentions(mine, "the engine ended because of", "the node's");
            assertMentions(others, "the engine ended because of");
        }
    }

    @Test
    void aWorkerForgetsTheInterruptThatABodyLeftBehind() {
        AtomicReference<Thread> worker = new AtomicReference<>();
        try (Engine engine = Engine.of(2)) {
            untilAllOthersSleep(engine);
            engine.ready(node(context -> {
                worker.set(Thread.currentThread());
                Thread.currentThread().interrupt();
            }));
            Watchdog.until(() -> worker.get() != null, "the node runs");
            Thread thread = Objects.requireNonNull(worker.get());
            Watchdog.until(() -> isAsleep(thread), "the interrupted worker sleeps");
            assertFalse(thread.isInterrupted());
        }
    }

    @Test
    void anInterruptOfASleepingWorkerDoesNotKeepItAwake() {
        try (Engine engine = Engine.of(2)) {
            untilAllOthersSleep(engine);
            Thread thread = Objects.requireNonNull(engine.pool().crew.all()[1].thread());
            Watchdog.until(() -> isAsleep(thread), "the worker sleeps");
            thread.interrupt();
            Watchdog.until(() -> !thread.isInterrupted() && isAsleep(thread), "the worker sleeps again");
        }
    }

    @Test
    void theInterruptThatABodyLeftBehindNeitherEndsTheWaitNorIsSeenByOthers() {
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger saw = new AtomicInteger();
        Node other = node(worker -> {
            ran.incrementAndGet();
            saw.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
        });
        try (Engine engine = Engine.of(1)) {
            engine.ready(node(worker -> {
                Thread.currentThread().interrupt();
                worker.readyAtEnd(other);
            }));
            await(engine, () -> ran.get() == 1);
            assertFalse(Thread.currentThread().isInterrupted(), "the interrupt outlives its node");
            engine.ready(other);
            await(engine, () -> ran.get() == 2);
        }
        assertEquals(0, saw.get());
    }

    // ---- the end

    @Test
    void closeEndsAllThreadsAndTellsThoseWhoWait() {
        Engine engine = Engine.of(4);
        AtomicReference<Thread> thread = new AtomicReference<>();
        CompletableFuture<Void> waiter = onThread(() -> {
            thread.set(Thread.currentThread());
            await(engine, () -> false);
        });
        Watchdog.until(() -> isAsleep(thread.get()), "somebody waits");
        engine.close();
        assertMentions(assertThrows(CompletionException.class, waiter::join), "the engine is closed");
        for (Worker worker : engine.pool().crew.all()) {
            Thread ended = worker.thread();
            assertTrue(worker.index() == 0 || (ended != null && !ended.isAlive()), worker.index() + " lives");
        }
        engine.close();
    }

    @Test
    void closeWaitsForTheRunningNodeAndKeepsTheInterrupt() {
        Thread closer = Thread.currentThread();
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        Engine engine = Engine.of(2);
        engine.ready(node(worker -> {
            begun.countDown();
            Watchdog.until(() -> isAsleep(closer), "the closing thread waits");
            ended.set(true);
        }));
        Watchdog.await(begun, "the node runs");
        Thread.currentThread().interrupt();
        engine.close();
        assertTrue(Thread.interrupted(), "the interrupt is lost");
        assertTrue(ended.get(), "close did not wait");
    }

    @Test
    void refusesImpossibleOptions() {
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> EngineOptions.of(0)),
                "workers must be 1 to 4096, not 0");
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> new EngineOptions(1, -1)),
                "patience must not be negative: -1");
        Map<Place, Integer> many = new HashMap<>();
        for (int i = 0; i < 8; i++) {
            many.put(Place.device(ExecutionTarget.CUDA, "gpu" + i, 2 + i), 4096);
        }
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> EngineOptions.of(1).withPlaces(many)),
                "workers of the host and of targets must be 32767 at most together, not 32769");
    }

    // ---- helpers

    private static Node node(Consumer<WorkerContext> body) {
        return new Node() {
            @Override
            public void run(WorkerContext worker) {
                body.accept(worker);
            }
        };
    }

    /** A node that runs again and again, without any queue. */
    private static Node again(AtomicBoolean stop, Runnable body) {
        return new Node() {
            @Override
            public void run(WorkerContext worker) {
                body.run();
                if (!stop.get()) {
                    worker.readyAtEnd(this);
                }
            }
        };
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

    private static boolean isAsleep(@Nullable Thread thread) {
        return thread != null && thread.getState() == Thread.State.WAITING;
    }

    private static void untilAllOthersSleep(Engine engine) {
        for (Worker worker : engine.pool().crew.all()) {
            if (worker.index() > 0) {
                Watchdog.until(worker::isSleeping, "worker " + worker.index() + " sleeps");
            }
        }
    }
}

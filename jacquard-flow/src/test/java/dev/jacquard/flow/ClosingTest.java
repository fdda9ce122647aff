package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.MemoryEdge.Allocator;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Close waits for what uses the buffers of a run, whatever ends one of its waits early, and tells that behind. */
@Timeout(180)
class ClosingTest {
    private static final Duration LIMIT = Duration.ofMillis(50);

    private final AtomicInteger allocated = new AtomicInteger();
    private final AtomicInteger freed = new AtomicInteger();
    private final AtomicBoolean inUse = new AtomicBoolean();
    private final AtomicBoolean freedInUse = new AtomicBoolean();
    private final List<MemoryEdge<int[]>> edge = new ArrayList<>();
    private final CompletableFuture<String> gate = new CompletableFuture<>();
    private final CountDownLatch begun = new CountDownLatch(1);

    private final class Counting implements Allocator<int[]> {
        @Override
        public int[] allocate() {
            allocated.incrementAndGet();
            return new int[1];
        }

        @Override
        public void free(int[] buffer) {
            freedInUse.compareAndSet(false, inUse.get());
            freed.incrementAndGet();
        }
    }

    /**
     * Opens a session whose consumer of stalls does that, the first time that the calling thread hears of one. A stall
     * that is noticed before that thread waits is told in another, which moves something, so that the next is told.
     */
    private static Session session(Consumer<String> stalled) {
        Thread closes = Thread.currentThread();
        AtomicBoolean told = new AtomicBoolean();
        CompletableFuture<Session> opened = new CompletableFuture<>();
        SessionBuilder builder = Session.builder().workers(2).stallWatch(LIMIT, text -> {
            if (Thread.currentThread() != closes) {
                opened.join().graph().task("moves").run(ctx -> {});
            } else if (told.compareAndSet(false, true)) {
                stalled.accept(text);
            }
        });
        opened.complete(builder.open());
        return opened.join();
    }

    private FlowGraph<Integer, Integer> graph() {
        return FlowGraph.build("lends", g -> {
            edge.add(g.memory("e", 1, new Counting()).takenOutside().releasedOutside());
            g.input()
                    .to(g.<Integer, Integer>task("task", 1, () -> (n, out) -> {
                        out.graph().task("slow").start(ctx -> {
                            begun.countDown();
                            return gate.minimalCompletionStage();
                        });
                        out.whenDone(then -> then.emit(n));
                    }))
                    .to(g.output());
        });
    }

    /** Takes the buffer, and lets a task use it until the gate opens. */
    private void lend(Session session, FlowRun<Integer, Integer> run) throws InterruptedException {
        Handle<int[]> lent = run.take(edge.getFirst(), ReleaseRule.once());
        inUse.set(true);
        session.graph().task("user").updates(lent).start(ctx -> {
            begun.countDown();
            return gate.thenRun(() -> inUse.set(false));
        });
        begun.await();
    }

    /** Lets an allocator stand in {@code free} until it may go on. */
    private static final class SlowToFree implements Allocator<int[]> {
        final CountDownLatch frees = new CountDownLatch(1);
        final CountDownLatch goesOn = new CountDownLatch(1);
        final AtomicInteger freed = new AtomicInteger();
        final List<Runnable> inside = new ArrayList<>();

        @Override
        public int[] allocate() {
            return new int[1];
        }

        @Override
        public void free(int[] buffer) {
            inside.forEach(Runnable::run);
            frees.countDown();
            Watchdog.await(goesOn, "it may go on");
            freed.incrementAndGet();
        }

        FlowGraph<Integer, Integer> graph() {
            return FlowGraph.build("slow to free", g -> {
                g.memory("e", 1, this).takenOutside().releasedOutside();
                g.input()
                        .to(g.<Integer, Integer>task("task", 1, () -> (n, out) -> out.emit(n)))
                        .to(g.output());
            });
        }
    }

    /** Closes in another thread, and then calls {@code second}, which is to wait for the other's end. */
    private static void closeTwice(SlowToFree allocator, FlowRun<Integer, Integer> run, Runnable second) {
        CompletableFuture<Void> first = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            run.close();
            first.complete(null);
        });
        Watchdog.await(allocator.frees, "the first close frees");
        CompletableFuture<Void> opened = whenAsleep(Thread.currentThread(), () -> {}, allocator.goesOn::countDown);
        second.run();
        assertEquals(1, allocator.freed.get());
        opened.join();
        first.join();
    }

    @Test
    void aSecondCloseWaitsUntilTheFirstHasFreedTheBuffers() {
        SlowToFree allocator = new SlowToFree();
        try (Session session = Session.builder().workers(2).open()) {
            FlowRun<Integer, Integer> run = allocator.graph().start(session);
            closeTwice(allocator, run, run::close);
        }
    }

    @Test
    void theCloseOfItsSessionWaitsForACloseThatWasBegunBefore() {
        SlowToFree allocator = new SlowToFree();
        Session session = Session.builder().workers(2).open();
        FlowRun<Integer, Integer> run = allocator.graph().start(session);
        run.send(1);
        closeTwice(allocator, run, session::close); // and has nothing to say of an open run
    }

    @Test
    void anAllocatorThatClosesItsRunDoesNotWaitForItself() {
        SlowToFree allocator = new SlowToFree();
        allocator.goesOn.countDown();
        try (Session session = Session.builder().workers(2).open()) {
            FlowRun<Integer, Integer> run = allocator.graph().start(session);
            allocator.inside.add(run::close);
            run.close();
            assertEquals(1, allocator.freed.get());
        }
    }

    private void assertAllFreed() {
        assertEquals(allocated.get(), freed.get());
        assertTrue(!freedInUse.get(), "a buffer was freed that a task used");
    }

    /**
     * Runs {@code then} on another thread when {@code waiting} is asleep, without an interrupt, after {@code first}.
     */
    private static CompletableFuture<Void> whenAsleep(Thread waiting, Runnable first, Runnable then) {
        return CompletableFuture.runAsync(() -> {
            first.run();
            Watchdog.until(
                    () -> !waiting.isInterrupted()
                            && (waiting.getState() == Thread.State.WAITING
                                    || waiting.getState() == Thread.State.TIMED_WAITING),
                    "it waits");
            then.run();
        });
    }

    @Test
    void aConsumerOfStallsThatThrowsEndsNoWaitForItems() throws InterruptedException {
        AssertionError mistake = new AssertionError("of the consumer");
        try (Session session = session(text -> {
            gate.complete("now");
            throw mistake;
        })) {
            FlowRun<Integer, Integer> run = graph().start(session);
            run.release(run.take(edge.getFirst(), ReleaseRule.once())); // allocates
            run.send(1);
            begun.await();
            assertSame(mistake, assertThrows(AssertionError.class, run::close));
            assertTrue(run.isDone());
            assertAllFreed();
            assertEquals(7, session.graph().task("behind").call(ctx -> 7).join());
        }
    }

    @Test
    void aConsumerOfStallsThatThrowsFreesNothingThatTasksUse() throws InterruptedException {
        IllegalArgumentException mistake = new IllegalArgumentException("of the consumer");
        Thread closes = Thread.currentThread();
        CountDownLatch threw = new CountDownLatch(1);
        try (Session session = session(text -> {
            threw.countDown();
            throw mistake;
        })) {
            FlowRun<Integer, Integer> run = graph().start(session);
            lend(session, run);
            CompletableFuture<Void> opened =
                    whenAsleep(closes, () -> Watchdog.await(threw, "the stall"), () -> gate.complete("now"));
            assertSame(mistake, assertThrows(IllegalArgumentException.class, run::close));
            opened.join();
            assertAllFreed();
        }
    }

    @Test
    void anInterruptFreesNothingThatTasksUse() throws InterruptedException {
        Thread closes = Thread.currentThread();
        try (Session session = session(text -> {})) {
            FlowRun<Integer, Integer> run = graph().start(session);
            lend(session, run);
            CompletableFuture<Void> opened = whenAsleep(
                    closes,
                    () -> whenAsleep(closes, () -> {}, closes::interrupt).join(),
                    () -> gate.complete("now"));
            run.close();
            assertTrue(Thread.interrupted(), "the interrupt is still to be heard of");
            opened.join();
            assertAllFreed();
        }
    }
}

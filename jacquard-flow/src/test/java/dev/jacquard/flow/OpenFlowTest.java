package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.MemoryEdge.Allocator;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A session knows of the runs that use its workers: it shows them, tells when they stand still, and ends them. */
@Timeout(180)
class OpenFlowTest {
    private record Held(Handle<int[]> buffer, int number) {}

    /** Holds every buffer until three came, so that a pool of two is too small. */
    private static FlowGraph<Integer, Integer> tooSmall(boolean dedicated) {
        return FlowGraph.build("small", g -> {
            MemoryEdge<int[]> edge = g.memory("tiles", 2, () -> new int[1]);
            FlowTask<Integer, Held> load = g.task("load", 1, () -> (n, out) -> out.emit(new Held(out.take(edge), n)));
            final class Three implements Body<Held, Integer> {
                private final List<Held> held = new ArrayList<>();

                @Override
                public void execute(Held item, Emitter<Integer> out) {
                    held.add(item);
                    if (held.size() == 3) {
                        held.forEach(each -> out.release(each.buffer()));
                        held.clear();
                        out.emit(item.number());
                    }
                }
            }
            FlowTask<Held, Integer> three = g.task("three", 1, Three::new);
            load.takes(edge);
            g.input()
                    .to(dedicated ? load.dedicated() : load)
                    .to(three.releases(edge))
                    .to(g.output());
        });
    }

    private static void isTold(boolean dedicated) throws InterruptedException {
        CompletableFuture<String> told = new CompletableFuture<>();
        try (Session session = Session.builder()
                .workers(2)
                .stallWatch(Duration.ofMillis(50), told::complete)
                .open()) {
            try (FlowRun<Integer, Integer> run = tooSmall(dedicated).start(session)) {
                run.sendAll(List.of(1, 2, 3));
                run.finish();
                CompletableFuture<Void> _ = told.thenRun(run::cancel);
                assertThrows(java.util.concurrent.CancellationException.class, run::await);
            }
        }
        String text = told.getNow("");
        assertTrue(text.contains("flow \"small\" not over"), text);
        assertTrue(text.contains("memory edge \"tiles\": of 2 buffers 2 lent, 0 granted, 0 free"), text);
        assertTrue(text.contains("1 item of \"load\" wait: \"tiles\" has 0 free"), text);
        assertTrue(text.contains("tiles[0], taken by load copy 0, held since"), text);
        assertTrue(text.contains(", for item 1 from outside"), text);
        assertTrue(
                text.contains("a proof before the run needs task \"three\": releases(tiles, n), the number of"
                        + " buffers per item"),
                text);
    }

    @Test
    void aRunThatStandsStillIsTold() throws InterruptedException {
        isTold(false);
        isTold(true);
    }

    @Test
    void aBodyThatBlocksDoesNotHideWhatStandsStill() throws InterruptedException {
        CompletableFuture<String> told = new CompletableFuture<>();
        CountDownLatch never = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("blocks", g -> {
            FlowTask<Integer, Integer> blocks = g.task("blocks", 1, () -> (n, out) -> never.await());
            g.input().to(blocks.dedicated()).to(g.output());
        });
        try (Session session = Session.builder()
                .workers(2)
                .stallWatch(Duration.ofMillis(50), told::complete)
                .open()) {
            try (FlowRun<Integer, Integer> run = tooSmall(false).start(session);
                    FlowRun<Integer, Integer> blocked = graph.start(session)) {
                blocked.send(1);
                run.sendAll(List.of(1, 2, 3));
                run.finish();
                CompletableFuture<Void> _ = told.thenRun(run::cancel);
                assertThrows(java.util.concurrent.CancellationException.class, run::await);
                blocked.cancel();
            }
        }
        String text = told.getNow("");
        assertTrue(text.contains("1 item of \"load\" wait: \"tiles\" has 0 free"), text);
        assertTrue(
                text.contains("task \"blocks\", 1 copy with threads of their own: 0 done, 0 wait, 1 in a body"), text);
    }

    @Test
    void whatWaitsForABodyThatBlocksIsTold() throws InterruptedException {
        CompletableFuture<String> told = new CompletableFuture<>();
        CountDownLatch never = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("blocks", g -> {
            FlowTask<Integer, Integer> blocks = g.task("blocks", 1, () -> (n, out) -> never.await());
            g.input().to(blocks.dedicated()).to(g.output());
        });
        try (Session session = Session.builder()
                        .workers(2)
                        .stallWatch(Duration.ofMillis(50), told::complete)
                        .open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.sendAll(List.of(1, 2));
            CompletableFuture<Void> _ = told.thenRun(run::cancel);
            assertThrows(java.util.concurrent.CancellationException.class, run::await);
        }
        String text = told.getNow("");
        assertTrue(
                text.contains("task \"blocks\", 1 copy with threads of their own: 0 done, 1 wait, 1 in a body"), text);
    }

    @Test
    void whatABodyHoldsUpThatWaitsForABufferIsShown() {
        CountDownLatch second = new CountDownLatch(2);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("holds", g -> {
            MemoryEdge<int[]> edge = g.memory("one", 1, () -> new int[1]);
            FlowTask<Integer, Integer> task = g.task("t", 1, () -> (n, out) -> {
                second.countDown();
                Handle<int[]> one = out.take(edge);
                out.graph().task("its").updates(one).run(ctx -> Watchdog.await(second, "the second item"));
                out.whenDone(then -> {
                    then.release(one);
                    then.emit(n);
                });
            });
            g.input().to(task.dedicated().releases(edge)).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.sendAll(List.of(1, 2));
            Watchdog.until(
                    () -> session.snapshot()
                            .toString()
                            .contains("1 in a body that waits for a buffer, which holds up 1 whose tasks are over"),
                    "the second item's wait for the buffer of the first");
            run.cancel();
            assertThrows(java.util.concurrent.CancellationException.class, run::await);
        }
    }

    @Test
    void aSnapshotShowsCopiesQueuesAndLoans() throws InterruptedException {
        CountDownLatch inBody = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("shown", g -> {
            FlowTask<Integer, Integer> task = g.task("slow", 1, () -> (n, out) -> {
                inBody.countDown();
                goOn.await();
                out.emit(n);
            });
            g.input().to(task.dedicated()).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.sendAll(List.of(1, 2, 3));
            inBody.await();
            String text = session.snapshot().toString();
            assertTrue(text.contains("flow \"shown\" not over, RUNNING"), text);
            assertTrue(text.contains("task \"slow\", 1 copy with threads of their own: 0 done"), text);
            assertTrue(text.contains("1 in a body"), text);
            goOn.countDown();
            run.finish();
            run.await();
        }
    }

    @Test
    void aSnapshotNamesTheCopyThatAWorkerRuns() throws InterruptedException {
        CountDownLatch inBody = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("shown", g -> {
            FlowTask<Integer, Integer> task = g.task("slow", 2, () -> (n, out) -> {
                inBody.countDown();
                goOn.await();
            });
            g.input().to(task).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(1);
            run.finish();
            inBody.await();
            String text = session.snapshot().toString();
            goOn.countDown();
            assertTrue(text.contains("runs \"slow, copy "), text);
            run.await();
        }
    }

    @Test
    void closingASessionOverAnOpenRunSaysWhatIsLost() {
        AtomicReference<FlowRun<Integer, Integer>> left = new AtomicReference<>();
        IllegalStateException cut = assertThrows(IllegalStateException.class, () -> {
            try (Session session = Session.builder().workers(2).open()) {
                FlowRun<Integer, Integer> run = tooSmall(true).start(session);
                left.set(run);
                run.sendAll(List.of(1, 2, 3, 4, 5));
            }
        });
        assertTrue(cut.toString().contains("the session was closed while flow \"small\" was open"), cut.toString());
        FlowRun<Integer, Integer> run = Objects.requireNonNull(left.get());
        assertTrue(run.isDone());
        RandomFlow.checkNothingIsLost(run);
        assertDoesNotThrow(run::close);
    }

    @Test
    void aRunThatIsDoneAndFetchedEndsWithItsSessionWithoutAWord() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "done",
                g -> g.input()
                        .to(g.<Integer, Integer>task("task", 1, () -> (n, out) -> out.emit(n)))
                        .to(g.output()));
        int results = 0;
        try (Session session = Session.builder().workers(2).open()) {
            FlowRun<Integer, Integer> run = graph.start(session);
            run.sendAll(List.of(1, 2, 3));
            run.finish();
            for (int result : run) {
                results += result;
            }
        }
        assertEquals(6, results);
    }

    @Test
    void resultsThatTheIteratorHasFetchedAheadAreNotDelivered() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "ahead",
                g -> g.input()
                        .to(g.<Integer, Integer>task("task", 1, () -> (n, out) -> out.emit(n)))
                        .to(g.output()));
        Session session = Session.builder().workers(2).open();
        FlowRun<Integer, Integer> run = graph.start(session);
        run.sendAll(FlowTest.numbers(400));
        run.finish();
        run.await();
        for (int i = 0; i < 3; i++) {
            assertEquals(i, run.iterator().next());
            assertTrue(run.iterator().hasNext());
            assertEquals(i + 1, run.report().delivered());
            assertEquals(400 - i - 1, run.report().undelivered());
        }
        assertMentions(
                assertThrows(IllegalStateException.class, session::close),
                "flow \"ahead\" was open",
                "397 results not fetched",
                "3 delivered");
        assertEquals(3, run.iterator().next());
        assertEquals(4, run.report().delivered());
    }

    // ---- ends

    @Test
    void aRunIsNotClosedInsideItsOwnTask() {
        AtomicInteger freed = new AtomicInteger();
        AtomicReference<FlowRun<Integer, Integer>> self = new AtomicReference<>();
        AtomicReference<Throwable> inside = new AtomicReference<>();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("self", g -> {
            g.memory("e", 3, new Allocator<int[]>() {
                        @Override
                        public int[] allocate() {
                            return new int[1];
                        }

                        @Override
                        public void free(int[] buffer) {
                            freed.incrementAndGet();
                        }
                    })
                    .takenOutside()
                    .releasedOutside();
            g.input()
                    .to(g.<Integer, Integer>task("task", 1, () -> (n, out) -> {
                        inside.set(assertThrows(
                                IllegalStateException.class,
                                () -> Objects.requireNonNull(self.get()).close()));
                        out.emit(n);
                    }))
                    .to(g.output());
        });
        try (Session session = Session.builder().workers(2).open()) {
            FlowRun<Integer, Integer> run = graph.start(session);
            self.set(run);
            run.send(1);
            run.finish();
            assertEquals(1, run.iterator().next());
            assertTrue(String.valueOf(inside.get()).contains("is closed inside a task"), "" + inside.get());
            run.close();
            assertEquals(3, freed.get());
        }
    }

    @Test
    void codeOutsideThatWaitsForABufferIsToldOfTheEnd() throws Exception {
        List<MemoryEdge<int[]>> edge = new ArrayList<>();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("taken", g -> {
            edge.add(g.memory("e", 1, () -> new int[1]).takenOutside().releasedOutside());
            g.input()
                    .to(g.<Integer, Integer>task("task", 1, () -> (n, out) -> out.emit(n)))
                    .to(g.output());
        });
        try (Session session = Session.builder().workers(2).open()) {
            FlowRun<Integer, Integer> run = graph.start(session);
            Handle<int[]> mine = run.take(edge.getFirst(), ReleaseRule.once());
            CompletableFuture<String> taker = new CompletableFuture<>();
            Thread.ofPlatform().start(() -> {
                try {
                    run.take(edge.getFirst(), ReleaseRule.once());
                    taker.complete("took one");
                } catch (Throwable t) {
                    taker.complete(t.toString());
                }
            });
            run.finish();
            run.await();
            assertTrue(taker.get().contains("the run is over"), taker.get());
            run.release(mine);
            assertThrows(IllegalStateException.class, () -> run.take(edge.getFirst(), ReleaseRule.once()));
            run.close();
        }
    }

    // ---- polls, and what may still come

    @Test
    void aTaskOnTheEnginesWorkersPolls() throws InterruptedException {
        CountDownLatch polled = new CountDownLatch(3);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("polls", g -> {
            final class Idle implements Body<Integer, Integer> {
                @Override
                public void execute(Integer n, Emitter<Integer> out) {
                    out.emit(n);
                }

                @Override
                public void idle(Emitter<Integer> out) {
                    polled.countDown();
                }
            }
            g.input()
                    .to(g.task("task", 1, Idle::new).poll(Duration.ofMillis(1)))
                    .to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(1);
            polled.await();
            run.finish();
            run.await();
        }
    }

    @Test
    void aClosedInputIsNotTheEndOfATaskThatPolls() throws InterruptedException {
        for (boolean dedicated : new boolean[] {false, true}) {
            AtomicInteger polls = new AtomicInteger();
            FlowGraph<Integer, Integer> graph = FlowGraph.build("polls", g -> {
                final class Until implements Body<Integer, Integer> {
                    @Override
                    public void execute(Integer n, Emitter<Integer> out) {
                        out.emit(n);
                    }

                    @Override
                    public void idle(Emitter<Integer> out) {
                        polls.incrementAndGet();
                    }

                    @Override
                    public boolean canTerminate(boolean inputClosed) {
                        return polls.get() >= 3;
                    }
                }
                FlowTask<Integer, Integer> task = g.task("task", 1, Until::new).poll(Duration.ofMillis(1));
                g.input().to(dedicated ? task.dedicated() : task).to(g.output());
            });
            try (Session session = Session.builder().workers(2).open();
                    FlowRun<Integer, Integer> run = graph.start(session)) {
                run.send(1);
                run.finish();
                run.await();
                assertTrue(polls.get() >= 3);
            }
        }
    }

    @Test
    void aClosedInputIsNotTheEndOfATaskWhoseItemsAreAtWorkInTheEngine() throws InterruptedException {
        CountDownLatch goOn = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("deferred", g -> {
            final class Open implements Body<Integer, Integer> {
                private int open;

                @Override
                public void execute(Integer n, Emitter<Integer> out) {
                    open++;
                    out.graph().task("slow").run(context -> goOn.await());
                    out.whenDone(then -> {
                        open--;
                        then.emit(n);
                    });
                }

                @Override
                public boolean canTerminate(boolean inputClosed) {
                    if (inputClosed && open > 0) {
                        goOn.countDown();
                    }
                    return inputClosed && open == 0;
                }
            }
            g.input().to(g.task("task", 1, Open::new)).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(1);
            run.finish();
            assertEquals(1, run.await().tasks().getFirst().executed());
        }
    }

    // ---- lent handles

    @Test
    void tasksOfTheEngineAccessLentBuffersOfTheUsersOwn() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("own", g -> {
            MemoryEdge<int[]> edge = g.memory("blocks", 2, () -> new int[1]);
            FlowTask<Integer, Integer> task = g.task("task", 1, () -> (n, out) -> {
                Handle<int[]> buffer = out.take(edge);
                int[] seen = new int[1];
                out.graph().task("set").writes(buffer).run(context -> context.get(buffer)[0] = n);
                out.graph().task("get").reads(buffer).run(context -> seen[0] = context.get(buffer)[0]);
                out.release(buffer); // free once both are over
                out.whenDone(then -> then.emit(seen[0]));
            });
            g.input().to(task.takes(edge).releases(edge)).to(g.output());
        });
        for (int workers = 1; workers <= 3; workers++) {
            try (Session session = Session.builder().workers(workers).checking().open();
                    FlowRun<Integer, Integer> run = graph.start(session)) {
                run.sendAll(FlowTest.numbers(200));
                run.finish();
                List<Integer> results = new ArrayList<>();
                run.forEach(results::add);
                results.sort(null);
                assertEquals(FlowTest.numbers(200), results);
            }
        }
    }

    @Test
    void useAfterReleaseIsSeenInCheckingMode() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("late", g -> {
            MemoryEdge<int[]> edge = g.memory("blocks", 1, () -> new int[1]);
            FlowTask<Integer, Integer> task = g.task("task", 1, () -> (n, out) -> {
                Handle<int[]> buffer = out.take(edge);
                buffer.value()[0] = n;
                out.release(buffer);
                out.emit(buffer.value()[0]);
            });
            g.input().to(task.takes(edge).releases(edge)).to(g.output());
        });
        try (Session session = Session.builder().workers(2).checking().open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(1);
            run.finish();
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            assertTrue(
                    String.valueOf(failed.getCause()).contains("\"blocks[0]\" is used after its release"),
                    failed.toString());
        }
    }

    /**
     * While one release recycles a buffer, it is lent to no one else, and another release of the same loan is refused.
     */
    @Test
    void aBufferIsRecycledOncePerLoan() throws InterruptedException {
        List<MemoryEdge<int[]>> edge = new ArrayList<>();
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        AtomicInteger recycled = new AtomicInteger();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("once", g -> {
            edge.add(g.memory("e", 1, new Allocator<int[]>() {
                        @Override
                        public int[] allocate() {
                            return new int[1];
                        }

                        @Override
                        public void recycle(int[] buffer) {
                            recycled.incrementAndGet();
                            Objects.requireNonNull(meanwhile.get()).run();
                        }
                    })
                    .takenOutside()
                    .releasedOutside());
            g.input()
                    .to(g.<Integer, Integer>task("task", 1, () -> (n, out) -> out.emit(n)))
                    .to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            Handle<int[]> first = run.take(edge.getFirst(), () -> true);
            meanwhile.set(() -> assertThrows(IllegalStateException.class, () -> run.release(first)));
            run.release(first);
            assertEquals(1, recycled.get());
            meanwhile.set(() -> {});
            Handle<int[]> second = run.take(edge.getFirst(), ReleaseRule.once());
            assertThrows(IllegalStateException.class, () -> run.release(first));
            assertFalse(run.report().outstanding().isEmpty());
            run.release(second);
            assertEquals(2, recycled.get());
        }
    }

    @Test
    void anItemThatIsEmittedIsWorkedOnWhileItsBodyGoesOn() throws InterruptedException {
        CountDownLatch seen = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "at once",
                g -> g.input()
                        .to(g.<Integer, Integer>task("first", 1, () -> (n, out) -> {
                            out.emit(n);
                            seen.await();
                        }))
                        .to(g.<Integer, Integer>task("second", 1, () -> (n, out) -> seen.countDown()))
                        .to(g.output()));
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(1);
            run.finish();
            run.await();
        }
    }

    @Test
    @SuppressWarnings("NullAway") // the nulls are refused
    void absurdNumbersAndNullsAreRefusedAtOnce() {
        FlowGraph.<Integer, Integer>build("refused", g -> {
            IllegalArgumentException copies = assertThrows(
                    IllegalArgumentException.class, () -> g.task("t", Integer.MAX_VALUE, () -> (n, out) -> {}));
            assertTrue(copies.toString().contains("2147483647 copies: at most 65536"), copies.toString());
            assertThrows(IllegalArgumentException.class, () -> g.memory("m", Integer.MAX_VALUE, () -> new int[1]));
            NullPointerException body = assertThrows(NullPointerException.class, () -> g.task("t", 1, null));
            assertTrue(body.toString().contains("the body of \"t\" in flow \"refused\" is null"), body.toString());
            FlowTask<Integer, Integer> task = g.task("t", 1, () -> (n, out) -> out.emit(n));
            assertThrows(NullPointerException.class, () -> task.takes(null));
            assertThrows(NullPointerException.class, () -> task.priority(null));
            assertMentions(
                    assertThrows(NullPointerException.class, () -> task.on((ExecutionTarget) null)),
                    "the device of task \"t\" is null");
            assertMentions(
                    assertThrows(
                            NullPointerException.class, () -> g.bookkeeper("b").releases(null)),
                    "the memory edge that bookkeeper \"b\" releases into is null");
            assertThrows(NullPointerException.class, () -> g.input().to((FlowTask<Integer, Integer>) null));
            g.input().to(task).to(g.output());
        });
        assertMentions(
                assertThrows(NullPointerException.class, () -> FlowGraph.build("none", null)),
                "the description of graph \"none\" is null");
        assertMentions(
                assertThrows(NullPointerException.class, () -> FlowGraph.build(null, g -> {})),
                "the name of a graph is null");
    }
}

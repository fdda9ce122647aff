package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.report.FlowReport.Outcome;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.Start;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.memory.data.Handle;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Edges between two tasks on which at most a number of items wait. */
@Timeout(180)
class BoundedEdgeTest {
    private static final int ITEMS = 400;

    /** Counts the items between two bodies: emitted by the first, and not begun by the second. */
    private static final class Between {
        private final AtomicInteger now = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        /** Returns a body that emits each item {@code times} times, or fewer. */
        Body<Integer, Integer> emitting(int times) {
            return (n, out) -> emit(n, n % (times + 1), out);
        }

        void emit(int n, int times, Emitter<Integer> out) {
            for (int i = 0; i < times; i++) {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                out.emit(n);
            }
        }

        Body<Integer, Integer> taking() {
            return (n, out) -> {
                now.decrementAndGet();
                out.emit(n);
            };
        }
    }

    private static FlowTask<Integer, Integer> task(
            FlowBuilder<Integer, Integer> g, String name, int copies, Body<Integer, Integer> body) {
        return g.<Integer, Integer>task(name, copies, () -> body).types(int.class, int.class);
    }

    private static FlowTask<Integer, Integer> same(FlowBuilder<Integer, Integer> g, String name) {
        return task(g, name, 1, (n, out) -> out.emit(n));
    }

    /** Sends all items, and returns the profile of the run at its end. */
    private static FlowProfile run(FlowRun<Integer, Integer> run, int results) {
        try (run) {
            run.sendAll(FlowTest.numbers(ITEMS));
            run.finish();
            int count = 0;
            for (Integer _ : run) {
                count++;
            }
            assertEquals(results, count);
            return run.profile();
        }
    }

    private static int emitted(int times) {
        return FlowTest.numbers(ITEMS).stream().mapToInt(n -> n % (times + 1)).sum();
    }

    private static long largest(FlowProfile profile, String task) {
        return profile.task(task).orElseThrow().largestQueue();
    }

    // ---- never more than the bound

    /** Runs a producer of up to 3 items per item and a consumer with a bounded edge in between. */
    private static void bounded(int workers, int bound, Consumer<FlowTask<Integer, Integer>> options) {
        Between between = new Between();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("bounded", g -> {
            FlowTask<Integer, Integer> many =
                    task(g, "many", 2, between.emitting(3)).emits(0, 3);
            FlowTask<Integer, Integer> one = task(g, "one", 2, between.taking()).oneByOne();
            options.accept(many);
            options.accept(one);
            g.input().to(many).to(one, bound).to(g.output());
        });
        assertTrue(graph.prove().isProved());
        try (Session session = Session.builder().workers(workers).open()) {
            FlowProfile profile = run(graph.start(session, FlowRun.Options.unbounded()), emitted(3));
            assertTrue(largest(profile, "one") <= bound, profile::toText);
            assertTrue(between.most.get() <= bound + 2, between.most::toString); // an item per copy is taken
            assertEquals(0, between.now.get());
        }
    }

    @Test
    void noMoreItemsWaitThanTheBound() {
        for (int workers : new int[] {1, 4}) {
            for (int bound : new int[] {3, 8}) {
                bounded(workers, bound, task -> {});
                bounded(workers, bound, FlowTask::dedicated);
                bounded(workers, bound, task -> task.priority(Comparator.reverseOrder()));
            }
        }
    }

    @Test
    void noMoreItemsWaitThanTheBoundInAnyOrderOfNodes() {
        for (long seed = 0; seed < 40; seed++) {
            Between between = new Between();
            int bound = 1 + (int) (seed % 5);
            FlowGraph<Integer, Integer> graph = FlowGraph.build("seeded", g -> {
                FlowTask<Integer, Integer> many =
                        task(g, "many", 3, between.emitting(1)).emits(0, 1);
                FlowTask<Integer, Integer> one = task(g, "one", 2, between.taking());
                g.input().to(many).to(one, bound).to(g.output());
            });
            FlowProfile profile = run(graph.start(new SeededWorkers(seed)), emitted(1));
            assertTrue(largest(profile, "one") <= bound, profile::toText);
        }
    }

    @Test
    void eachEdgeHasABound() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("both", g -> {
            FlowTask<Integer, Integer> left = same(g, "left").emits(1);
            FlowTask<Integer, Integer> right = same(g, "right").emits(1);
            FlowTask<Integer, Integer> fast = same(g, "fast").emits(1);
            FlowTask<Integer, Integer> join = same(g, "join");
            g.input().to(left);
            g.input().to(right);
            left.to(join, 2).to(g.output());
            right.to(join, 3);
            right.to(fast, 5).to(g.output());
        });
        assertEquals(List.of(), graph.check().problems());
        for (long seed = 0; seed < 20; seed++) {
            FlowProfile profile = run(graph.start(new SeededWorkers(seed)), 3 * ITEMS);
            assertTrue(largest(profile, "join") <= 2 + 3, profile::toText);
            assertTrue(largest(profile, "fast") <= 5, profile::toText);
        }
    }

    @Test
    void aStartTaskWaitsForRoom() {
        Between between = new Between();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("source", g -> {
            FlowTask<Start, Integer> source = g.<Integer>start("source", 2, () -> new Body<>() {
                        private int count;

                        @Override
                        public void execute(Start signal, Emitter<Integer> out) {
                            between.emit(count++, 1, out);
                        }

                        @Override
                        public boolean canTerminate(boolean inputClosed) {
                            return count == ITEMS;
                        }
                    })
                    .emits(1);
            source.to(task(g, "take", 1, between.taking()).oneByOne(), 4).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open()) {
            FlowRun<Integer, Integer> run = graph.start(session);
            try (run) {
                run.finish();
                run.await();
                assertEquals(2 * ITEMS, drain(run));
            }
            FlowProfile profile = run.profile();
            assertTrue(largest(profile, "take") <= 4, profile::toText);
            assertTrue(between.most.get() <= 4 + 1, between.most::toString);
        }
    }

    @Test
    void theOutputOfARuleHasABound() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("rule", g -> {
            FlowTask<Integer, Integer> take = same(g, "take");
            FlowTask<Integer, Integer> other = same(g, "other");
            Bookkeeper<Integer> pairs = g.bookkeeper("pairs");
            g.input().to(pairs);
            pairs.<Integer>rulePerRun(() -> new PairRule())
                    .collects(2)
                    .emits(2)
                    .to(take, 3)
                    .to(g.output());
            pairs.<Integer>rulePerRun(() -> (n, _, out) -> out.emit(n))
                    .emits(1)
                    .to(other, 2)
                    .to(g.output());
        });
        assertTrue(graph.prove().isProved(), () -> graph.prove().toString());
        for (long seed = 0; seed < 20; seed++) {
            FlowProfile profile = run(graph.start(new SeededWorkers(seed)), 2 * ITEMS);
            assertTrue(largest(profile, "take") <= 3, profile::toText);
            assertTrue(largest(profile, "other") <= 2, profile::toText);
        }
    }

    /** Emits two items at each second one. */
    private static final class PairRule implements Rule<Integer, Integer> {
        private boolean odd;

        @Override
        public void apply(Integer n, int pipeline, Emitter<Integer> out) {
            odd = !odd;
            if (!odd) {
                out.emit(n - 1);
                out.emit(n);
            }
        }
    }

    @Test
    void graphsInsideAndPipelinesHaveBounds() {
        FlowGraph<Integer, Integer> inner = FlowGraph.build("inner", g -> {
            FlowTask<Integer, Integer> first = same(g, "first").emits(1);
            g.input().to(first).to(same(g, "second").emits(1), 2).to(g.output());
        });
        FlowGraph<Integer, Integer> graph = FlowGraph.build("outer", g -> {
            FlowTask<Integer, Integer> begin = same(g, "begin").emits(1);
            FlowGraph.Nested<Integer, Integer> nested = g.graph("nested", inner);
            FlowPipeline<Integer, Integer> pipeline = g.pipeline("pipe", inner, 3);
            FlowTask<Integer, Integer> end = same(g, "end");
            g.input().to(begin).to(nested, 3).to(pipeline).to(end, 4).to(g.output());
        });
        assertEquals(List.of(), graph.check().problems());
        for (long seed = 0; seed < 20; seed++) {
            FlowProfile profile = run(graph.start(new SeededWorkers(seed)), ITEMS);
            assertTrue(largest(profile, "nested/first") <= 3, profile::toText);
            assertTrue(largest(profile, "nested/second") <= 2, profile::toText);
            assertTrue(largest(profile, "pipe#2/second") <= 2, profile::toText);
            assertTrue(largest(profile, "end") <= 4, profile::toText);
        }
    }

    /** An item that waits for engine tasks keeps its slots, and emits then; the others go back. */
    @Test
    void anItemThatWaitsForEngineTasksKeepsItsSlots() {
        for (int workers = 1; workers <= 3; workers++) {
            try (Session session = Session.builder().workers(workers).open()) {
                Between between = new Between();
                FlowGraph<Integer, Integer> graph = FlowGraph.build("deferred", g -> {
                    FlowTask<Integer, Integer> later = task(g, "later", 2, (n, out) -> {
                                Handle<int[]> cell = session.wrap("cell", new int[1]);
                                out.graph().task("set").writes(cell).run(ctx -> ctx.get(cell)[0] = n);
                                out.whenDone(then -> between.emit(cell.value()[0], n % 3, then));
                            })
                            .emits(0, 2);
                    FlowTask<Integer, Integer> take =
                            task(g, "take", 1, between.taking()).oneByOne();
                    g.input().to(later).to(take, 5).to(g.output());
                });
                FlowProfile profile = run(graph.start(session), emitted(2));
                assertTrue(largest(profile, "take") <= 5, profile::toText);
                assertTrue(between.most.get() <= 5 + 1, between.most::toString);
            }
        }
    }

    /** A consumer whose items wait for engine tasks takes no more than it may have on their way. */
    @Test
    void aConsumerThatSubmitsTasksPutsNoItemBack() {
        try (Session session = Session.builder().workers(2).open()) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build("submitting", g -> {
                FlowTask<Integer, Integer> feed = same(g, "feed").emits(1);
                FlowTask<Integer, Integer> submit = task(g, "submit", 1, (n, out) -> {
                            Handle<int[]> cell = session.wrap("cell", new int[1]);
                            out.graph().task("set").writes(cell).run(ctx -> ctx.get(cell)[0] = n);
                            out.emitWhenDone(n);
                        })
                        .inFlight(2);
                g.input().to(feed).to(submit, 4).to(g.output());
            });
            FlowProfile profile = run(graph.start(session), ITEMS);
            assertTrue(largest(profile, "submit") <= 4, profile::toText);
        }
    }

    /** A producer that takes buffers, and a consumer that takes of the same edge. */
    @Test
    void slotsAndBuffersTogetherAreProvedAndRun() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("buffers", g -> {
            MemoryEdge<int[]> blocks = g.memory("blocks", 2, () -> new int[1]);
            var read = g.<Integer, Handle<int[]>>task("read", 2, () -> (n, out) -> {
                        Handle<int[]> block = out.take(blocks);
                        block.value()[0] = n;
                        out.emit(block);
                    })
                    .takes(blocks)
                    .emits(1);
            var add = g.<Handle<int[]>, Integer>task("add", 2, () -> (block, out) -> {
                        Handle<int[]> other = out.take(blocks);
                        int n = block.value()[0];
                        out.release(block);
                        out.release(other);
                        out.emit(n);
                    })
                    .takes(blocks)
                    .releases(blocks, 2)
                    .emits(1);
            g.input().to(read).to(add, 1).to(same(g, "end"), 1).to(g.output());
        });
        assertTrue(graph.prove().isProved(), () -> graph.prove().toString());
        for (long seed = 0; seed < 40; seed++) {
            FlowProfile profile = run(graph.start(new SeededWorkers(seed)), ITEMS);
            assertTrue(largest(profile, "add") <= 1, profile::toText);
            assertEquals(0, profile.memories().getFirst().live());
        }
    }

    // ---- the end of items

    @Test
    void theSlotsOfADroppedItemGoBack() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("dropping", g -> {
            FlowTask<Integer, Integer> maybe = task(g, "maybe", 2, (n, out) -> {
                        out.emit(n);
                        if (n % 2 == 1) {
                            throw new IllegalArgumentException("odd");
                        }
                        out.emit(n);
                    })
                    .onError((n, failure, out) -> out.emit(-n))
                    .emits(0, 2);
            g.input().to(maybe).to(same(g, "take"), 2).to(g.output());
        });
        for (long seed = 0; seed < 20; seed++) {
            FlowProfile profile = run(graph.start(new SeededWorkers(seed)), ITEMS / 2 * 3);
            assertTrue(largest(profile, "take") <= 2, profile::toText);
        }
    }

    @Test
    void anItemThatIsEmittedOutsideOfExecuteFails() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("late", g -> {
            FlowTask<Integer, Integer> late = g.<Integer, Integer>task("late", 1, () -> new Body<>() {
                        @Override
                        public void execute(Integer n, Emitter<Integer> out) {}

                        @Override
                        public void shutdown(Emitter<Integer> out) {
                            out.emit(1);
                        }
                    })
                    .emits(0, 1);
            g.input().to(late).to(same(g, "take"), 5).to(g.output());
        });
        FlowFailedException failure =
                assertThrows(FlowFailedException.class, () -> run(graph.start(new SeededWorkers(1)), 0));
        assertMentions(failure, "task \"late\" emitted an item outside of execute", "edge \"late -> take\"");
    }

    @Test
    void aConsumerThatEndsEarlyFreesItsProducer() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("early", g -> {
            FlowTask<Integer, Integer> feed = same(g, "feed").emits(1);
            FlowTask<Integer, Integer> take = same(g, "take").terminatedWhen(progress -> progress.executed() >= 3);
            g.input().to(feed).to(take, 2).to(g.output());
        });
        for (long seed = 0; seed < 20; seed++) {
            FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(seed));
            try (run) {
                run.sendAll(FlowTest.numbers(ITEMS));
                run.finish();
                FlowReport report = run.await();
                assertEquals(Outcome.DONE, report.outcome());
                assertEquals(3, run.poll() == null ? 0 : 1 + drain(run));
                assertEquals(ITEMS - 3, report.cancelled());
            }
        }
    }

    private static int drain(FlowRun<Integer, Integer> run) {
        int count = 0;
        while (run.poll() != null) {
            count++;
        }
        return count;
    }

    @Test
    void aRunWhoseItemsWaitForRoomCanBeCancelledOrFail() {
        for (long seed = 0; seed < 40; seed++) {
            boolean fails = seed % 2 == 0;
            AtomicInteger count = new AtomicInteger();
            FlowGraph<Integer, Integer> graph = FlowGraph.build("ended", g -> {
                FlowTask<Integer, Integer> feed = same(g, "feed").emits(1);
                FlowTask<Integer, Integer> take = task(g, "take", 1, (n, out) -> {
                    if (fails && count.incrementAndGet() == 20) {
                        throw new IllegalStateException("the 20th");
                    }
                    out.emit(n);
                });
                g.input().to(feed).to(take, 2).to(g.output());
            });
            SeededWorkers workers = new SeededWorkers(seed);
            FlowRun<Integer, Integer> run = graph.start(workers);
            run.sendAll(FlowTest.numbers(ITEMS));
            workers.runSome(5 + (int) seed);
            if (fails) {
                run.finish();
                assertThrows(FlowFailedException.class, run::await);
            } else {
                run.cancel();
                assertThrows(CancellationException.class, run::await);
            }
            run.close();
            FlowReport report = run.report();
            long fed = report.tasks().getFirst().executed();
            assertEquals(ITEMS, fed + report.tasks().getFirst().cancelled(), report::toString);
        }
    }

    // ---- reports

    @Test
    void theStallWatchNamesAnEdgeWithoutRoom() {
        CompletableFuture<String> reported = new CompletableFuture<>();
        CountDownLatch go = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("stalled", g -> {
            FlowTask<Integer, Integer> feed = same(g, "feed").emits(1);
            FlowTask<Integer, Integer> take = task(g, "take", 1, (n, out) -> {
                        go.await();
                        out.emit(n);
                    })
                    .dedicated();
            g.input().to(feed).to(take, 2).to(g.output());
        });
        try (Session session = Session.builder()
                        .workers(2)
                        .stallWatch(Duration.ofMillis(50), reported::complete)
                        .open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.sendAll(FlowTest.numbers(10));
            run.finish();
            CompletableFuture<Void> _ = reported.thenRun(go::countDown);
            run.await();
            String text = reported.getNow("");
            assertTrue(text.contains("edge \"feed -> take\": of 2 slots 2 taken"), text);
            assertTrue(text.contains("items of \"feed\" wait: \"feed -> take\" has 0 slots free"), text);
        }
    }

    @Test
    void profilesAndDrawingsShowTheBound() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("drawn", g -> {
            FlowTask<Integer, Integer> feed = same(g, "feed").emits(1);
            g.input().to(feed).to(same(g, "take"), 7).to(g.output());
        });
        FlowProfile profile = run(graph.start(new SeededWorkers(1)), ITEMS);
        FlowProfile.Link link = profile.links().stream()
                .filter(one -> one.from().equals("feed"))
                .findFirst()
                .orElseThrow();
        assertEquals(7, link.bound());
        assertEquals(ITEMS, link.items());
        assertEquals(List.of(), profile.memories());
        assertEquals(profile, FlowProfile.ofJson(profile.toJson()));
        assertTrue(profile.toText().contains("edge \"feed -> take\": at most 7 items wait"), profile::toText);
        assertTrue(profile.toDot().contains("400\\nat most 7 wait"), profile::toDot);
        assertTrue(profile.toSvg().contains("\u2264 7 wait"), profile::toSvg);
    }
}

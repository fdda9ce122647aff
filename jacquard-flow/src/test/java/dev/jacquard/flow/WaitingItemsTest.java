package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.engine.Workers;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.task.WaitingItems;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queues of the user's in front of tasks. */
@Timeout(120)
class WaitingItemsTest {
    /** Keeps the newest items, at most {@code most}; the last one comes first. */
    record Newest<A>(int most, Deque<A> waiting) implements WaitingItems<A> {
        Newest(int most) {
            this(most, new ArrayDeque<>());
        }

        @Override
        public void add(A item, Consumer<? super A> dropped) {
            if (waiting.size() == most) {
                dropped.accept(waiting.removeLast());
            }
            waiting.push(item);
        }

        @Override
        public A next(Consumer<? super A> dropped) {
            return waiting.pop();
        }
    }

    /** Adds up the items that wait for each remainder by 3. */
    static final class Sums implements WaitingItems<Integer> {
        private final SequencedMap<Integer, Integer> sums = new LinkedHashMap<>();

        @Override
        public void add(Integer item, Consumer<? super Integer> dropped) {
            if (sums.containsKey(item % 3)) {
                dropped.accept(item);
            }
            sums.merge(item % 3, item, Integer::sum);
        }

        @Override
        public Integer next(Consumer<? super Integer> dropped) {
            return sums.pollFirstEntry().getValue();
        }
    }

    /** Drops all odd items, as late as it can. */
    static final class Even implements WaitingItems<Integer> {
        private final Deque<Integer> waiting = new ArrayDeque<>();

        @Override
        public void add(Integer item, Consumer<? super Integer> dropped) {
            waiting.add(item);
        }

        @Override
        public @Nullable Integer next(Consumer<? super Integer> dropped) {
            while (!waiting.isEmpty()) {
                int item = waiting.remove();
                if (item % 2 == 0) {
                    return item;
                }
                dropped.accept(item);
            }
            return null;
        }
    }

    private static FlowGraph<Integer, Integer> graph(Supplier<WaitingItems<Integer>> queue) {
        return FlowGraph.build("queue", g -> {
            FlowTask<Integer, Integer> work = g.map("work", 1, n -> n);
            g.input().to(work.queue(queue)).to(g.output());
        });
    }

    private static List<Integer> results(FlowGraph<Integer, Integer> graph, Workers workers, int count, long drops) {
        try (FlowRun<Integer, Integer> run = graph.start(workers)) {
            run.sendAll(FlowTest.numbers(count));
            run.finish();
            List<Integer> results = new ArrayList<>();
            run.forEach(results::add);
            RandomFlow.checkNothingIsLost(run);
            assertEquals(FlowReport.Outcome.DONE, run.report().outcome());
            assertTrue(
                    drops < 0 || drops == run.report().dropped(), run.report().toString());
            return results;
        }
    }

    @Test
    void theNewestItemsAreKept() {
        assertEquals(List.of(19, 18, 17), results(graph(() -> new Newest<>(3)), new SeededWorkers(1), 20, 17));
        assertEquals(List.of(19), results(graph(() -> new Newest<>(1)), new SeededWorkers(1), 20, 19));
    }

    @Test
    void anItemMayStandForOthers() {
        assertEquals(
                List.of(18, 22, 15 + 11),
                results(graph(Sums::new), new SeededWorkers(1), 12, 9).stream()
                        .sorted()
                        .toList());
    }

    @Test
    void theLastItemsMayBeDroppedWhenTheyAreNext() {
        assertEquals(List.of(0, 2, 4), results(graph(Even::new), new SeededWorkers(1), 6, 3));
        for (long seed = 0; seed < 50; seed++) {
            assertEquals(
                    List.of(),
                    results(
                            FlowGraph.build("odd", g -> {
                                FlowTask<Integer, Integer> odd = g.map("odd", 1, n -> 2 * n + 1);
                                FlowTask<Integer, Integer> work = g.map("work", 2, n -> n);
                                g.input().to(odd).to(work.queue(Even::new)).to(g.output());
                            }),
                            new SeededWorkers(seed),
                            20,
                            20));
        }
    }

    /** A slow task sees the newest item next, and the sender never waits. */
    @Test
    void aSenderDoesNotWaitForATaskThatSkipsItems() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("sampling", g -> {
            FlowTask<Integer, Integer> work = g.map("work", 1, n -> {
                begun.countDown();
                goOn.await();
                return n;
            });
            g.input().to(work.queue(() -> new Newest<>(1)).dedicated()).to(g.output());
        });
        try (ThreadedWorkers workers = new ThreadedWorkers(1);
                FlowRun<Integer, Integer> run =
                        graph.start(workers, FlowRun.Options.defaults().withInputBound(2))) {
            run.send(0);
            begun.await();
            for (int n = 1; n <= 5_000; n++) {
                run.send(n);
            }
            goOn.countDown();
            run.finish();
            List<Integer> results = new ArrayList<>();
            run.forEach(results::add);
            assertEquals(List.of(0, 5_000), results);
            assertEquals(4_999, run.report().dropped());
        }
    }

    /** Dropped items hold buffers and tickets, are on a cycle, and have a place in the order. */
    @Test
    void aDroppedItemLeavesNothing() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("buffers", g -> {
            MemoryEdge<int[]> first = g.memory("first", 3, () -> new int[1]);
            MemoryEdge<int[]> second = g.memory("second", 1, () -> new int[1]);
            FlowTask<Integer, Handle<int[]>> take = g.<Integer, Handle<int[]>>task("take", 2, () -> (n, out) -> {
                        Handle<int[]> buffer = out.take(first, ReleaseRule.after(1));
                        buffer.value()[0] = n;
                        out.emit(buffer);
                    })
                    .takes(first);
            FlowTask<Handle<int[]>, Handle<int[]>> skip = g.<Handle<int[]>, Handle<int[]>>map("skip", 2, its -> its)
                    .queue(() -> new Newest<>(1))
                    .ordered();
            FlowTask<Handle<int[]>, Integer> give = g.<Handle<int[]>, Integer>task("give", 2, () -> (buffer, out) -> {
                        out.release(out.take(second));
                        out.emit(buffer.value()[0]);
                        out.release(buffer);
                    })
                    .takes(second)
                    .releases(first)
                    .releases(second);
            FlowTask<Integer, Integer> round = g.<Integer, Integer>map("round", 2, n -> n + 1_000)
                    .queue(() -> new Newest<>(2))
                    .terminatedWhen(progress -> progress.cycleDrained());
            FlowTask<Integer, Integer> again = g.filter("again", 1, n -> n < 3_000);
            g.input().to(take).to(skip).to(give).to(round).to(again).to(round);
            round.to(g.output());
        });
        assertTrue(graph.check().isFine(), graph.check().toString());
        long dropped = 0;
        for (long seed = 0; seed < 100; seed++) {
            try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(seed))) {
                RandomFlowTest.feed(run, new SeededWorkers(seed), seed, FlowTest.numbers(40));
                run.finish();
                run.await();
                RandomFlow.checkNothingIsLost(run);
                assertEquals(List.of(), run.report().outstanding());
                dropped += run.report().dropped();
            }
        }
        assertTrue(dropped > 100, dropped + " items were dropped");
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (int i = 0; i < 30; i++) {
                assertTrue(results(graph, workers, 300, -1).size() > 0);
            }
        }
    }

    @Test
    void eachRunAndEachCopyOfAPipelineHasItsQueue() {
        FlowGraph<Integer, Integer> inner = graph(() -> new Newest<>(2));
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "pipeline", g -> g.input().to(g.pipeline("copies", inner, 3)).to(g.output()));
        for (int i = 0; i < 3; i++) {
            List<Integer> results = results(graph, new SeededWorkers(i), 9, -1);
            assertTrue(results.containsAll(List.of(8, 7, 6)), results.toString());
        }
    }

    @Test
    void aQueueThatFailsOrLosesItemsFailsTheRun() {
        AtomicReference<FlowRun<Integer, Integer>> current = new AtomicReference<>();
        Map<String, Supplier<WaitingItems<Integer>>> queues = Map.of(
                "item 3 is refused", () -> new Faulty(3, null),
                "next() returned null, and 3 items wait", () -> new Faulty(-1, null),
                "is used by the queue of its own task", () -> new Faulty(-1, current));
        queues.forEach((problem, queue) -> {
            FlowRun<Integer, Integer> run = graph(queue).start(new SeededWorkers(1));
            current.set(run);
            try (run) {
                FlowFailedException failed = assertThrows(FlowFailedException.class, () -> {
                    for (int n = 1; n <= 3; n++) {
                        run.send(n);
                    }
                    run.finish();
                    run.await();
                });
                assertTrue(String.valueOf(failed.getCause()).contains(problem), problem + ": " + failed);
                assertTrue(failed.toString().contains("queue"), failed.toString());
            }
        });
    }

    /** Refuses an item, uses the run, or forgets all items. */
    record Faulty(int refused, @Nullable AtomicReference<FlowRun<Integer, Integer>> run)
            implements WaitingItems<Integer> {
        @Override
        public void add(Integer item, Consumer<? super Integer> dropped) {
            if (item == refused) {
                throw new IllegalArgumentException("item " + item + " is refused");
            }
            if (run != null) {
                Objects.requireNonNull(run.get()).send(item);
            }
        }

        @Override
        public @Nullable Integer next(Consumer<? super Integer> dropped) {
            return null;
        }
    }

    @Test
    void badQueuesAreFoundBeforeTheRun() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("bad", g -> {
            MemoryEdge<int[]> memory = g.memory("memory", 1, () -> new int[1]);
            FlowTask<Integer, Integer> work = g.map("work", 1, n -> n);
            work.queue(() -> new Newest<>(1))
                    .priority(Integer::compare)
                    .takes(memory)
                    .releases(memory);
            g.input().to(work).to(g.output());
        });
        assertEquals(
                List.of(
                        "task \"work\" has a priority and a queue: leave one of the two out",
                        "task \"work\" has a queue, and takes buffers, for which its items wait in their own order: put"
                                + " a task with the queue before it"),
                graph.check().problems());
        IllegalStateException dry = assertThrows(
                IllegalStateException.class, () -> graph(() -> new Newest<>(1)).dryRun(List.of(1)));
        assertTrue(dry.toString().contains("it has a queue of its own"), dry.toString());
    }
}

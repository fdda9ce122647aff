package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.EvictionPolicy;
import dev.jacquard.flow.memory.KeyedEdge;
import dev.jacquard.flow.memory.KeyedEdge.Loader;
import dev.jacquard.flow.memory.MemoryEdge.Allocator;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory edges that lend by key. */
@Timeout(180)
class KeyedMemoryTest {
    private final List<Integer> loaded = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger allocated = new AtomicInteger();
    private final AtomicInteger freed = new AtomicInteger();
    private final List<KeyedEdge<Integer, int[]>> edges = new ArrayList<>();

    private final class Counting implements Allocator<int[]> {
        @Override
        public int[] allocate() {
            allocated.incrementAndGet();
            return new int[1];
        }

        @Override
        public void free(int[] buffer) {
            freed.incrementAndGet();
        }
    }

    private void load(Integer key, int[] buffer) throws IOException {
        if (key < 0) {
            throw new IOException("no file " + key);
        }
        loaded.add(key);
        buffer[0] = key;
    }

    /** Adds up the buffers of {@code window} keys from each item on; a later task releases them. */
    private FlowGraph<Integer, Integer> windows(
            int window, int size, int copies, Consumer<KeyedEdge<Integer, int[]>> options) {
        return windows(window, size, copies, (key, buffer, item) -> load(key, buffer), options);
    }

    private FlowGraph<Integer, Integer> windows(
            int window,
            int size,
            int copies,
            Loader<Integer, int[]> loader,
            Consumer<KeyedEdge<Integer, int[]>> options) {
        return FlowGraph.build("windows", g -> {
            KeyedEdge<Integer, int[]> rows = g.keyed("rows", size, new Counting(), loader);
            options.accept(rows);
            edges.add(rows);
            FlowTask<Integer, List<Handle<int[]>>> take = g.task("take", copies, () -> (from, out) -> {
                List<Handle<int[]>> its = new ArrayList<>();
                for (int i = 0; i < window; i++) {
                    its.add(out.take(rows, from + i));
                }
                out.emit(its);
            });
            FlowTask<List<Handle<int[]>>, Integer> add = g.task("add", copies, () -> (its, out) -> {
                int from = its.getFirst().value()[0];
                for (int i = 0; i < its.size(); i++) {
                    if (its.get(i).value()[0] != from + i) {
                        throw new AssertionError("a lent buffer was loaded with another key");
                    }
                    out.release(its.get(i));
                }
                out.emit(from);
            });
            g.input()
                    .to(take.takes(rows, window).onError((item, failure, out) -> {
                        if (item >= 0) {
                            throw failure;
                        }
                    }))
                    .to(add.releases(rows))
                    .to(g.output());
        });
    }

    private static List<Integer> results(FlowRun<Integer, Integer> run, int... items) {
        for (int item : items) {
            run.send(item);
        }
        run.finish();
        List<Integer> results = new ArrayList<>();
        run.forEach(results::add);
        results.sort(null);
        return results;
    }

    private static int[] upTo(int count) {
        return FlowTest.numbers(count).stream().mapToInt(Integer::intValue).toArray();
    }

    @Test
    void aSlidingWindowLoadsEachKeyOnce() {
        for (long seed = 0; seed < 50; seed++) {
            loaded.clear();
            try (FlowRun<Integer, Integer> run = windows(3, 4, 1, rows -> {}).start(new SeededWorkers(seed))) {
                assertEquals(FlowTest.numbers(20), results(run, upTo(20)));
                assertEquals(22, run.profile().memories().getFirst().loads());
                assertTrue(run.profile().toSvg().contains("wait, loads"));
            }
            assertEquals(FlowTest.numbers(22), loaded);
        }
        assertEquals(allocated.get(), freed.get());
    }

    @Test
    void lentBuffersKeepTheirKeysWhereverItemsRun() {
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (int i = 0; i < 60; i++) {
                FlowGraph<Integer, Integer> graph = windows(1 + i % 3, 3 + i % 5, 3, rows -> {});
                FlowRun.Options options = i % 2 == 0
                        ? FlowRun.Options.defaults()
                        : FlowRun.Options.defaults().withDedicatedThreads();
                int[] items = new int[200];
                for (int j = 0; j < items.length; j++) {
                    items[j] = j * (7 + i) % 11;
                }
                try (FlowRun<Integer, Integer> run = graph.start(workers, options)) {
                    assertEquals(items.length, results(run, items).size());
                    assertTrue(run.profile().memories().getFirst().peak() <= 3 + i % 5);
                }
            }
        }
        assertEquals(allocated.get(), freed.get());
    }

    @Test
    void anItemWithAKeyThatCannotBeLoadedIsDroppedOrFailsTheRun() {
        FlowGraph<Integer, Integer> graph = windows(1, 2, 2, rows -> {});
        for (long seed = 0; seed < 30; seed++) {
            try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(seed))) {
                assertEquals(List.of(1, 2, 3), results(run, 1, -1, 2, -1, 3, -2));
                assertEquals(3, run.report().dropped());
            }
        }
        FlowFailedException failed = assertThrows(FlowFailedException.class, () -> {
            FlowGraph<Integer, Integer> fails = windows(
                    1,
                    2,
                    1,
                    (key, buffer, item) -> {
                        throw new IOException("no file " + key);
                    },
                    rows -> {});
            try (FlowRun<Integer, Integer> run = fails.start(new SeededWorkers(1))) {
                results(run, 5);
            }
        });
        assertMentions(failed, "key 5 of memory edge \"rows\" cannot be loaded: java.io.IOException: no file 5");
        assertEquals(allocated.get(), freed.get());
    }

    /** Evicts the largest key, and counts the takes. */
    private static final class Largest implements EvictionPolicy<Integer> {
        private int taken;

        @Override
        public Integer victim(SequencedSet<Integer> idle) {
            return Collections.max(idle);
        }

        @Override
        public void taken(Integer key) {
            taken++;
        }
    }

    @Test
    void thePolicyOfTheUserDecides() {
        List<Largest> policies = new ArrayList<>();
        FlowGraph<Integer, Integer> graph = windows(
                1,
                2,
                1,
                rows -> rows.evicts(() -> {
                    policies.add(new Largest());
                    return policies.getLast();
                }));
        for (int i = 1; i <= 2; i++) {
            loaded.clear();
            try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1))) {
                run.send(1);
                assertEquals(1, run.iterator().next());
                run.send(5);
                assertEquals(5, run.iterator().next());
                run.send(3);
                assertEquals(3, run.iterator().next());
                assertEquals(List.of(1), results(run, 1));
            }
            assertEquals(List.of(1, 5, 3), loaded);
            assertEquals(i, policies.size());
            assertEquals(4, policies.getLast().taken);
        }
    }

    private void assertFails(FlowGraph<Integer, Integer> graph, String message, int... items) {
        FlowFailedException failed = assertThrows(FlowFailedException.class, () -> {
            try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1))) {
                results(run, items);
            }
        });
        assertMentions(failed, message);
        assertEquals(allocated.get(), freed.get());
    }

    @Test
    void aPolicyThatThrowsOrChoosesALentKeyFailsTheItem() {
        assertFails(
                windows(
                        1,
                        1,
                        1,
                        rows -> rows.evicts(() -> idle -> {
                            throw new IllegalArgumentException("undecided");
                        })),
                "the eviction policy of memory edge \"rows\" failed: java.lang.IllegalArgumentException: undecided",
                1,
                2);
        assertFails(
                windows(1, 1, 1, rows -> rows.evicts(() -> idle -> 9)),
                "the eviction policy of memory edge \"rows\" chose key 9, which is lent or not there: "
                        + "choose one of the idle keys [1]",
                1,
                2);
    }

    /** A large memory of 4 rows before a small one of 2. */
    private FlowGraph<Integer, Integer> hierarchy(boolean ordered, boolean declared) {
        return FlowGraph.build("hierarchy", g -> {
            List<KeyedEdge<Integer, int[]>> host = new ArrayList<>();
            Loader<Integer, int[]> copies = (key, buffer, item) -> {
                Handle<int[]> from = item.take(host.getFirst(), key);
                buffer[0] = from.value()[0];
                item.release(from);
            };
            KeyedEdge<Integer, int[]> small = ordered ? null : g.keyed("small", 2, new Counting(), copies);
            host.add(g.keyed("large", 4, new Counting(), (key, buffer, item) -> load(key, buffer)));
            KeyedEdge<Integer, int[]> device = small == null ? g.keyed("small", 2, new Counting(), copies) : small;
            FlowTask<Integer, Integer> use = g.task("use", 2, () -> (key, out) -> {
                Handle<int[]> row = out.take(device, key);
                out.emit(row.value()[0]);
                out.release(row);
            });
            use.takes(device).releases(device).releases(host.getFirst());
            FlowTask<Integer, Integer> other = g.task("other", 1, () -> (key, out) -> {
                Handle<int[]> row = out.take(host.getFirst(), key);
                out.release(row);
                out.emit(key);
            });
            if (declared) {
                use.takes(host.getFirst());
            }
            g.input().to(use).to(other.takes(host.getFirst())).to(g.output());
        });
    }

    @Test
    void aLoaderTakesFromAnEdgeThatWasMadeBefore() {
        for (long seed = 0; seed < 30; seed++) {
            loaded.clear();
            try (FlowRun<Integer, Integer> run = hierarchy(true, true).start(new SeededWorkers(seed))) {
                assertEquals(
                        12, results(run, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3).size());
                assertTrue(run.profile().memories().getLast().loads() >= 4);
            }
            loaded.sort(null);
            assertEquals(List.of(0, 1, 2, 3), loaded);
        }
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (int i = 0; i < 30; i++) {
                try (FlowRun<Integer, Integer> run = hierarchy(true, true).start(workers)) {
                    assertEquals(
                            12, results(run, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3).size());
                }
            }
        }
        assertFails(
                hierarchy(false, true),
                "the loader of memory edge \"small\" took from memory edge \"large\", which was not made before it",
                1);
        assertFails(
                hierarchy(true, false),
                "task \"use\" took more of memory edge \"large\" than it declared: declare it with takes(edge, count),"
                        + " since a loader cannot wait",
                1);
    }

    @Test
    void aLoaderSubmitsTheTasksThatWriteData() {
        FlowGraph<Integer, Long> graph = FlowGraph.build("data", g -> {
            KeyedEdge<Integer, Data> blocks = g.keyed("blocks", 2, Layout.of(DataType.INT64, 8), (key, data, item) -> {
                loaded.add(key);
                item.graph()
                        .task("fill")
                        .writes(data)
                        .run(ctx -> ctx.memory(data).setLong(0, key));
            });
            FlowTask<Integer, Long> read = g.task("read", 2, () -> (key, out) -> {
                Handle<Data> lent = out.take(blocks, key);
                Data data = lent.value();
                long[] found = new long[1];
                out.graph()
                        .task("read")
                        .reads(data)
                        .run(ctx -> found[0] = ctx.memory(data).getLong(0));
                out.whenDone(then -> {
                    then.release(lent);
                    then.emit(found[0]);
                });
            });
            g.input().to(read.takes(blocks).releases(blocks)).to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Long> run = graph.start(session)) {
            for (int i = 0; i < 60; i++) {
                run.send(i / 4 % 5);
            }
            run.finish();
            long sum = 0;
            for (long key : run) {
                sum += key;
            }
            assertEquals(4 * (0 + 1 + 2 + 3 + 4) * 3, sum);
            assertTrue(loaded.size() >= 5 && loaded.size() < 60, loaded.toString());
        }
    }

    @Test
    void takesWithoutAKeyOrFromOutsideAreRefused() {
        FlowGraph<Integer, Integer> graph = windows(1, 2, 1, rows -> {});
        try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1))) {
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> run.take(edges.getFirst(), ReleaseRule.once())),
                    "memory edge \"rows\" lends by key: take(edge, key), inside a task");
            assertEquals(List.of(1), results(run, 1));
        }
        assertThrows(UnsupportedOperationException.class, () -> edges.getFirst().dynamic());
        assertThrows(UnsupportedOperationException.class, () -> edges.getFirst().takenOutside());
    }
}

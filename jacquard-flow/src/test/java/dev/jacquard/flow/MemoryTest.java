package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.Workers;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.MemoryEdge.Allocator;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.Start;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.flow.testing.ThreadedWorkers;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class MemoryTest {
    private final List<MemoryEdge<int[]>> edges = new ArrayList<>();
    private final AtomicInteger allocated = new AtomicInteger();
    private final AtomicInteger freed = new AtomicInteger();

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

    private MemoryEdge<int[]> edge() {
        return edges.getFirst();
    }

    /** Takes a buffer per number, and gives it to whoever fetches. */
    private FlowGraph<Integer, Handle<int[]>> lender(int size, boolean declared) {
        return FlowGraph.build("lender", g -> {
            MemoryEdge<int[]> edge =
                    g.memory("blocks", size, new Counting()).releasedOutside().takenOutside();
            edges.add(edge);
            FlowTask<Integer, Handle<int[]>> take = g.task("take", 1, () -> (n, out) -> {
                Handle<int[]> handle = out.take(edge);
                handle.value()[0] = n;
                out.emit(handle);
            });
            g.input().to(declared ? take.takes(edge) : take).to(g.output());
        });
    }

    @Test
    void codeOutsideReleasesWhatAResultCarries() {
        try (FlowRun<Integer, Handle<int[]>> run = lender(2, true).start(new SeededWorkers(1))) {
            FlowTest.numbers(50).forEach(run::send);
            run.finish();
            int next = 0;
            for (Handle<int[]> block : run) {
                assertEquals(next++, block.value()[0]);
                run.release(block);
            }
            assertEquals(50, next);
            FlowProfile.Memory memory = run.profile().memories().getFirst();
            assertEquals(50, memory.taken());
            assertTrue(memory.peak() <= 2);
        }
        assertEquals(2, allocated.get());
        assertEquals(2, freed.get());
    }

    @Test
    void aDynamicEdgeAllocatesAtEachTake() {
        FlowGraph<Integer, Handle<int[]>> graph = lender(2, true);
        edge().dynamic();
        try (FlowRun<Integer, Handle<int[]>> run = graph.start(new SeededWorkers(1))) {
            assertEquals(0, allocated.get());
            FlowTest.numbers(50).forEach(run::send);
            run.finish();
            for (Handle<int[]> block : run) {
                assertTrue(allocated.get() - freed.get() <= 2);
                run.release(block);
            }
        }
        assertEquals(50, allocated.get());
        assertEquals(50, freed.get());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @SuppressWarnings("NullAway") // on purpose
    void anAllocatorThatMakesNothingIsNamed(boolean dynamic) {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("nothing", g -> {
            g.types(Integer.class, Integer.class);
            MemoryEdge<int[]> blocks = g.memory("blocks", 2, () -> null);
            if (dynamic) {
                blocks.dynamic();
            }
            FlowTask<Integer, Integer> take = g.task("take", 1, () -> (item, out) -> out.release(out.take(blocks)));
            g.input().to(take.takes(blocks).releases(blocks)).to(g.output());
        });
        FlowFailedException failed = assertThrows(FlowFailedException.class, () -> {
            try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1))) {
                run.send(1);
                run.finish();
                run.await();
            }
        });
        assertMentions(failed, "the allocator of memory edge \"blocks\" made no buffer but null");
    }

    @Test
    void aBufferThatIsNeverReleasedIsNamedAtTheEnd() {
        FlowRun<Integer, Handle<int[]>> run = lender(2, true).start(new SeededWorkers(1));
        run.send(1);
        run.finish();
        run.await();
        IllegalStateException leak = assertThrows(IllegalStateException.class, run::close);
        assertEquals(
                "flow \"lender\" is done, and these buffers were never released: blocks[0] (taken by take copy 0)",
                leak.getMessage());
        assertEquals(allocated.get(), freed.get());
    }

    @Test
    void aSecondReleaseAndAForeignBufferAreErrors() {
        FlowGraph<Integer, Handle<int[]>> graph = lender(2, true);
        try (FlowRun<Integer, Handle<int[]>> run = graph.start(new SeededWorkers(1))) {
            run.send(7);
            run.finish();
            Handle<int[]> block = run.iterator().next();
            run.release(block);
            String twice = assertThrows(IllegalStateException.class, () -> run.release(block))
                    .toString();
            assertTrue(twice.contains("\"blocks[0]\" was released, but it was free already"), twice);
            Handle<String> foreign = new Handle<>("mine", "me", "value");
            assertThrows(IllegalArgumentException.class, () -> run.release(foreign));
            try (FlowRun<Integer, Handle<int[]>> other = graph.start(new SeededWorkers(1))) {
                assertThrows(IllegalArgumentException.class, () -> other.release(block));
            }
        }
    }

    @Test
    void aSharedTaskMustDeclareWhatItTakes() {
        try (FlowRun<Integer, Handle<int[]>> run = lender(2, false).start(new SeededWorkers(1))) {
            run.send(1);
            run.finish();
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            assertEquals(
                    "java.lang.IllegalStateException: task \"take\" took more of memory edge \"blocks\" than it declared: "
                            + "declare it with takes(edge, count), or make the task dedicated",
                    String.valueOf(failed.getCause()));
        }
    }

    @Test
    void aDedicatedTaskThatDeclaresNothingWaits() {
        try (ThreadedWorkers workers = new ThreadedWorkers(1)) {
            FlowGraph<Integer, Handle<int[]>> graph = lender(1, false);
            try (FlowRun<Integer, Handle<int[]>> run =
                    graph.start(workers, FlowRun.Options.defaults().withDedicatedThreads())) {
                FlowTest.numbers(200).forEach(run::send);
                run.finish();
                int next = 0;
                for (Handle<int[]> block : run) {
                    assertEquals(next++, block.value()[0]);
                    run.release(block);
                }
                assertEquals(200, next);
                assertEquals(1, run.profile().memories().getFirst().peak());
            }
        }
    }

    @Test
    void codeOutsideWaitsInLineAndTheLineEndsWithTheRun() throws InterruptedException {
        try (ThreadedWorkers workers = new ThreadedWorkers(1);
                FlowRun<Integer, Handle<int[]>> run = lender(1, true).start(workers)) {
            Handle<int[]> first = run.take(edge(), ReleaseRule.once());
            Thread waiter = Thread.ofPlatform().start(() -> run.release(run.take(edge(), ReleaseRule.once())));
            run.release(first);
            waiter.join();
            Handle<int[]> second = run.take(edge(), ReleaseRule.once());
            AtomicInteger cancelled = new AtomicInteger();
            Thread other = Thread.ofPlatform().start(() -> {
                try {
                    run.take(edge(), ReleaseRule.once());
                } catch (CancellationException e) {
                    cancelled.incrementAndGet();
                }
            });
            Thread interrupted = Thread.ofPlatform()
                    .start(() ->
                            assertThrows(WaitInterruptedException.class, () -> run.take(edge(), ReleaseRule.once())));
            interrupted.interrupt();
            interrupted.join();
            run.cancel();
            other.join();
            assertEquals(1, cancelled.get());
            run.release(second);
        }
    }

    /** A grid of tiles: each tile's transform is needed by the pairs with its neighbours, and freed after the last. */
    private record Tile(int row, int column) {}

    private record Transform(Tile tile, Handle<int[]> buffer) {}

    private record Pair(Transform one, Transform two) {}

    private static final class Neighbours implements Rule<Transform, Pair> {
        private final Map<Tile, Transform> seen = new HashMap<>();

        @Override
        public void apply(Transform here, int pipeline, Emitter<Pair> out) {
            Tile tile = here.tile();
            seen.put(tile, here);
            for (Tile near : List.of(
                    new Tile(tile.row() - 1, tile.column()),
                    new Tile(tile.row() + 1, tile.column()),
                    new Tile(tile.row(), tile.column() - 1),
                    new Tile(tile.row(), tile.column() + 1))) {
                Transform there = seen.get(near);
                if (there != null) {
                    out.emit(new Pair(there, here));
                }
            }
        }
    }

    private static int pairsOf(Tile tile, int rows, int columns) {
        return (tile.row() > 0 ? 1 : 0)
                + (tile.row() < rows - 1 ? 1 : 0)
                + (tile.column() > 0 ? 1 : 0)
                + (tile.column() < columns - 1 ? 1 : 0);
    }

    private static FlowGraph<Tile, Pair> stitching(int rows, int columns, int pool) {
        return FlowGraph.build("grid", g -> {
            MemoryEdge<int[]> transforms = g.memory("transforms", pool, () -> new int[1]);
            FlowTask<Tile, Transform> transform = g.task(
                    "transform",
                    3,
                    () -> (tile, out) -> out.emit(new Transform(
                            tile, out.take(transforms, ReleaseRule.after(pairsOf(tile, rows, columns))))));
            FlowTask<Pair, Pair> correlate = g.task("correlate", 2, () -> (pair, out) -> {
                out.release(pair.one().buffer());
                out.release(pair.two().buffer());
                out.emit(pair);
            });
            Bookkeeper<Transform> neighbours = g.bookkeeper("neighbours");
            g.input().to(transform.takes(transforms)).to(neighbours);
            neighbours
                    .rulePerRun(Neighbours::new)
                    .to(correlate.releases(transforms))
                    .to(g.output());
        });
    }

    private static void stitch(FlowGraph<Tile, Pair> graph, Workers workers, int pool) {
        try (FlowRun<Tile, Pair> run = graph.start(workers)) {
            for (int row = 0; row < 8; row++) {
                for (int column = 0; column < 5; column++) {
                    run.send(new Tile(row, column));
                }
            }
            run.finish();
            int pairs = 0;
            for (Pair pair : run) {
                pairs += pair.one().equals(pair.two()) ? 0 : 1;
            }
            assertEquals(7 * 5 + 8 * 4, pairs);
            assertTrue(run.profile().memories().getFirst().peak() <= pool);
        }
    }

    @Test
    void theSmallestPoolForATraversalIsEnoughInAnyOrderOfActivations() {
        int pool = 6; // row by row: a tile stays until the one below it came, so a row and one more
        for (long seed = 0; seed < 500; seed++) {
            stitch(stitching(8, 5, pool), new SeededWorkers(seed), pool);
        }
        for (int threads = 1; threads <= 2; threads++) {
            try (Session session = Session.builder().workers(threads).open()) {
                for (int i = 0; i < 100; i++) {
                    stitch(stitching(8, 5, pool), session.executor(), pool);
                }
            }
        }
        try (ThreadedWorkers workers = new ThreadedWorkers(3)) {
            for (int i = 0; i < 100; i++) {
                stitch(stitching(8, 5, pool), workers, pool);
            }
        }
    }

    @Test
    void aPoolThatIsTooSmallStandsStillUntilItIsCancelled() {
        SeededWorkers workers = new SeededWorkers(1);
        try (FlowRun<Tile, Pair> run = stitching(8, 5, 5).start(workers)) {
            for (int column = 0; column < 5; column++) {
                run.send(new Tile(0, column));
            }
            run.send(new Tile(1, 0));
            workers.runSome(Integer.MAX_VALUE);
            FlowProfile profile = run.profile();
            assertEquals(5, profile.memories().getFirst().live());
            assertEquals(1, profile.tasks().getFirst().queued());
            assertEquals(5, run.report().outstanding().size());
        }
    }

    /** Emits buffers until there were enough. */
    private static final class Lending implements Body<Start, Handle<int[]>> {
        private final MemoryEdge<int[]> edge;
        private int lent;

        Lending(MemoryEdge<int[]> edge) {
            this.edge = edge;
        }

        @Override
        public void execute(Start signal, Emitter<Handle<int[]>> out) {
            lent++;
            out.emit(out.take(edge));
        }

        @Override
        public boolean canTerminate(boolean inputClosed) {
            return lent == 100;
        }
    }

    @Test
    void aStartTaskIsHeldBackByItsMemoryEdgeAlsoInsideAnotherGraph() {
        FlowGraph<Void, Integer> inner = FlowGraph.build("inner", g -> {
            MemoryEdge<int[]> edge = g.memory("few", 2, () -> new int[1]);
            FlowTask<Handle<int[]>, Integer> release = g.task("release", 1, () -> (handle, out) -> {
                out.release(handle);
                out.emit(1);
            });
            g.start("lend", 2, () -> new Lending(edge))
                    .takes(edge)
                    .to(release.releases(edge))
                    .to(g.output());
        });
        FlowGraph<Void, Integer> outer = FlowGraph.build("outer", g -> {
            g.graph("one", inner).to(g.output());
            g.graph("two", inner).to(g.output());
        });
        for (long seed = 0; seed < 50; seed++) {
            try (FlowRun<Void, Integer> run = outer.start(new SeededWorkers(seed))) {
                run.finish();
                int results = 0;
                for (int result : run) {
                    results += result;
                }
                assertEquals(400, results);
                for (FlowProfile.Memory memory : run.profile().memories()) {
                    assertTrue(memory.peak() <= 2, memory.toString());
                    assertEquals(200, memory.taken());
                }
            }
        }
    }
}

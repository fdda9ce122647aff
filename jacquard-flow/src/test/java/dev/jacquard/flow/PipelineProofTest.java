package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.flow.memory.KeyedEdge;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.proof.Proof;
import dev.jacquard.flow.proof.Proof.Event;
import dev.jacquard.flow.proof.Proof.Verdict;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The proof for pipelines, for edges between siblings, and for edges by size and by key. */
class PipelineProofTest {
    private static final Body<Integer, Integer> PASS = (n, out) -> out.emit(n);

    private static FlowTask<Integer, Integer> task(FlowBuilder<Integer, Integer> g, String name) {
        return g.<Integer, Integer>task(name, 1, () -> PASS).types(int.class, int.class);
    }

    /** Takes one buffer, then another of the same edge, and releases both. */
    private static FlowGraph<Integer, Integer> twice(int size) {
        return FlowGraph.build("twice", g -> {
            MemoryEdge<?> blocks = g.memory("blocks", size, Layout.of(DataType.FLOAT64, 10));
            g.input()
                    .to(task(g, "first").takes(blocks).emits(1))
                    .to(task(g, "second").takes(blocks).emits(1))
                    .to(task(g, "last").releases(blocks, 2).emits(1))
                    .to(g.output());
        });
    }

    private static FlowGraph<Integer, Integer> copies(
            FlowGraph<Integer, Integer> graph, int count, Distribution<Integer> by) {
        return FlowGraph.build(
                "copies",
                g -> g.input()
                        .to(g.pipeline("copies", graph, count).distribute(by))
                        .to(g.output()));
    }

    @Test
    void eachCopyOfAPipelineIsProvedAlone() {
        for (Distribution<Integer> by : List.<Distribution<Integer>>of(
                Distribution.roundRobin(),
                Distribution.broadcast(),
                Distribution.leastLoaded(),
                Distribution.matching((n, copy) -> n % 2 == copy % 2))) {
            Proof proof = copies(twice(2), 16, by).prove();
            assertTrue(proof.isProved(), proof::toString);
            assertEquals(16, proof.memories().size());
            assertEquals(16 * 160, proof.bytes());
            assertEquals(2, proof.memories().getLast().smallest());
        }
    }

    @Test
    void aPoolOfACopyThatIsTooSmallIsRefuted() {
        Proof proof = copies(twice(1), 3, Distribution.broadcast()).prove();
        assertTrue(proof.isRefuted(), proof::toString);
        assertEquals(
                List.of(2, 2, 2),
                proof.memories().stream().map(Proof.Memory::smallest).toList());
        assertTrue(proof.refutation().contains("/second\" waits for 1 of memory edge"), proof::refutation);
    }

    @Test
    void anEventOfAPipelineHasTheCopyThatGetsTheItem() {
        Proof proof = copies(twice(1), 2, (n, loads) -> n % 2).prove();
        assertTrue(proof.isRefuted(), proof::toString); // for whichever copy
        assertEquals(
                List.of(new Event("copies", List.of(1, 0)), new Event("copies#0/first", List.of(1))),
                Objects.requireNonNull(proof.standstill()).events().subList(1, 3));
    }

    /** A copy joins items of its own. */
    private static FlowGraph<Integer, Integer> joins(int size, int items, boolean perCopy) {
        return FlowGraph.build("joins", g -> {
            MemoryEdge<int[]> blocks = g.memory("blocks", size, () -> new int[1]);
            Bookkeeper<Integer> join = g.bookkeeper("join");
            g.input().to(task(g, "read").takes(blocks).emits(1)).to(join);
            RuleOutput<Integer> rule = perCopy
                    ? join.<Integer>rulePerCopy(() -> (n, pipeline, out) -> out.emit(n))
                    : join.<Integer>rulePerRun(() -> (n, pipeline, out) -> out.emit(n));
            rule.collects(items)
                    .emits(1)
                    .to(task(g, "add").releases(blocks, items))
                    .to(g.output());
        });
    }

    @Test
    void aRuleOfACopyThatCollectsIsExamined() {
        assertTrue(copies(joins(3, 3, true), 2, (n, loads) -> n % 2).prove().isProved());
        Proof inTurn = copies(joins(2, 3, true), 2, Distribution.roundRobin()).prove();
        assertTrue(inTurn.isRefuted(), inTurn::toString); // the fifth item is the third of its copy
        assertEquals(3, inTurn.memories().getFirst().smallest());
        Proof users = copies(joins(2, 3, true), 2, (n, loads) -> n % 2).prove();
        assertEquals(List.of("the copies that the distribution of a pipeline chooses"), users.missing());
    }

    @Test
    void aRuleThatCollectsBuffersOfSeveralCopiesIsUnknown() {
        Proof proof = copies(joins(3, 3, false), 2, Distribution.roundRobin()).prove();
        assertEquals(Verdict.UNKNOWN, proof.verdict());
        assertTrue(
                proof.missing().getFirst().startsWith("bookkeeper \"copies#0/join\": a rule per copy; the copies"),
                proof::toString);
    }

    @Test
    void aRuleOfAllCopiesWithoutBuffersEmitsAtAnyItem() {
        FlowGraph<Integer, Integer> copy = FlowGraph.build("copy", g -> {
            MemoryEdge<int[]> blocks = g.memory("blocks", 2, () -> new int[1]);
            Bookkeeper<Integer> count = g.bookkeeper("count");
            g.input().to(count);
            count.<Integer>rulePerRun(() -> (n, pipeline, out) -> out.emit(n))
                    .collects(3)
                    .emits(1)
                    .to(task(g, "first").takes(blocks).emits(1))
                    .to(task(g, "second").takes(blocks).emits(1))
                    .to(task(g, "last").releases(blocks, 2))
                    .to(g.output());
        });
        assertTrue(copies(copy, 4, Distribution.roundRobin()).prove().isProved());
    }

    @Test
    void outerBuffersThatAreHeldInACopyCoupleItsPools() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("outer", g -> {
            MemoryEdge<int[]> outer = g.memory("outer", 1, () -> new int[1]);
            g.input()
                    .to(task(g, "hold").takes(outer).emits(1))
                    .to(g.pipeline("copies", twice(2), 2).distribute(Distribution.broadcast()))
                    .to(task(g, "let go").releases(outer, 1))
                    .to(g.output());
        });
        Proof proof = graph.prove();
        assertTrue(proof.isProved(), proof::toString);
    }

    @Test
    void itemsAlongSiblingsLackARate() {
        FlowGraph<Integer, Integer> copy = FlowGraph.build("copy", g -> {
            MemoryEdge<int[]> blocks = g.memory("blocks", 4, () -> new int[1]);
            SiblingEdge<Integer> next = g.siblings("next");
            FlowTask<Integer, Integer> first =
                    task(g, "first").takes(blocks).sends(next).emits(1);
            g.input().to(first).to(task(g, "last").releases(blocks, 1)).to(g.output());
            next.to(task(g, "second").takes(blocks).emits(1))
                    .to(task(g, "end").releases(blocks, 1).endsHere());
        });
        Proof proof = copies(copy, 2, Distribution.roundRobin()).prove();
        assertEquals(Verdict.UNKNOWN, proof.verdict());
        assertTrue(
                proof.missing()
                        .contains("task \"copies#0/first\": the number of items that go along \"next\" to each of its"
                                + " siblings, which no rate declares"),
                proof::toString);
    }

    // ---- sizes and keys

    /** Takes up to 100 bytes, then up to {@code more} again, and releases both. */
    private static FlowGraph<Integer, Integer> sized(int size, long bytes, long more) {
        return FlowGraph.build("sized", g -> {
            SizedEdge<byte[]> rows = g.memory("rows", size, bytes, its -> new byte[(int) its]);
            FlowTask<Integer, Integer> first =
                    task(g, "first").takes(rows, 1, 100).emits(1);
            FlowTask<Integer, Integer> second = more == 0
                    ? task(g, "second").emits(1)
                    : task(g, "second").takes(rows, 1, more).emits(1);
            g.input()
                    .to(first)
                    .to(second)
                    .to(task(g, "last").releases(rows, more == 0 ? 1 : 2))
                    .to(g.output());
        });
    }

    @Test
    void bytesAreCountedAsBuffersAre() {
        Proof enough = sized(16, 400, 0).prove();
        assertTrue(enough.isProved(), enough::toString);
        assertEquals(400, enough.bytes());
        assertTrue(sized(16, 150, 50).prove().isProved()); // by the sum of what one item takes
        Proof unknown = sized(16, 149, 50).prove();
        assertEquals(
                List.of(
                        "memory edge \"rows\": whether 149 bytes are enough, which depends on the sizes that are taken"),
                unknown.missing());
    }

    @Test
    void theNumberOfBuffersOfAnEdgeBySizeIsRefuted() {
        Proof proof = sized(1, 1_000, 100).prove();
        assertTrue(proof.isRefuted(), proof::toString);
        assertEquals(2, proof.memories().getFirst().smallest());
    }

    /** Takes two keys one after the other; some items fail, and are dropped. */
    private static FlowGraph<Integer, Integer> keyed(int size, AtomicInteger dropped) {
        return FlowGraph.build("keyed", g -> {
            KeyedEdge<Integer, int[]> tiles = g.keyed("tiles", size, () -> new int[1], (key, tile, item) -> {
                if (key == 5) {
                    throw new IllegalStateException("unreadable");
                }
                tile[0] = key;
            });
            FlowTask<Integer, Handle<int[]>> first = g.<Integer, Handle<int[]>>task(
                            "first", 2, () -> (n, out) -> out.emit(out.take(tiles, n % 7)))
                    .takes(tiles)
                    .emits(1)
                    .onError((n, failure, out) -> dropped.incrementAndGet());
            FlowTask<Handle<int[]>, List<Handle<int[]>>> second = g.<Handle<int[]>, List<Handle<int[]>>>task(
                            "second",
                            2,
                            () -> (one, out) -> out.emit(List.of(one, out.take(tiles, one.value()[0] + 1))))
                    .takes(tiles)
                    .emits(1)
                    .onError((n, failure, out) -> dropped.incrementAndGet());
            FlowTask<List<Handle<int[]>>, Integer> last = g.<List<Handle<int[]>>, Integer>task(
                            "last", 1, () -> (both, out) -> {
                                both.forEach(out::release);
                                out.emit(1);
                            })
                    .releases(tiles, 2);
            g.input().to(first).to(second).to(last).to(g.output());
        });
    }

    @Test
    void anEdgeByKeyIsProvedAsAPlainOneAndKeepsTheBoundWhileItemsAreDropped() throws Exception {
        AtomicInteger dropped = new AtomicInteger();
        assertTrue(keyed(1, dropped).prove().isRefuted());
        FlowGraph<Integer, Integer> graph = keyed(2, dropped);
        Proof proof = graph.prove();
        assertTrue(proof.isProved(), proof::toString);
        for (int seed = 0; seed < 20; seed++) {
            dropped.set(0);
            try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(seed))) {
                for (int n = 0; n < 70; n++) {
                    run.send(n);
                }
                run.finish();
                run.await(); // an AssertionError if nothing is ready
                assertEquals(20, dropped.get()); // keys 5, and 4 with 5 after it
                assertEquals(2, run.profile().memories().getFirst().peak());
            }
        }
    }

    @Test
    void aCheckSearchesAFractionOfAProof() {
        FlowGraph<Integer, Integer> graph = copies(twice(1), 3, Distribution.broadcast());
        assertFalse(graph.check().isFine());
        assertTrue(copies(twice(2), 64, Distribution.leastLoaded()).check().isFine());
    }
}

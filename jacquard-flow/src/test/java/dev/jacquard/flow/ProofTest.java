package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.proof.Proof;
import dev.jacquard.flow.proof.Proof.Verdict;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Start;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The proof before the run: verdicts, sizes and texts for graphs that a person can check. */
class ProofTest {
    private static final Body<Integer, Integer> PASS = (n, out) -> out.emit(n);

    private static FlowTask<Integer, Integer> task(FlowBuilder<Integer, Integer> g, String name) {
        return g.<Integer, Integer>task(name, 1, () -> PASS).types(int.class, int.class);
    }

    private static MemoryEdge<int[]> memory(FlowBuilder<Integer, Integer> g, String name, int size) {
        return g.memory(name, size, () -> new int[1]);
    }

    /** Takes one buffer, takes {@code more} of the same edge, and releases all. */
    private static FlowGraph<Integer, Integer> twice(int size, int more) {
        return FlowGraph.build("twice", g -> {
            MemoryEdge<int[]> blocks = memory(g, "blocks", size);
            FlowTask<Integer, Integer> first = task(g, "first").takes(blocks).emits(1);
            FlowTask<Integer, Integer> second =
                    task(g, "second").takes(blocks, more).emits(1);
            FlowTask<Integer, Integer> last = task(g, "last").releases(blocks, 1 + more);
            g.input().to(first).to(second).to(last).to(g.output());
        });
    }

    @Test
    void aPoolThatIsTooSmallForOneItemIsRefuted() {
        Proof proof = twice(2, 2).prove();
        assertTrue(proof.isRefuted());
        assertEquals(3, proof.memories().getFirst().smallest());
        assertEquals(
                "it can stand still for want of buffers: task \"second\" waits for 2 of memory edge \"blocks\", of which"
                        + " 1 are free and others are held by items that wait at task \"second\". Make memory edge"
                        + " \"blocks\" at least 3 (it has 2)",
                proof.refutation());
        assertEquals(
                List.of("an item is sent", "\"first\" works on an item, and emits 1"),
                Objects.requireNonNull(proof.standstill()).events().stream()
                        .map(Object::toString)
                        .toList());
    }

    @Test
    void theSmallestSizeIsProved() {
        Proof proof = twice(3, 2).prove();
        assertTrue(proof.isProved(), proof::toString);
        assertEquals(3, proof.memories().getFirst().smallest());
        assertEquals(3, twice(9, 2).prove().memories().getFirst().smallest());
        assertEquals(-1, proof.bytes());
    }

    @Test
    void aRefutedGraphDoesNotStart() {
        FlowGraph<Integer, Integer> graph = twice(2, 2);
        assertFalse(graph.check().isFine());
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> graph.start(new SeededWorkers(1)));
        assertTrue(String.valueOf(refused.getMessage()).contains("at least 3 (it has 2)"), refused::getMessage);
    }

    /** A rule that joins {@code items} items, each with a buffer. */
    private static FlowGraph<Integer, Integer> joined(int size, int items) {
        return FlowGraph.build("joined", g -> {
            MemoryEdge<int[]> blocks = memory(g, "blocks", size);
            FlowTask<Integer, Integer> read = task(g, "read").takes(blocks).emits(1);
            Bookkeeper<Integer> join = g.bookkeeper("join");
            FlowTask<Integer, Integer> add = task(g, "add").releases(blocks, items);
            g.input().to(read).to(join);
            join.<Integer>rulePerRun(() -> (n, pipeline, out) -> out.emit(n))
                    .collects(items)
                    .emits(1)
                    .to(add)
                    .to(g.output());
        });
    }

    @Test
    void aRuleThatJoinsItemsNeedsTheirBuffers() {
        Proof small = joined(2, 3).prove();
        assertTrue(small.isRefuted(), small::toString);
        assertEquals(3, small.memories().getFirst().smallest());
        assertTrue(small.refutation().contains("held by bookkeeper \"join\", which waits for more items"));
        assertTrue(joined(3, 3).prove().isProved());
    }

    /** Two tasks each take of both edges, in opposite orders. */
    private static FlowGraph<Integer, Integer> crossed(int size) {
        return FlowGraph.build("crossed", g -> {
            MemoryEdge<int[]> left = memory(g, "left", size);
            MemoryEdge<int[]> right = memory(g, "right", size);
            List<MemoryEdge<int[]>> edges = List.of(left, right);
            FlowTask<Integer, Integer> split = task(g, "split").emits(1);
            g.input().to(split);
            for (int i = 0; i < 2; i++) {
                FlowTask<Integer, Integer> one =
                        task(g, "one " + i).takes(edges.get(i)).emits(1);
                FlowTask<Integer, Integer> two =
                        task(g, "two " + i).takes(edges.get(1 - i)).emits(1);
                FlowTask<Integer, Integer> last =
                        task(g, "last " + i).releases(left, 1).releases(right, 1);
                split.to(one).to(two).to(last).to(g.output());
            }
        });
    }

    @Test
    void branchesOfOneItemThatTakeInOppositeOrdersComeOneAfterTheOther() {
        Proof proof = crossed(1).prove();
        assertTrue(proof.isProved(), proof::toString); // a branch that holds none waits for the one further down
    }

    @Test
    void branchesThatHoldBuffersAlreadyTakeInOppositeOrders() {
        Proof proof = FlowGraph.<Integer, Integer>build("held", g -> {
                    MemoryEdge<int[]> base = memory(g, "base", 1);
                    List<MemoryEdge<int[]>> edges = List.of(memory(g, "left", 1), memory(g, "right", 1));
                    FlowTask<Integer, Integer> split =
                            task(g, "split").takes(base).emits(1);
                    g.input().to(split);
                    for (int i = 0; i < 2; i++) {
                        split.to(task(g, "one " + i).takes(edges.get(i)).emits(1))
                                .to(task(g, "two " + i).takes(edges.get(1 - i)).emits(1))
                                .to(task(g, "last " + i)
                                        .releases(edges.get(0), 1)
                                        .releases(edges.get(1), 1)
                                        .releases(base, 1))
                                .to(g.output());
                    }
                })
                .prove();
        assertTrue(proof.isRefuted(), proof::toString); // each holds what the other waits for
        assertEquals(
                1,
                proof.memories().stream()
                        .filter(memory -> memory.smallest() > memory.size())
                        .count());
    }

    @Test
    void buffersThatNoItemAsksForAgainNeedNoNumberOfItems() {
        Proof proof = FlowGraph.<Integer, Integer>build("simple", g -> {
                    MemoryEdge<Data> blocks = g.memory("blocks", 4, Layout.of(DataType.FLOAT64, 100));
                    FlowTask<Integer, Integer> read = task(g, "read").takes(blocks, 2);
                    FlowTask<Integer, Integer> last = task(g, "last").releases(blocks, 2);
                    g.input().to(read).to(last).to(g.output());
                })
                .prove();
        assertTrue(proof.isProved(), proof::toString);
        assertEquals(2, proof.memories().getFirst().smallest());
        assertEquals(3_200, proof.bytes());
        assertEquals(
                "flow \"simple\": never stands still for want of buffers\n  memory edge \"blocks\": at most 4 buffers,"
                        + " 3200 bytes; smallest size that works: 2",
                proof.toString());
    }

    @Test
    void missingRatesAreNamed() {
        Proof noNumber = FlowGraph.<Integer, Integer>build("no number", g -> {
                    MemoryEdge<int[]> blocks = memory(g, "blocks", 4);
                    FlowTask<Integer, Integer> read = task(g, "read").takes(blocks);
                    g.input().to(read).to(task(g, "last").releases(blocks)).to(g.output());
                })
                .prove();
        assertEquals(Verdict.UNKNOWN, noNumber.verdict());
        assertEquals(List.of("task \"last\": releases(blocks, n), the number of buffers per item"), noNumber.missing());
        Proof noItems = FlowGraph.<Integer, Integer>build("no items", g -> {
                    MemoryEdge<int[]> blocks = memory(g, "blocks", 2);
                    FlowTask<Integer, Integer> read = task(g, "read").takes(blocks);
                    FlowTask<Integer, Integer> more =
                            task(g, "more").takes(blocks).emits(1);
                    g.input()
                            .to(read)
                            .to(more)
                            .to(task(g, "last").releases(blocks, 2))
                            .to(g.output());
                })
                .prove();
        assertEquals(List.of("task \"read\": emits(n), the number of items per item"), noItems.missing());
        Proof leak = FlowGraph.<Integer, Integer>build("leak", g -> {
                    MemoryEdge<int[]> blocks = memory(g, "blocks", 4);
                    FlowTask<Integer, Integer> read =
                            task(g, "read").takes(blocks, 2).emits(1);
                    g.input().to(read).to(task(g, "last").releases(blocks, 1)).to(g.output());
                })
                .prove();
        assertEquals(
                List.of(
                        "task \"last\": releases(blocks, n); items bring 2, and at most 1 of these are released here and"
                                + " further down"),
                leak.missing());
    }

    @Test
    void aGraphOfUnknownLivenessStarts() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("outside", g -> {
            MemoryEdge<int[]> blocks = memory(g, "blocks", 4).takenOutside();
            FlowTask<Integer, Integer> read = task(g, "read").takes(blocks).emits(1);
            g.input().to(read).to(task(g, "last").releases(blocks, 1)).to(g.output());
        });
        assertEquals(Verdict.UNKNOWN, graph.prove().verdict());
        assertTrue(graph.check().isFine());
    }

    @Test
    void aStatedSmallestSizeThatIsTooSmallIsNotProved() {
        Proof proof = FlowGraph.<Integer, Integer>build("stated", g -> {
                    MemoryEdge<int[]> blocks = memory(g, "blocks", 4).atLeast(1, "one item");
                    FlowTask<Integer, Integer> first =
                            task(g, "first").takes(blocks).emits(1);
                    FlowTask<Integer, Integer> second =
                            task(g, "second").takes(blocks).emits(1);
                    g.input()
                            .to(first)
                            .to(second)
                            .to(task(g, "last").releases(blocks, 2))
                            .to(g.output());
                })
                .prove();
        assertEquals(
                List.of("memory edge \"blocks\": atLeast(1) is not proved to be enough for one item after the other"),
                proof.missing());
    }

    @Test
    void theOrderOfAComparatorIsNotPlayed() {
        Proof proof = FlowGraph.<Integer, Integer>build("ordered", g -> {
                    MemoryEdge<int[]> blocks = memory(g, "blocks", 1);
                    FlowTask<Integer, Integer> first =
                            task(g, "first").takes(blocks).emits(1).priority(Comparator.naturalOrder());
                    FlowTask<Integer, Integer> second =
                            task(g, "second").takes(blocks).emits(1);
                    g.input()
                            .to(first)
                            .to(second)
                            .to(task(g, "last").releases(blocks, 2))
                            .to(g.output());
                })
                .prove();
        assertEquals(List.of("task \"first\": its comparator decides"), proof.missing());
    }

    @Test
    void aBufferThatTravelsAroundACycleIsFollowed() {
        Proof proof = FlowGraph.<Integer, Integer>build("around", g -> {
                    MemoryEdge<int[]> blocks = memory(g, "blocks", 1);
                    FlowTask<Integer, Integer> read =
                            task(g, "read").takes(blocks).emits(1);
                    FlowTask<Integer, Integer> turn =
                            task(g, "turn").emits(1).terminatedWhen(Termination.whenDrained());
                    Bookkeeper<Integer> choose = g.bookkeeper("choose");
                    FlowTask<Integer, Integer> last = task(g, "last").releases(blocks, 1);
                    g.input().to(read).to(turn).to(choose);
                    choose.<Integer>rule((n, pipeline, out) -> {}).emits(0, 1).to(turn);
                    choose.<Integer>rule((n, pipeline, out) -> {})
                            .emits(0, 1)
                            .to(last)
                            .to(g.output());
                })
                .prove();
        assertTrue(proof.isProved(), proof::toString);
    }

    @Test
    void aCycleThatTakesMoreAndMoreIsUnknown() {
        Proof proof = FlowGraph.<Integer, Integer>build("growing", g -> {
                    MemoryEdge<int[]> blocks = memory(g, "blocks", 2);
                    FlowTask<Integer, Integer> turn =
                            task(g, "turn").takes(blocks).emits(1).terminatedWhen(Termination.whenDrained());
                    FlowTask<Integer, Integer> again = task(g, "again").emits(0, 1);
                    g.input().to(turn).to(again).to(turn);
                    again.to(task(g, "last").releases(blocks, 2)).to(g.output());
                })
                .prove();
        assertEquals(Verdict.UNKNOWN, proof.verdict());
    }

    @Test
    void aStartTaskIsASourceOfItems() {
        Proof proof = FlowGraph.<Integer, Integer>build("started", g -> {
                    MemoryEdge<int[]> blocks = memory(g, "blocks", 1);
                    FlowTask<Start, Integer> start = g.<Integer>start("start", 2, () -> (signal, out) -> out.emit(1))
                            .types(Start.class, int.class)
                            .emits(1);
                    FlowTask<Integer, Integer> first =
                            task(g, "first").takes(blocks).emits(1);
                    FlowTask<Integer, Integer> second =
                            task(g, "second").takes(blocks).emits(1);
                    g.input().to(first);
                    start.to(first)
                            .to(second)
                            .to(task(g, "last").releases(blocks, 2))
                            .to(g.output());
                })
                .prove();
        assertTrue(proof.isRefuted(), proof::toString);
        assertEquals(2, proof.memories().getFirst().smallest());
    }

    @Test
    void aGraphWithoutMemoryEdgesIsProved() {
        Proof proof = FlowGraph.<Integer, Integer>build(
                        "none", g -> g.input().to(task(g, "one")).to(g.output()))
                .prove();
        assertTrue(proof.isProved());
        assertEquals(0, proof.bytes());
    }

    @Test
    void wrongNumbersAreRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> FlowGraph.<Integer, Integer>build("x", g -> task(g, "a").emits(-1)));
        assertThrows(
                IllegalArgumentException.class,
                () -> FlowGraph.<Integer, Integer>build("x", g -> task(g, "a").emits(3, 2)));
        assertThrows(
                IllegalArgumentException.class,
                () -> FlowGraph.<Integer, Integer>build("x", g -> task(g, "a").releases(memory(g, "blocks", 1), 0)));
        assertThrows(
                IllegalArgumentException.class,
                () -> FlowGraph.<Integer, Integer>build(
                        "x",
                        g -> g.<Integer>bookkeeper("keep")
                                .<Integer>rule((n, pipeline, out) -> {})
                                .collects(0)));
    }
}

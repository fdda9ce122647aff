package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.proof.DryRun;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.Termination;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Dry runs: pools, times and paths of graphs that a person can check. No body is ever called. */
class DryRunTest {
    /** A body that must not be called. */
    private static <A, B> Body<A, B> never() {
        return (item, out) -> {
            throw new AssertionError("a body was called");
        };
    }

    private record Block(int id, Handle<int[]> buffer) {}

    private record Pair(Block a, Block b) {}

    /** Pairs the blocks of one number, of the two matrices that are read. */
    private static final class Pairing implements Rule<Block, Pair> {
        private final int blocks;
        private final Map<Integer, Block> waiting = new HashMap<>();

        Pairing(int blocks) {
            this.blocks = blocks;
        }

        @Override
        public void apply(Block block, int pipeline, Emitter<Pair> out) {
            Block other = waiting.remove(block.id % blocks);
            if (other == null) {
                waiting.put(block.id % blocks, block);
            } else {
                out.emit(new Pair(other, block));
            }
        }
    }

    private static FlowGraph<Integer, Integer> hadamard(int size, int blocks) {
        return FlowGraph.build("hadamard", g -> {
            MemoryEdge<int[]> memory = g.memory("blocks", size, () -> new int[1]);
            FlowTask<Integer, Block> read = g.<Integer, Block>task("read", 2, DryRunTest::never)
                    .takes(memory)
                    .dry((id, out) -> out.emit(new Block(id, out.take(memory))))
                    .costs(id -> 10);
            Bookkeeper<Block> pair = g.bookkeeper("pair");
            FlowTask<Pair, Integer> multiply = g.<Pair, Integer>task("multiply", 1, DryRunTest::never)
                    .releases(memory)
                    .dry((both, out) -> {
                        out.release(both.a.buffer);
                        out.release(both.b.buffer);
                        out.emit(both.a.id);
                    })
                    .costs(both -> 5);
            g.input().to(read).to(pair);
            pair.rulePerRun(() -> new Pairing(blocks)).to(multiply).to(g.output());
        });
    }

    @Test
    void theSmallestPoolDependsOnTheOrder() {
        int blocks = 6;
        List<Integer> oneMatrixFirst = IntStream.range(0, 2 * blocks).boxed().toList();
        List<Integer> inTurns = IntStream.range(0, 2 * blocks)
                .mapToObj(i -> i / 2 + i % 2 * blocks)
                .toList();
        assertEquals(
                7,
                hadamard(9, blocks).dryRun(oneMatrixFirst).memories().getFirst().smallest());
        DryRun found = hadamard(9, blocks).dryRun(inTurns);
        assertEquals(2, found.memories().getFirst().smallest());
        assertEquals(2, found.memories().getFirst().peak());
        assertEquals(blocks, found.results());
        assertTrue(found.works());
    }

    @Test
    void aPoolThatIsTooSmallForAnOrderIsNamed() {
        FlowGraph<Integer, Integer> graph = hadamard(4, 6);
        List<Integer> order = IntStream.range(0, 12).boxed().toList();
        assertEquals(
                List.of("memory edge \"blocks\" has 4 buffers, and items in this order need 7"),
                graph.check(order).problems());
        assertFalse(graph.dryRun(order).works());
        assertEquals(-1, graph.dryRun(order).time().nanos());
        assertTrue(graph.check(List.of(0, 6, 1, 7)).isFine());
    }

    @Test
    void timesFollowFromWorkersCopiesAndBuffers() {
        List<Integer> order = List.of(0, 4, 1, 5, 2, 6, 3, 7);
        assertEquals(100, hadamard(8, 4).dryRun(order).time().nanos()); // 8 x 10 + 4 x 5, one after the other
        assertEquals(55, hadamard(8, 4).dryRun(order, 2).time().nanos()); // one of the workers has to wait in the end
        assertEquals(45, hadamard(8, 4).dryRun(order, 3).time().nanos()); // two copies read for 40, the last pair
        assertEquals(60, hadamard(2, 4).dryRun(order, 3).time().nanos()); // a pair at a time
        DryRun.Time critical = hadamard(2, 4).dryRun(order).time();
        assertEquals(15, critical.criticalNanos());
        assertEquals(List.of("read", "multiply"), critical.criticalPath());
    }

    @Test
    void aTaskWithoutAMapIsNamed() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "bare",
                g -> g.input()
                        .to(g.task("one", 1, DryRunTest::<Integer, Integer>never))
                        .to(g.output()));
        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> graph.dryRun(List.of(1)));
        assertTrue(
                String.valueOf(refused.getMessage()).contains("task \"one\" has no dry map: add dry(item -> outputs)"),
                refused::getMessage);
        assertThrows(IllegalArgumentException.class, () -> graph.dryRun(List.of(1), 0));
    }

    @Test
    void buffersThatAreNeverReleasedAreNamed() {
        DryRun found = FlowGraph.<Integer, Integer>build("lossy", g -> {
                    MemoryEdge<int[]> memory =
                            g.memory("blocks", 3, () -> new int[1]).releasedOutside();
                    FlowTask<Integer, Integer> task = g.<Integer, Integer>task("take", 1, DryRunTest::never)
                            .takes(memory)
                            .dry((n, out) -> {
                                Handle<int[]> buffer = out.take(memory, ReleaseRule.after(2));
                                out.release(buffer);
                                out.emit(n);
                            });
                    g.input().to(task).to(g.output());
                })
                .dryRun(List.of(1, 2));
        assertEquals(2, found.lost().size());
        assertTrue(found.lost().getFirst().contains("taken by take copy 0"), found.lost()::toString);
    }

    @Test
    void aMapThatThrowsFailsTheDryRun() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "failing",
                g -> g.input()
                        .to(g.<Integer, Integer>task("divide", 1, DryRunTest::never)
                                .dry(n -> List.of(1 / n)))
                        .to(g.output()));
        assertEquals(1, graph.dryRun(List.of(1)).results());
        FlowFailedException failed = assertThrows(FlowFailedException.class, () -> graph.dryRun(List.of(1, 0)));
        assertTrue(String.valueOf(failed.getMessage()).contains("divide"), failed::getMessage);
    }

    @Test
    void ordersCyclesAndStartTasksRunDry() {
        List<Integer> seen = new ArrayList<>();
        DryRun found = FlowGraph.<Integer, Integer>build("all", g -> {
                    FlowTask<Integer, Integer> turn = g.<Integer, Integer>task("turn", 1, DryRunTest::never)
                            .priority(Comparator.reverseOrder())
                            .terminatedWhen(Termination.whenDrained())
                            .dry(n -> List.of(n - 1))
                            .costs(n -> 1);
                    Bookkeeper<Integer> choose = g.bookkeeper("choose");
                    g.input().to(turn).to(choose);
                    choose.<Integer>rule((n, pipeline, out) -> {
                                if (n > 0) {
                                    out.emit(n);
                                }
                            })
                            .to(turn);
                    choose.<Integer>rule((n, pipeline, out) -> {
                                if (n <= 0) {
                                    seen.add(n);
                                    out.emit(n);
                                }
                            })
                            .to(g.output());
                    g.<Integer>start("start", 1, DryRunTest::never)
                            .dry(signal -> List.of(5))
                            .to(turn);
                })
                .dryRun(List.of(2, 3));
        assertEquals(3, found.results());
        assertEquals(10, found.time().nanos());
        assertEquals(5, found.time().criticalNanos());
        assertEquals(
                List.of("turn", "turn", "turn", "turn", "turn"), found.time().criticalPath());
        assertEquals(9, seen.size()); // three passes
    }

    /** Each copy reads three blocks of each item, and passes the sum on. */
    private static FlowGraph<Integer, Integer> copied(int size, Distribution<Integer> by) {
        FlowGraph<Integer, Integer> copy = FlowGraph.build("copy", g -> {
            MemoryEdge<int[]> memory = g.memory("blocks", size, () -> new int[1]);
            FlowTask<Integer, Block> read = g.<Integer, Block>task("read", 1, DryRunTest::never)
                    .takes(memory)
                    .dry((id, out) -> out.emit(new Block(id, out.take(memory))))
                    .costs(id -> 10);
            Bookkeeper<Block> pair = g.bookkeeper("pair");
            FlowTask<Pair, Integer> add = g.<Pair, Integer>task("add", 1, DryRunTest::never)
                    .releases(memory)
                    .dry((both, out) -> {
                        out.release(both.a.buffer);
                        out.release(both.b.buffer);
                        out.emit(both.a.id);
                    })
                    .costs(pairs -> 5);
            g.input().to(read).to(pair);
            pair.rulePerCopy(() -> new Pairing(2)).to(add).to(g.output());
        });
        return FlowGraph.build(
                "copies",
                g -> g.input().to(g.pipeline("copies", copy, 2).distribute(by)).to(g.output()));
    }

    @Test
    void aPipelineIsDistributedAsInARun() {
        List<Integer> order = IntStream.range(0, 8).boxed().toList(); // block n pairs with block n + 2 in its copy
        DryRun dry = copied(2, Distribution.blocks(4)).dryRun(order, 2);
        assertEquals(4, dry.results());
        assertEquals(
                List.of("copies#0/blocks", "copies#1/blocks"),
                dry.memories().stream().map(DryRun.Memory::name).toList());
        assertEquals(3, dry.memories().getFirst().smallest()); // 0 and 1 wait for 2
        assertFalse(dry.works());
        DryRun inTurn = copied(3, Distribution.roundRobin()).dryRun(order, 2);
        assertEquals(2, inTurn.memories().getLast().smallest()); // 0, 2, 4, 6 and 1, 3, 5, 7
        assertEquals(50, inTurn.time().nanos()); // each worker has four blocks and two pairs
        assertEquals(List.of("copies#1/read", "copies#1/add"), inTurn.time().criticalPath());
    }

    @Test
    void theCopyWithTheFewestItemsGetsTheNextInADryRun() {
        DryRun dry = copied(9, Distribution.leastLoaded()).dryRun(List.of(0, 1, 2, 3), 4);
        assertEquals(2, dry.memories().getFirst().peak());
        assertEquals(2, dry.memories().getLast().peak());
    }

    @Test
    void aCopySendsToItsSiblingInADryRun() {
        FlowGraph<Integer, Integer> copy = FlowGraph.build("copy", g -> {
            SiblingEdge<Integer> next = g.siblings("next");
            FlowTask<Integer, Integer> first = g.<Integer, Integer>task("first", 1, DryRunTest::never)
                    .sends(next)
                    .dry((n, out) -> out.send(next, (n + 1) % out.copies(next), n));
            FlowTask<Integer, Integer> second =
                    g.<Integer, Integer>task("second", 1, DryRunTest::never).dry((n, out) -> out.emit(10 * n));
            g.input().to(first);
            first.endsHere();
            next.to(second);
            second.to(g.output());
        });
        DryRun dry = FlowGraph.<Integer, Integer>build(
                        "copies",
                        g -> g.input().to(g.pipeline("copies", copy, 3)).to(g.output()))
                .dryRun(List.of(0, 1, 2, 3));
        assertEquals(4, dry.results());
        assertEquals(List.of("copies#0/first", "copies#1/second"), dry.time().criticalPath());
    }

    /** The first item of four takes 10 ns, the others 1 ns. */
    private static FlowGraph<Integer, Integer> slowFirst(boolean ordered, int size, List<Integer> seen) {
        return FlowGraph.build("slow first", g -> {
            MemoryEdge<int[]> memory = g.memory("blocks", size, () -> new int[1]);
            FlowTask<Integer, Block> read = g.<Integer, Block>task("read", 2, DryRunTest::never)
                    .takes(memory)
                    .dry((id, out) -> out.emit(new Block(id, out.take(memory))))
                    .costs(id -> id == 0 ? 10 : 1);
            FlowTask<Block, Integer> free = g.<Block, Integer>task("free", 1, DryRunTest::never)
                    .releases(memory)
                    .dry((block, out) -> {
                        seen.add(block.id);
                        out.release(block.buffer);
                        out.emit(block.id);
                    });
            g.input().to(ordered ? read.ordered() : read).to(free).to(g.output());
        });
    }

    @Test
    void resultsOfAnOrderedTaskWaitForTheirTurn() {
        List<Integer> seen = new ArrayList<>();
        List<Integer> items = List.of(0, 1, 2, 3);
        assertEquals(10, slowFirst(false, 2, seen).dryRun(items, 2).time().nanos());
        assertTrue(Collections.indexOfSubList(seen, List.of(1, 2, 3, 0)) >= 0, seen::toString); // in one of the passes
        seen.clear();
        DryRun inOrder = slowFirst(true, 2, seen).dryRun(items, 2);
        for (int at = 0; at < seen.size(); at += items.size()) {
            assertEquals(items, seen.subList(at, at + items.size()));
        }
        assertEquals(11, inOrder.time().nanos()); // 0 and 1 hold both buffers until 10
        assertEquals(10, slowFirst(true, 4, seen).dryRun(items, 2).time().nanos());
    }

    @Test
    void aCopyOfAnOrderedTaskTakesNoMoreItemsThanMayBeInFlight() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "few",
                g -> g.input()
                        .to(g.<Integer, Integer>task("work", 2, DryRunTest::never)
                                .ordered()
                                .inFlight(1)
                                .dry(n -> List.of(n))
                                .costs(n -> n == 0 ? 10 : 1))
                        .to(g.output()));
        DryRun dry = graph.dryRun(List.of(0, 1, 2, 3), 2);
        assertEquals(11, dry.time().nanos()); // 1 waits for 0, and its copy takes neither 2 nor 3
        assertEquals(List.of("work"), dry.time().criticalPath());
    }
}

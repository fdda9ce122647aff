package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.Permit;
import dev.jacquard.flow.proof.DryRun;
import dev.jacquard.flow.proof.Proof;
import dev.jacquard.flow.proof.Proof.Event;
import dev.jacquard.flow.proof.Proof.Verdict;
import dev.jacquard.flow.runtime.CopyNames;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.memory.data.Handle;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The proof and the dry run of graphs with bounded edges. */
@Timeout(60)
class BoundedProofTest {
    private record Block(int number, Handle<int[]> buffer) {}

    /**
     * Two items each take a buffer, which the task "free" releases; the task after it takes two at once. With room for
     * one item after "free", the second item keeps its buffer, which the first lacks.
     */
    private static FlowGraph<Integer, Integer> waiting(int bound, int buffers) {
        return FlowGraph.build("waiting", g -> {
            MemoryEdge<int[]> blocks = g.memory("blocks", buffers, () -> new int[1]);
            MemoryEdge<Permit> tickets = g.permits("tickets", 1);
            var split = g.<Integer, Integer>task("split", 1, () -> (n, out) -> {
                        out.release(out.take(tickets));
                        out.emit(n);
                        out.emit(n);
                    })
                    .takes(tickets)
                    .releases(tickets, 1)
                    .emits(2);
            var load = g.<Integer, Block>task("load", 2, () -> (n, out) -> out.emit(new Block(n, out.take(blocks))))
                    .takes(blocks)
                    .emits(1);
            var free = g.<Block, Integer>task("free", 1, () -> (block, out) -> {
                        out.release(block.buffer());
                        out.emit(block.number());
                    })
                    .releases(blocks, 1)
                    .emits(1);
            var both = g.<Integer, Integer>task("both", 1, () -> (n, out) -> takeTwo(n, blocks, out))
                    .takes(blocks, 2)
                    .releases(blocks, 2)
                    .carries(blocks, 0)
                    .emits(1);
            g.input().to(split).to(load).to(free).to(both, bound).to(g.output());
        });
    }

    private static void takeTwo(int n, MemoryEdge<int[]> blocks, Emitter<Integer> out) {
        Handle<int[]> one = out.take(blocks);
        Handle<int[]> other = out.take(blocks);
        out.release(one);
        out.release(other);
        out.emit(n);
    }

    @Test
    void aBoundThatIsTooSmallForOneItemIsRefuted() {
        Proof proof = waiting(1, 2).prove();
        assertTrue(proof.isRefuted(), proof::toString);
        assertEquals(
                "task \"both\" waits for 2 of memory edge \"blocks\", of which 1 are free and others are held by items"
                        + " that wait at task \"free\"; task \"free\" waits for 1 slots of edge \"free -> both\", of"
                        + " which 0 are free and others are held by items that wait at task \"both\"",
                Objects.requireNonNull(proof.standstill()).cycle());
        Proof.Memory edge = proof.memories().getLast();
        assertEquals(new Proof.Memory("free -> both", 1, 2, 0, true), edge);
        assertEquals("edge \"free -> both\": at most 1 items wait; smallest bound that works: 2", edge.toString());
        assertMentions(
                assertThrows(IllegalStateException.class, () -> waiting(1, 2).start(new SeededWorkers(1))),
                "Make edge \"free -> both\" at least 2 (it has 1)");
        assertTrue(waiting(2, 2).prove().isProved(), () -> waiting(2, 2).prove().toString());
        assertTrue(waiting(1, 3).prove().isProved(), () -> waiting(1, 3).prove().toString());
    }

    @Test
    void theOrderOfEventsStandsStill() {
        FlowGraph<Integer, Integer> graph = waiting(1, 2);
        SeededWorkers workers = SeededWorkers.oneByOne(1);
        FlowRun<Integer, Integer> run = graph.startUnproved(workers);
        workers.runSome(1_000);
        for (Event event : Objects.requireNonNull(graph.prove().standstill()).events()) {
            if (event.part().equals(Event.SENT)) {
                run.send(0);
            } else {
                assertTrue(workers.runFirst(node -> CopyNames.of(node).equals(event.part())), event::toString);
            }
        }
        run.finish();
        workers.runSome(10_000);
        assertFalse(run.isDone());
        run.cancel();
        run.close();
    }

    @Test
    void aProvedBoundNeverStandsStill() {
        for (int bound = 1; bound <= 2; bound++) {
            FlowGraph<Integer, Integer> graph = waiting(bound, 4 - bound);
            for (long seed = 0; seed < 40; seed++) {
                try (FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(seed))) {
                    run.sendAll(FlowTest.numbers(50));
                    run.finish();
                    run.await();
                }
            }
        }
    }

    /** A long chain of bounded edges is proved by counting, without any other rate. */
    @Test
    void aChainIsProvedWhateverItsLength() {
        Proof proof = FlowGraph.<Integer, Integer>build("chain", g -> {
                    FlowSource<Integer> last = g.input();
                    for (int i = 0; i < 100; i++) {
                        FlowTask<Integer, Integer> next = g.<Integer, Integer>task(
                                        "task " + i, 2, () -> (n, out) -> out.emit(n))
                                .emits(0, 10);
                        last = i == 0 ? last.to(next) : last.to(next, 10 + i);
                    }
                    last.to(g.output());
                })
                .prove();
        assertTrue(proof.isProved(), proof::toString);
        assertEquals(0, proof.bytes());
        assertTrue(proof.memories().stream().allMatch(memory -> memory.smallest() == 10), proof::toString);
    }

    /** A cycle in which the second task sends up to {@code back} items back for each. */
    private static Proof cycle(int back, int bound) {
        return FlowGraph.<Integer, Integer>build("cycle", g -> {
                    FlowTask<Integer, Integer> forth = g.<Integer, Integer>task("forth", 1, () -> (n, out) -> {})
                            .types(int.class, int.class)
                            .emits(1)
                            .endsCycle();
                    FlowTask<Integer, Integer> turn = g.<Integer, Integer>task("turn", 1, () -> (n, out) -> {})
                            .types(int.class, int.class)
                            .emits(0, back);
                    g.input().to(forth).to(turn, 1).to(forth, bound);
                    turn.to(g.output());
                })
                .prove();
    }

    @Test
    void aCycleOfBoundedEdgesIsExamined() {
        assertEquals(Verdict.PROVED, cycle(1, 1).verdict());
        Proof grows = cycle(2, 4); // no bound is enough for items that become more and more
        assertEquals(Verdict.REFUTED, grows.verdict());
        assertEquals(0, grows.memories().getFirst().smallest());
    }

    @Test
    void aDryRunFindsTheSmallestBound() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("dry", g -> {
            var three = g.<Integer, Integer>task("three", 2, () -> (n, out) -> {})
                    .types(int.class, int.class)
                    .emits(0, 3)
                    .dry(n -> List.of(n, n, n))
                    .costs(n -> 10);
            var slow = g.<Integer, Integer>task("slow", 1, () -> (n, out) -> {})
                    .types(int.class, int.class)
                    .dry(n -> List.of(n))
                    .costs(n -> 100);
            g.input().to(three).to(slow, 4).to(g.output());
        });
        DryRun dry = graph.dryRun(FlowTest.numbers(10), 4);
        assertEquals(
                new DryRun.Memory("three -> slow", 4, 3, 3, 0, true),
                dry.memories().getFirst());
        assertEquals(30, dry.results());
        assertEquals(10 + 30 * 100, dry.time().nanos());
        assertTrue(dry.works());
        assertEquals(List.of(), graph.check(FlowTest.numbers(10)).problems());
    }
}

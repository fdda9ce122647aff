package dev.jacquard.bench.streams;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.FlowSource;
import dev.jacquard.flow.FlowTask;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.proof.Proof;
import dev.jacquard.flow.task.Body;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Blocks of integers from a source through many transforms in place to a writer that sums them up, in a flow graph
 * whose memory edge bounds the blocks.
 *
 * <p>Threads: confined to one.
 */
final class Blocks {
    static final int TRANSFORMS = 56;
    static final int WRITERS = 4;
    /** The number of blocks that are in memory at most. With few of them a block stays in the caches on its way. */
    static final int BUFFERS = 4;

    private final Session session;
    private final int count;
    private final FlowGraph<Integer, Integer> graph;
    private final Proof proof;
    /** Per block its sum. Each element is written by the copy of the writer that has the block. */
    private int[] sums = {};

    /** @param number the position of the block in the stream */
    private record Block(int number, Handle<int[]> buffer) {}

    /** Arrays of {@code count} elements, kept from run to run. Confined to the thread that starts and closes runs. */
    private record Buffers(int count, Queue<int[]> kept) implements MemoryEdge.Allocator<int[]> {
        @Override
        public int[] allocate() {
            int[] buffer = kept.poll();
            return buffer == null ? new int[count] : buffer;
        }

        @Override
        public void free(int[] buffer) {
            kept.add(buffer);
        }
    }

    /**
     * Builds the graph, and proves it.
     *
     * @param count the number of elements of a block
     * @throws IllegalStateException if the graph cannot be proved
     */
    Blocks(Session session, int count) {
        this.session = session;
        this.count = count;
        this.graph = FlowGraph.build("blocks", g -> {
            MemoryEdge<int[]> edge = g.memory("blocks", BUFFERS, new Buffers(count, new ArrayDeque<>()));
            FlowTask<Integer, Block> source = g.task("source", 1, () -> source(edge));
            g.input().to(source.takes(edge).emits(1));
            FlowSource<Block> last = source;
            for (int i = 0; i < TRANSFORMS; i++) {
                int add = i;
                FlowTask<Block, Block> transform = g.task("transform " + i, 1, () -> transform(add));
                last.to(transform.emits(1));
                last = transform;
            }
            FlowTask<Block, Integer> writer = g.task("writer", WRITERS, this::writer);
            last.to(writer.releases(edge, 1).emits(0).endsHere());
        });
        this.proof = graph.prove();
        if (!proof.isProved()) {
            throw new IllegalStateException(proof.toString());
        }
    }

    /** Returns the number of bytes that the blocks take at most: the proof counts them, and all have one size. */
    long bound() {
        return proof.memories().getFirst().size() * (long) count * Integer.BYTES;
    }

    private Body<Integer, Block> source(MemoryEdge<int[]> edge) {
        return (number, out) -> {
            Handle<int[]> lent = out.take(edge);
            fill(lent.value(), number);
            out.emit(new Block(number, lent));
        };
    }

    private Body<Block, Block> transform(int add) {
        return (block, out) -> {
            transform(block.buffer.value(), add);
            out.emit(block);
        };
    }

    private Body<Block, Integer> writer() {
        return (block, out) -> {
            sums[block.number] = sum(block.buffer.value());
            out.release(block.buffer);
        };
    }

    /** Runs {@code items} blocks; returns the nanoseconds. */
    long run(int items, Clock clock) {
        sums = new int[items];
        long start = clock.nanoTime();
        try (FlowRun<Integer, Integer> run = graph.start(session)) {
            for (int number = 0; number < items; number++) {
                run.send(number);
            }
            run.finish();
            run.await();
        }
        return clock.nanoTime() - start;
    }

    /** Returns true if the sums of the last run are right: each transform makes 3 s + count · add of a sum s. */
    boolean isRight() {
        for (int number = 0; number < sums.length; number++) {
            int sum = (int) ((long) count * number + (long) count * (count - 1) / 2);
            for (int add = 0; add < TRANSFORMS; add++) {
                sum = 3 * sum + count * add;
            }
            if (sum != sums[number]) {
                return false;
            }
        }
        return true;
    }

    private static void fill(int[] block, int number) {
        for (int i = 0; i < block.length; i++) {
            block[i] = number + i;
        }
    }

    private static void transform(int[] block, int add) {
        for (int i = 0; i < block.length; i++) {
            block[i] = block[i] * 3 + add;
        }
    }

    private static int sum(int[] block) {
        int sum = 0;
        for (int element : block) {
            sum += element;
        }
        return sum;
    }
}

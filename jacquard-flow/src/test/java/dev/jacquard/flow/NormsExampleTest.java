package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.data.Handle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stream of the README: blocks within a memory bound. */
class NormsExampleTest {
    private static final int SIZE = 1000;

    @TempDir
    Path folder;

    private record Block(int id, Handle<float[]> values) {}

    private static final class ReadBlock implements Body<Integer, Block> {
        private final MemoryEdge<float[]> blocks;

        ReadBlock(MemoryEdge<float[]> blocks) {
            this.blocks = blocks;
        }

        @Override
        public void execute(Integer id, Emitter<Block> out) {
            Handle<float[]> values = out.take(blocks);
            Arrays.fill(values.value(), id);
            out.emit(new Block(id, values));
        }
    }

    private static final class Norm implements Body<Block, Double> {
        @Override
        public void execute(Block block, Emitter<Double> out) {
            double sum = 0;
            for (float value : block.values().value()) {
                sum += value * value;
            }
            out.release(block.values());
            out.emit(Math.sqrt(sum));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aHundredBlocksThroughEightBuffers(int workers) throws Exception {
        List<Integer> ids = IntStream.range(0, 100).boxed().toList();
        FlowGraph<Integer, Double> graph = FlowGraph.build("norms", g -> {
            MemoryEdge<float[]> blocks = g.memory("blocks", 8, () -> new float[SIZE]); // at most 8 alive
            FlowTask<Integer, Block> read =
                    g.task("read", 2, () -> new ReadBlock(blocks)).takes(blocks);
            FlowTask<Block, Double> norm = g.task("norm", 4, () -> new Norm()).releases(blocks);
            g.input().to(read).to(norm).to(g.output());
        });
        graph.check().orThrow(); // producers, cycles, types, pool sizes
        double sum = 0;
        try (Session session = Session.builder().workers(workers).open();
                FlowRun<Integer, Double> run = graph.start(session)) {
            ids.forEach(run::send);
            run.finish();
            for (double n : run) {
                sum += n;
            }
            run.profile().writeSvg(folder.resolve("norms.svg"));
            assertTrue(run.profile().memories().getFirst().peak() <= 8);
        }
        assertEquals(4950 * Math.sqrt(SIZE), sum, 1e-6);
        assertTrue(Files.readString(folder.resolve("norms.svg")).contains("norm"));
    }
}

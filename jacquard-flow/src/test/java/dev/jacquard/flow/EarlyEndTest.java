package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Body.CopyInfo;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.testing.SeededWorkers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies that end by their own condition, while others of the same task go on. */
@Timeout(60)
class EarlyEndTest {
    private static final int RUNS = 2_000;

    /** The first copies end after an item each, the last one with its input. */
    private static final class Few implements Body<Integer, Integer> {
        private boolean last;
        private int done;

        @Override
        public void initialize(CopyInfo copy) {
            last = copy.index() == copy.copies() - 1;
        }

        @Override
        public void execute(Integer n, Emitter<Integer> out) {
            done++;
            out.emit(n);
        }

        @Override
        public boolean canTerminate(boolean inputClosed) {
            return inputClosed || (!last && done > 0);
        }
    }

    @Test
    void anItemIsNotLeftToACopyThatEnds() {
        for (int takes = 0; takes < 2; takes++) {
            for (long seed = 0; seed < RUNS; seed++) {
                boolean taking = takes == 1;
                FlowGraph<Integer, Integer> graph = FlowGraph.build("few", g -> {
                    FlowTask<Integer, Integer> few = g.task("few", 3, Few::new);
                    if (taking) {
                        MemoryEdge<int[]> edge = g.memory("e", 2, () -> new int[1]);
                        few.takes(edge).releases(edge);
                    }
                    g.input().to(few).to(g.output());
                });
                SeededWorkers workers = new SeededWorkers(seed);
                try (FlowRun<Integer, Integer> run = graph.start(workers)) {
                    for (int i = 0; i < 20; i++) {
                        workers.runSome(Integer.MAX_VALUE); // until all copies sleep
                        run.send(i);
                        assertEquals(i, run.iterator().next(), "seed " + seed);
                    }
                } catch (AssertionError e) {
                    throw new AssertionError("seed " + seed, e);
                }
            }
        }
    }
}

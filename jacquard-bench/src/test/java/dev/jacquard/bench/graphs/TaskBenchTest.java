package dev.jacquard.bench.graphs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TaskBenchTest {
    private static int[] needs(Pattern pattern, int width, int step, int point) {
        Pattern.Tasks tasks = pattern.tasks(8, width);
        int task = IntStream.range(0, tasks.shape().tasks())
                .filter(t -> tasks.step()[t] == step && tasks.point()[t] == point)
                .findFirst()
                .orElseThrow();
        Shape.Lists reads = tasks.shape().reads();
        return IntStream.range(0, reads.count(task))
                .map(i -> reads.get(task, i))
                .peek(read -> assertEquals(step - 1, tasks.step()[read]))
                .map(read -> tasks.point()[read])
                .toArray();
    }

    @Test
    void aStencilNeedsItsNeighbours() {
        assertArrayEquals(new int[] {}, needs(Pattern.STENCIL_1D, 4, 0, 2));
        assertArrayEquals(new int[] {1, 2, 3}, needs(Pattern.STENCIL_1D, 4, 1, 2));
        assertArrayEquals(new int[] {2, 3}, needs(Pattern.STENCIL_1D, 4, 1, 3));
    }

    @Test
    void anFftNeedsPointsAtDistancesInTurn() {
        assertArrayEquals(new int[] {2, 3, 4}, needs(Pattern.FFT, 8, 1, 3));
        assertArrayEquals(new int[] {1, 3, 5}, needs(Pattern.FFT, 8, 2, 3));
        assertArrayEquals(new int[] {3, 7}, needs(Pattern.FFT, 8, 3, 3));
        assertArrayEquals(new int[] {2, 3, 4}, needs(Pattern.FFT, 8, 4, 3));
    }

    @Test
    void aTreeGrowsAndThenStays() {
        assertEquals(1 + 2 + 4 + 5 * 8, Pattern.TREE.tasks(8, 8).shape().tasks());
        assertArrayEquals(new int[] {1}, needs(Pattern.TREE, 8, 2, 3));
        assertArrayEquals(new int[] {3}, needs(Pattern.TREE, 8, 6, 7));
    }

    @Test
    void aRandomPatternAlwaysNeedsThePointItselfAndRepeats() {
        for (int point = 0; point < 8; point++) {
            int own = point;
            int[] first = needs(Pattern.RANDOM_NEAREST, 8, 1, point);
            assertTrue(IntStream.of(first).anyMatch(needed -> needed == own));
            assertArrayEquals(first, needs(Pattern.RANDOM_NEAREST, 8, 4, point));
        }
    }

    /** A system that adds 1,000 ns to each task reaches half of the peak with tasks of 2,000 ns. */
    @Test
    void halfOfThePeakIsWhereTheSystemTakesAsLongAsTheKernel() throws Exception {
        double peak = 64; // FLOP per ns: an iteration takes 2 ns
        double micros = metg(peak, iterations -> 1_000 + (2.0 * iterations + 1));
        assertEquals(2.0, micros, 0.1);
    }

    @Test
    void aSystemThatIsNeverEfficientGetsTheTimeOfItsLargestTasks() throws Exception {
        assertEquals(1_000, metg(64, iterations -> 1_000_000), 1e-6);
    }

    private static double metg(double peak, LongToDoubleFunction nanosPerTask) throws Exception {
        int tasks = 1_000;
        int workers = 2;
        SweepContender.PointRuns runs = new SweepContender.PointRuns() {
            @Override
            public long run(long iterations) {
                return (long) (nanosPerTask.applyAsDouble(iterations) * tasks / workers);
            }

            @Override
            public double peak() {
                return peak;
            }

            @Override
            public void close() {}
        };
        try (SweepContender sweep = new SweepContender("fake", workers, tasks, 1 << 12, runs)) {
            Map<String, Double> figures = sweep.round();
            return figures.getOrDefault("", Double.NaN);
        }
    }
}

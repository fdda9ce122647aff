package dev.jacquard.bench.graphs;

import java.io.Closeable;
import java.io.IOException;

/** A rival's program that runs Task Bench's tasks. Confined to one thread. */
final class RivalPoints implements Closeable {
    private final RivalProcess process;

    /**
     * Starts the program.
     *
     * @param variant how it does the work, where it can do it in several ways
     * @param steps of each task
     * @param points of each task
     * @throws IllegalStateException when the rival is absent
     */
    public RivalPoints(Rival rival, String variant, int workers, Shape shape, int[] steps, int[] points)
            throws IOException {
        process = rival.start(variant, workers, "point", shape, steps, points);
    }

    /**
     * Runs all tasks once.
     *
     * @param iterations of the kernel in each
     * @return nanoseconds
     * @throws IllegalStateException when the outputs are wrong
     */
    public long run(long iterations) throws IOException {
        return process.round(iterations);
    }

    /** The speed of the kernel alone, on all threads at once: GFLOP/s per thread. */
    public double peak() throws IOException {
        return process.peak();
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}

package dev.jacquard.bench.graphs;

import java.io.Closeable;

/** A system that runs the tasks of a pattern with kernels of any size. Confined to the thread that made it. */
interface PointRuns extends Closeable {
    /**
     * Runs all tasks once.
     *
     * @param iterations of the kernel in each
     * @return nanoseconds
     * @throws IllegalStateException when the outputs are wrong
     */
    long run(long iterations) throws Exception;

    /** The speed of the kernel alone, on all threads at once: GFLOP/s per thread. */
    double peak() throws Exception;
}

package dev.jacquard.bench.graphs;

import java.io.Closeable;
import java.io.IOException;

/** A rival's program whose bodies do a given number of steps of an xorshift generator. Confined to one thread. */
final class RivalGrains implements Closeable {
    private final RivalProcess process;
    private final int tasks;
    private final int steps;

    /**
     * Starts the program.
     *
     * @param variant how it does the work, where it can do it in several ways
     * @param steps of each body
     * @throws IllegalStateException when the rival is absent
     */
    public RivalGrains(Rival rival, String variant, int workers, Shape shape, int steps) throws IOException {
        this.tasks = shape.tasks();
        this.steps = steps;
        this.process = rival.start(variant, workers, "grain", shape);
    }

    /**
     * Runs all tasks once.
     *
     * @return nanoseconds per task
     * @throws IllegalStateException when a cell is wrong
     */
    public double run() throws IOException {
        return process.round(steps) / (double) tasks;
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}

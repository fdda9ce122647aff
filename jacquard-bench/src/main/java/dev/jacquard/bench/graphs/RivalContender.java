package dev.jacquard.bench.graphs;

import dev.jacquard.bench.workload.Workload.Contender;
import java.io.IOException;
import java.util.Map;

/** A rival's program that runs the tasks of a shape; its figures are nanoseconds per task. */
class RivalContender extends Contender {
    private final RivalProcess process;
    private final int tasks;
    private final int iterations;

    /** Starts the program with next to no body; {@code checking} tells whether tasks check the order. */
    RivalContender(Rival rival, String variant, int workers, Shape shape, boolean checking) throws IOException {
        this(rival, variant, workers, shape, checking ? "check" : "count", 0);
    }

    /**
     * Starts the program.
     *
     * @param variant how it does the work, where it can do it in several ways
     * @param body the work of a task, see {@link Rival#start}
     * @param iterations how often a task does it
     * @throws IllegalStateException when the rival is absent
     */
    RivalContender(Rival rival, String variant, int workers, Shape shape, String body, int iterations)
            throws IOException {
        super(rival.system() + (variant.equals(Rival.DEFAULT) ? "-" + variant : ""), workers);
        this.tasks = shape.tasks();
        this.iterations = iterations;
        this.process = rival.start(variant, workers, body, shape);
    }

    @Override
    public Map<String, Double> round() throws IOException {
        return Map.of(MAIN, nanosPerTask());
    }

    /** Does the work once. */
    final double nanosPerTask() throws IOException {
        return process.run(iterations) / (double) tasks;
    }

    @Override
    public final boolean warmsUp() {
        return false;
    }

    @Override
    public final void close() throws IOException {
        process.close();
    }
}

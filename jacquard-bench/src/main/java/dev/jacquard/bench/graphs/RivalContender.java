package dev.jacquard.bench.graphs;

import dev.jacquard.bench.workload.Contender;
import java.io.IOException;
import java.util.Map;

/** A rival's program that runs the tasks of a shape with next to no body; its figures are nanoseconds per task. */
final class RivalContender extends Contender {
    private final RivalProcess process;
    private final int tasks;

    /**
     * Starts the program.
     *
     * @param variant how it does the work, where it can do it in several ways
     * @param checking whether tasks check the order
     * @throws IllegalStateException when the rival is absent
     */
    public RivalContender(Rival rival, String variant, int workers, Shape shape, boolean checking) throws IOException {
        super(rival.system() + (variant.equals(Rival.DEFAULT) ? "-" + variant : ""), workers);
        tasks = shape.tasks();
        process = rival.start(variant, workers, checking ? "check" : "count", shape);
    }

    @Override
    public Map<String, Double> round() throws IOException {
        return Map.of(MAIN, process.run(0) / (double) tasks);
    }

    @Override
    public boolean warmsUp() {
        return false;
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}

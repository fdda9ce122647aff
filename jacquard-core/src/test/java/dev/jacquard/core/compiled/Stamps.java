package dev.jacquard.core.compiled;

import dev.jacquard.core.engine.Workers;

/**
 * Tasks that stamp how often they ran, and check those of their predecessors. The stamps are plain: a missing order between two tasks shows
 * as a wrong stamp.
 */
final class Stamps {
    private final Dag dag;
    private final int[] stamps;

    Stamps(Dag dag) {
        this.dag = dag;
        this.stamps = new int[dag.size()];
    }

    CompiledGraph compile(String name, Workers workers) {
        CompiledGraphBuilder builder = new CompiledGraphBuilder(name, workers, workers);
        for (int task = 0; task < dag.size(); task++) {
            int number = task;
            builder.task("t" + task, context -> stamp(number));
            dag.predecessors().get(task).forEach(earlier -> builder.edge(earlier, number, true));
        }
        return builder.build();
    }

    int tasks() {
        return dag.size();
    }

    void stamp(int task) {
        int stamp = stamps[task] + 1;
        for (int earlier : dag.predecessors().get(task)) {
            if (stamps[earlier] != stamp) {
                throw new IllegalStateException("t" + task + " runs for the " + stamp + ". time, its predecessor t"
                        + earlier + " ran " + stamps[earlier] + " times");
            }
        }
        stamps[task] = stamp;
    }

    /** Every task ran so many times. */
    void verify(int times) {
        for (int task = 0; task < stamps.length; task++) {
            if (stamps[task] != times) {
                throw new AssertionError(
                        "t" + task + " ran " + stamps[task] + " times instead of " + times + ": " + dag);
            }
        }
    }
}

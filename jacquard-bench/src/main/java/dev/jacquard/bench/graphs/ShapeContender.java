package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.graphs.Shape.Work;
import dev.jacquard.bench.workload.Workload.Contender;
import java.util.Map;

/** A system of this process with its own cells, cleared before a round and looked at after it; ns per task. */
class ShapeContender extends Contender {
    private final int tasks;
    private final Cells cells;
    private final Clock clock;
    private final Shape.Runner runner;

    /** The work of tasks on cells, which tell whether all of it was done. */
    interface Cells extends Work {
        /** Before a round. */
        void clear();

        /** Returns true if the cells hold the values that a sequential round leaves. */
        boolean isRight();
    }

    /** Makes the system's runner. */
    ShapeContender(String system, int workers, Shape shape, Cells cells, Clock clock, Shape.Maker maker) {
        super(system, workers);
        this.tasks = shape.tasks();
        this.cells = cells;
        this.clock = clock;
        this.runner = maker.make(workers, shape, cells);
    }

    @Override
    public Map<String, Double> round() throws Exception {
        return Map.of(MAIN, nanosPerTask());
    }

    /** Does the work once. */
    final double nanosPerTask() throws Exception {
        cells.clear();
        long start = clock.nanoTime();
        runner.run();
        long nanos = clock.nanoTime() - start;
        verify(cells.isRight(), "a cell");
        return nanos / (double) tasks;
    }

    @Override
    public final void close() {
        runner.close();
    }
}

package dev.jacquard.bench.graphs;

import dev.jacquard.bench.graphs.Shape.Work;

/** A plain loop over the tasks: the floor. */
final class SequentialTasks implements Shape.Runner {
    private final int tasks;
    private final Work work;

    /** See {@link Shape.Maker}; the number of workers does not matter. */
    public SequentialTasks(int workers, Shape shape, Work work) {
        this.tasks = shape.tasks();
        this.work = work;
    }

    @Override
    public void run() {
        for (int task = 0; task < tasks; task++) {
            work.run(task);
        }
    }
}

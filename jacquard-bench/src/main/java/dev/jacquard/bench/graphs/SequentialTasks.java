package dev.jacquard.bench.graphs;

import dev.jacquard.bench.graphs.Runner.Work;

/** A plain loop over the tasks: the floor. */
final class SequentialTasks implements Runner {
    private final int tasks;
    private final Work work;

    /** See {@link Runner.Maker}; the number of workers does not matter. */
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

package dev.jacquard.bench.shape;

import dev.jacquard.core.clock.Clock;

/** A plain loop over the tasks: the floor. */
public final class SequentialTasks extends ShapeContender {
    /** See {@link ShapeContender}. */
    public SequentialTasks(Shape shape, boolean checking, Clock clock) {
        super("sequential", 1, shape, checking, clock);
    }

    @Override
    protected void runAll() {
        int tasks = shape().tasks();
        for (int task = 0; task < tasks; task++) {
            board().run(task);
        }
    }
}

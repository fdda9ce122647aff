package dev.jacquard.bench.dynamic;

import dev.jacquard.core.clock.Clock;

/** A plain loop over the bodies: the floor. */
final class SequentialTasks extends TaskContender {
    SequentialTasks(Shape shape, Clock clock) {
        super("sequential", 1, shape, clock);
    }

    @Override
    void runAll(Shape tasks, Board.Body[] bodies) {
        for (Board.Body body : bodies) {
            body.run();
        }
    }
}

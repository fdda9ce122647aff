package dev.jacquard.bench.streams;

import dev.jacquard.base.clock.Clock;

/** A plain loop: the floor. */
final class SequentialStages extends StageContender {
    SequentialStages(int items, Clock clock) {
        super("sequential", 1, items, clock);
    }

    @Override
    LastStage stream(int count) {
        LastStage last = new LastStage();
        for (int number = 0; number < count; number++) {
            last.accept(item(number));
        }
        return last;
    }
}

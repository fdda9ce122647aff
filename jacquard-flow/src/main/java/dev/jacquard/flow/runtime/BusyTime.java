package dev.jacquard.flow.runtime;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.core.graph.TaskGroup;
import dev.jacquard.core.graph.TaskGroup.Phase;
import java.util.List;

/**
 * The time in which at least one engine task of a stage, or of a pipeline's copy, ran, and the time in which data of at
 * least one was on its way. Tasks that overlap are not counted twice.
 *
 * <p>Threads: any; all fields are guarded by this.
 */
final class BusyTime implements TaskGroup.Watcher {
    private final Clock clock;
    /** The times of the pipelines' copies that the stage is part of. */
    private final List<BusyTime> around;

    private final Span staging = new Span();
    private final Span running = new Span();

    BusyTime(Clock clock, List<BusyTime> around) {
        this.clock = clock;
        this.around = around;
    }

    @Override
    public void goes(Phase from, Phase to) {
        long now = clock.nanoTime();
        count(from, to, now);
        for (BusyTime one : around) {
            one.count(from, to, now);
        }
    }

    private synchronized void count(Phase from, Phase to, long now) {
        count(from, -1, now);
        count(to, 1, now);
    }

    private void count(Phase phase, int change, long now) {
        switch (phase) {
            case STAGING -> staging.count(change, now);
            case RUNNING -> running.count(change, now);
            case ELSEWHERE -> {}
        }
    }

    synchronized long stagingNanos() {
        return staging.nanos(clock.nanoTime());
    }

    synchronized long runningNanos() {
        return running.nanos(clock.nanoTime());
    }

    /** The time in which a number was greater than 0. */
    private static final class Span {
        private int number;
        private long since;
        private long before;

        void count(int change, long now) {
            before += number > 0 ? now - since : 0;
            since = now;
            number += change;
        }

        long nanos(long now) {
            return before + (number > 0 ? now - since : 0);
        }
    }
}

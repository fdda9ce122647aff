package dev.jacquard.engine;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.testkit.Choices;

/** A clock on which time passes with each reading, by as much as choices say. Confined to the thread of a schedule. */
final class DrawnClock implements Clock {
    /** The most nanoseconds between two readings, unless threads are late. */
    private static final int MOST_NANOS = 2_000;
    /** A drawn time below this one is that of a late thread, where threads are late. */
    private static final int LATE_BELOW_NANOS = 200;
    /** The factor from the drawn time to the time of a late thread. */
    private static final long LATE_FACTOR = 20_000;

    private final Choices choices;
    private long now;
    /** True if threads are late now and then. */
    private boolean late;

    DrawnClock(Choices choices) {
        this.choices = choices;
    }

    @Override
    public long nanoTime() {
        int nanos = choices.next(MOST_NANOS);
        now += late && nanos < LATE_BELOW_NANOS ? nanos * LATE_FACTOR : nanos; // one choice for both
        return now;
    }

    /** Lets {@code nanos} pass. */
    void pass(long nanos) {
        now += nanos;
    }

    /** Lets up to four milliseconds pass now and then. */
    void runLate() {
        late = true;
    }
}

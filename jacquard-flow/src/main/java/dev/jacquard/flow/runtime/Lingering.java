package dev.jacquard.flow.runtime;

import dev.jacquard.base.clock.Clock;

/** The look for more items of a copy that is about to go to sleep. */
final class Lingering {
    /** The most checks, with pauses after each. */
    private static final int LOOKS = 8;

    /** The pauses of the processor after a look, since each look takes the sender's cache lines away: about 1 µs. */
    private static final int PAUSES = 64;

    private static final long MOST_NANOS = 8_000;
    /** The number of items that is enough. */
    private static final int ITEMS = 200;

    private Lingering() {}

    /**
     * Waits a moment for more items. Called before a copy goes to sleep that works through cheap items faster than
     * other threads send them: otherwise each item that is sent pays for a wake-up, and few at a time for the way from
     * one cache to another. The wait ends as soon as the items that are there do not become more.
     *
     * @param isBusy true if several items came the last time; else one look is enough
     */
    static void at(Stage stage, boolean isBusy, Clock clock) {
        if (!stage.hasInboxes()) {
            return;
        }
        int looks = isBusy ? LOOKS : 1;
        long begin = clock.nanoTime();
        int before = 0;
        for (int i = 0; i < looks && clock.nanoTime() - begin < MOST_NANOS; i++) {
            int items = stage.backlog();
            if (items >= ITEMS || (items > 0 && items == before) || stage.closed()) {
                return;
            }
            before = items;
            for (int j = 0; j < PAUSES; j++) {
                Thread.onSpinWait();
            }
        }
    }
}

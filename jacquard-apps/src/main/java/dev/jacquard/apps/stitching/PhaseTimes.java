package dev.jacquard.apps.stitching;

import dev.jacquard.base.clock.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/** The seconds that each phase took. Confined to the thread that stitches. */
final class PhaseTimes {
    private final Clock clock;
    private final Map<String, Double> seconds = new LinkedHashMap<>();
    private final long begin;
    private long phaseBegin;

    PhaseTimes(Clock clock) {
        this.clock = clock;
        this.begin = clock.nanoTime();
        this.phaseBegin = begin;
    }

    /** The phase that began with the last call, or at construction, is over. */
    void end(String phase) {
        long now = clock.nanoTime();
        seconds.put(phase, (now - phaseBegin) / 1e9);
        phaseBegin = now;
    }

    /** Keeps the time from the beginning to now under {@code name}. */
    void sinceBeginning(String name) {
        seconds.put(name, (clock.nanoTime() - begin) / 1e9);
    }

    Map<String, Double> seconds() {
        return seconds;
    }
}

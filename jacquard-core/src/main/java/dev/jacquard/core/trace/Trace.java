package dev.jacquard.core.trace;

import dev.jacquard.core.clock.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The lanes of a session and the names that their spans refer to.
 *
 * <p>Threads: safe for use by any thread; making lanes and names takes a lock, recording into a lane takes none.
 */
public final class Trace {
    /** Half a gigabyte per lane; a larger number is a mistake. */
    private static final int MOST_SPANS = 1 << 24;

    private final Clock clock;
    private final int capacity;
    private final long originNanos;
    /** Guarded by this. */
    private final List<TraceLane> lanes = new ArrayList<>();
    /** Guarded by this. */
    private final List<String> names = new ArrayList<>();
    /** Guarded by this. */
    private final Map<String, Integer> ids = new HashMap<>();

    /**
     * An empty trace.
     *
     * @param clock what its times are read from
     * @param capacity spans that each lane keeps, rounded up to a power of two; 0 switches tracing off: whoever records
     *     asks {@link #on()} first
     * @throws IllegalArgumentException when the capacity is negative, or more than an array holds
     */
    public Trace(Clock clock, int capacity) {
        if (capacity < 0 || capacity > MOST_SPANS) {
            throw new IllegalArgumentException("a trace keeps 0 to " + MOST_SPANS + " spans per lane, not " + capacity);
        }
        this.clock = clock;
        this.capacity = capacity;
        this.originNanos = clock.nanoTime();
    }

    /** Whether spans are wanted at all. Constant, so that a caller may keep the answer. */
    public boolean on() {
        return capacity > 0;
    }

    /** Now, on this trace's clock. */
    public long nanoTime() {
        return clock.nanoTime();
    }

    /** When the trace began, on its clock. */
    public long originNanos() {
        return originNanos;
    }

    /** A new lane; its owner is whoever records into it. */
    public synchronized TraceLane lane(String name) {
        TraceLane lane = new TraceLane(name, capacity);
        lanes.add(lane);
        return lane;
    }

    /** The id of {@code name}, the same for equal names. */
    public synchronized int name(String name) {
        return ids.computeIfAbsent(name, n -> {
            names.add(n);
            return names.size() - 1;
        });
    }

    /** The name behind an id that {@link #name} gave. */
    public synchronized String nameOf(int id) {
        return names.get(id);
    }

    /** The lanes made so far, in the order of their making. */
    public synchronized List<TraceLane> lanes() {
        return List.copyOf(lanes);
    }
}

package dev.jacquard.base.trace;

import dev.jacquard.base.clock.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a session and the names that their spans refer to.
 *
 * <p>Threads: safe for use by any thread; making lanes and names takes a lock, recording into a lane takes none.
 */
public final class Trace {
    /** Half a gigabyte per lane; a larger number is a mistake. */
    private static final int MOST_SPANS = 1 << 24;

    /**
     * The number of names that are kept, a power of two. Further ones take the places of the oldest: a program that
     * makes up a name for each task must not fill the memory, and the newest spans must have their names.
     */
    private static final int MOST_NAMES = 1 << 18;
    /** The ids, of which the last name with the same place in {@link #names} is kept: positive in 30 bits. */
    private static final int IDS = (1 << 30) - 1;

    private static final String OLD_NAME = "(one of too many names)";

    private final Clock clock;
    private final TraceMode mode;
    private final int capacity;
    private final long originNanos;
    /** Guarded by this. */
    private final List<TraceLane> lanes = new ArrayList<>();
    /** By the lower bits of their ids. Guarded by this. */
    private final List<String> names = new ArrayList<>();
    /** The ids of {@link #names}. Guarded by this. */
    private final Map<String, Integer> ids = new HashMap<>();
    /** The id of the next new name. Written under the monitor of this object; lanes read it to renew old ids. */
    private volatile int nextId;

    /** The lane of threads that are no workers, which record one at a time. Guarded by this. */
    private @Nullable TraceLane outside;

    /**
     * An empty trace of spans.
     *
     * @param clock what its times are read from
     * @param capacity spans that each lane keeps, rounded up to a power of two; 0 switches tracing off: callers ask
     *     {@link #on()} before they record
     * @throws IllegalArgumentException when the capacity is negative, or more than an array holds
     */
    public Trace(Clock clock, int capacity) {
        this(clock, capacity == 0 ? TraceMode.OFF : TraceMode.BASIC, capacity);
    }

    /**
     * An empty trace.
     *
     * @param clock what its times are read from
     * @param mode the kinds of entries that are recorded
     * @param capacity spans and events that each lane keeps, rounded up to a power of two; not looked at when the mode
     *     is {@link TraceMode#OFF}
     * @throws IllegalArgumentException when the capacity is negative, more than an array holds, or 0 though the mode
     *     wants some
     */
    public Trace(Clock clock, TraceMode mode, int capacity) {
        if (capacity < 0 || capacity > MOST_SPANS) {
            throw new IllegalArgumentException("a trace keeps 0 to " + MOST_SPANS + " spans per lane, not " + capacity);
        }
        if (capacity == 0 && mode != TraceMode.OFF) {
            throw new IllegalArgumentException("a trace of mode " + mode
                    + " must keep at least 1 span per lane, not 0; TraceMode.OFF switches tracing off");
        }
        this.mode = mode;
        this.clock = clock;
        this.capacity = mode == TraceMode.OFF ? 0 : capacity;
        this.originNanos = clock.nanoTime();
    }

    /** Returns true if spans are wanted at all. Constant, so that a caller may keep the answer. */
    public boolean on() {
        return mode != TraceMode.OFF;
    }

    /** The mode of recording. Constant. */
    public TraceMode mode() {
        return mode;
    }

    /** The clock that times are read from. */
    public Clock clock() {
        return clock;
    }

    /** Now, on this trace's clock. */
    public long nanoTime() {
        return clock.nanoTime();
    }

    /** The start of the trace, on its clock. */
    public long originNanos() {
        return originNanos;
    }

    /** Adds a lane; its owner is the thread that records into it. */
    public synchronized TraceLane lane(String name) {
        return lane(name, capacity);
    }

    /**
     * Adds a lane that keeps its own number of spans.
     *
     * @param spans the number of spans that it keeps, the newest ones; rounded up to a power of two
     * @throws IllegalArgumentException when that is negative, or more than an array holds
     */
    public synchronized TraceLane lane(String name, int spans) {
        if (spans < 0 || spans > MOST_SPANS) {
            throw new IllegalArgumentException("a lane keeps 0 to " + MOST_SPANS + " spans, not " + spans);
        }
        TraceLane lane = new TraceLane(name, spans, this);
        if (on() || spans > 0) { // else it stays empty; a session may have any number of threads, one after the other
            lanes.add(lane);
        }
        return lane;
    }

    /**
     * Records an event of a thread without a lane. Any thread.
     *
     * @param name the name of the subject of the event
     * @param what the event
     * @param nanos when, on this trace's clock
     * @param id the number of the subject among the ones with that name
     */
    public void eventOutside(String name, String what, long nanos, long id) {
        TraceLane lane = outside();
        synchronized (lane) {
            lane.event(name, what, nanos, id);
        }
    }

    private synchronized TraceLane outside() {
        TraceLane known = outside;
        if (known == null) {
            known = lane("outside of workers");
            outside = known;
        }
        return known;
    }

    /**
     * Returns the id of {@code name}, the same for equal names until it {@link #isOld}. A span that is recorded with
     * the id before then has its name until at least 131,072 new names follow.
     */
    synchronized int name(String name) {
        Integer known = ids.get(name);
        if (known != null && !isOld(known)) {
            return known;
        }
        int id = nextId;
        int place = id & (MOST_NAMES - 1);
        if (place == names.size()) {
            names.add(name);
        } else {
            int before = (id - MOST_NAMES) & IDS;
            ids.remove(names.set(place, name), before);
        }
        ids.put(name, id);
        nextId = (id + 1) & IDS;
        return id;
    }

    /** Returns true if the id is to be asked for again, since many new names have come after it. */
    boolean isOld(int id) {
        return age(id) > MOST_NAMES / 2;
    }

    private int age(int id) {
        return (nextId - id) & IDS;
    }

    /** Returns the name for an id that {@link #name} gave; of the oldest of very many, a text that says so. */
    public synchronized String nameOf(int id) {
        return age(id) > MOST_NAMES ? OLD_NAME : names.get(id & (MOST_NAMES - 1));
    }

    /** The lanes made so far that may have spans, in the order of their making. */
    public synchronized List<TraceLane> lanes() {
        return List.copyOf(lanes);
    }
}

package dev.jacquard.base.trace;

import dev.jacquard.base.concurrent.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The spans and events of one worker: a ring buffer that keeps the newest.
 *
 * <p>Threads: one thread at a time records (the lane's owner); any thread may read. A reader that races with the writer
 * sees whole spans only, and loses the spans that were overwritten in the meantime.
 */
public final class TraceLane {
    private static final int FIELDS = 4;
    /** Names with ids that a lane knows by itself, a power of two. */
    private static final int KNOWN_NAMES = 64;

    private static final VarHandle WRITTEN = Fields.handle(MethodHandles.lookup(), "written", long.class);

    private final String name;
    private final int mask;
    /** Per entry: the name's id, with the event's id, plus 1, in the upper half for events; start; end; argument. */
    private final long[] ring;

    private final Trace trace;
    /** The trace's ids of the names used last, by the lower bits of their hash codes. Owner only. */
    private final @Nullable String[] knownNames = new @Nullable String[KNOWN_NAMES];

    private final int[] knownIds = new int[KNOWN_NAMES];

    /** The end of the last task, if nothing that takes time has come since; else 0. Owner only. */
    private long boundary;

    /** Entries recorded so far. Written by the owner only; release pairs with the acquire in {@link #each}. */
    private long written;

    TraceLane(String name, int capacity, Trace trace) {
        this.name = name;
        this.trace = trace;
        int slots = Integer.highestOneBit(Math.max(16, capacity) - 1) << 1;
        this.mask = slots - 1;
        this.ring = new long[slots * FIELDS];
    }

    /** The name of the lane in a viewer, "worker 0". */
    public String name() {
        return name;
    }

    /**
     * Records a span.
     *
     * @param name the name of the span
     * @param startNanos on the trace's clock
     * @param endNanos not before the start
     * @param argument shown with the span; an item number, say
     */
    public void record(String name, long startNanos, long endNanos, long argument) {
        record(idOf(name), startNanos, endNanos, argument);
    }

    /** The same for an id that {@link Trace#name} has just given. */
    void record(int nameId, long startNanos, long endNanos, long argument) {
        boundary = 0;
        put(nameId, startNanos, endNanos, argument);
    }

    /**
     * When the task that the owner is about to run begins: when the one before ended, if there was nothing in between,
     * so that tasks back to back need one reading of the clock each.
     */
    public long beginTask() {
        return boundary != 0 ? boundary : trace.nanoTime();
    }

    /** The task that began at {@code startNanos} ends now; when that is. */
    public long endTask(String task, long startNanos) {
        long now = trace.nanoTime();
        if (trace.on()) {
            put(idOf(task), startNanos, now, 0);
        }
        boundary = now;
        return now;
    }

    /** The owner runs out of tasks: the time from now on is no part of a task. */
    public void pause() {
        boundary = 0;
    }

    /**
     * Records an event.
     *
     * @param name the name of the subject of the event
     * @param what the event
     * @param nanos when, on the trace's clock
     * @param id the number of the subject among the ones with that name
     */
    public void event(String name, String what, long nanos, long id) {
        put(idOf(name) | (idOf(what) + 1L) << Integer.SIZE, nanos, nanos, id);
    }

    /**
     * The trace's id of {@code task}; takes the trace's lock only for names that this lane has not met lately, and for
     * ids that have become old. Owner only.
     */
    private int idOf(String task) {
        int at = task.hashCode() & (KNOWN_NAMES - 1);
        if (task.equals(knownNames[at]) && !trace.isOld(knownIds[at])) {
            return knownIds[at];
        }
        int id = trace.name(task);
        knownNames[at] = task;
        knownIds[at] = id;
        return id;
    }

    private void put(long key, long startNanos, long endNanos, long argument) {
        long index = written;
        int at = ((int) index & mask) * FIELDS;
        // No field below goes before the publication of the spans so far: pairs with the loadLoadFence in
        // each(), so that its reader then knows that this slot is being written again.
        VarHandle.storeStoreFence();
        ring[at] = key;
        ring[at + 1] = startNanos;
        ring[at + 2] = endNanos;
        ring[at + 3] = argument;
        WRITTEN.setRelease(this, index + 1);
    }

    /** Hands every span that is still in the ring to {@code sink}, oldest first. */
    public void spans(Consumer<? super Span> sink) {
        each((key, start, end, argument) -> {
            if (key >>> Integer.SIZE == 0) {
                sink.accept(new Span((int) key, start, end, argument));
            }
        });
    }

    /** Hands every event that is still in the ring to {@code sink}, oldest first. */
    public void events(Consumer<? super Event> sink) {
        each((key, start, end, argument) -> {
            int what = (int) (key >>> Integer.SIZE);
            if (what != 0) {
                sink.accept(new Event((int) key, what - 1, start, argument));
            }
        });
    }

    private void each(Entry sink) {
        long end = (long) WRITTEN.getAcquire(this);
        // The owner may be writing the slot after the newest entry, which is the oldest entry's
        // slot: so one slot less is read.
        for (long index = Math.max(0, end - mask); index < end; index++) {
            int at = ((int) index & mask) * FIELDS;
            long key = ring[at];
            long from = ring[at + 1];
            long to = ring[at + 2];
            long argument = ring[at + 3];
            VarHandle.loadLoadFence(); // the copy stands before the check: pairs with the storeStoreFence in put()
            if ((long) WRITTEN.getAcquire(this) - index <= mask) {
                sink.accept(key, from, to, argument);
            }
        }
    }

    /** The number of spans and events that were overwritten before they were read. */
    public long lost() {
        return Math.max(0, (long) WRITTEN.getAcquire(this) - mask);
    }

    /**
     * One thing that a worker did.
     *
     * @param nameId see {@link Trace#nameOf}
     * @param startNanos on the trace's clock
     * @param endNanos on the trace's clock
     * @param argument as recorded
     */
    public record Span(int nameId, long startNanos, long endNanos, long argument) {}

    /**
     * A moment in the life of something that has a name.
     *
     * @param nameId the name of the subject, see {@link Trace#nameOf}
     * @param whatId the event, see {@link Trace#nameOf}
     * @param nanos on the trace's clock
     * @param id the number of the subject among the ones with that name
     */
    public record Event(int nameId, int whatId, long nanos, long id) {}

    private interface Entry {
        void accept(long key, long startNanos, long endNanos, long argument);
    }
}

package dev.jacquard.core.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * The spans of one worker: a ring buffer that keeps the newest.
 *
 * <p>Threads: one thread at a time records (the lane's owner); any thread may read. A reader that races with the writer
 * sees whole spans only, and loses those that were overwritten meanwhile.
 */
public final class TraceLane {
    private static final int FIELDS = 4;
    private static final VarHandle WRITTEN;

    static {
        try {
            WRITTEN = MethodHandles.lookup().findVarHandle(TraceLane.class, "written", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final int mask;
    private final long[] ring;
    /** Spans recorded so far. Written by the owner only; release pairs with the acquire in {@link #spans}. */
    private long written;

    TraceLane(String name, int capacity) {
        this.name = name;
        int slots = Integer.highestOneBit(Math.max(16, capacity) - 1) << 1;
        this.mask = slots - 1;
        this.ring = new long[slots * FIELDS];
    }

    /** What the lane is called in a viewer, "worker 0". */
    public String name() {
        return name;
    }

    /**
     * Records a span.
     *
     * @param nameId from {@link Trace#name}
     * @param startNanos on the trace's clock
     * @param endNanos not before the start
     * @param argument shown with the span; an item number, say
     */
    public void record(int nameId, long startNanos, long endNanos, long argument) {
        long index = written;
        int at = ((int) index & mask) * FIELDS;
        // No field below goes before the publication of the spans so far: pairs with the loadLoadFence in
        // spans(), whose reader then knows that this slot is being written again.
        VarHandle.storeStoreFence();
        ring[at] = nameId;
        ring[at + 1] = startNanos;
        ring[at + 2] = endNanos;
        ring[at + 3] = argument;
        WRITTEN.setRelease(this, index + 1);
    }

    /** Hands every span that is still in the ring to {@code sink}, oldest first. */
    public void spans(Consumer<? super Span> sink) {
        long end = (long) WRITTEN.getAcquire(this);
        // The owner may be writing the slot after the newest span, which is the oldest span's slot: so one slot
        // less is read.
        for (long index = Math.max(0, end - mask); index < end; index++) {
            int at = ((int) index & mask) * FIELDS;
            Span span = new Span((int) ring[at], ring[at + 1], ring[at + 2], ring[at + 3]);
            VarHandle.loadLoadFence(); // the copy stands before the check: pairs with the storeStoreFence in record()
            if ((long) WRITTEN.getAcquire(this) - index <= mask) {
                sink.accept(span);
            }
        }
    }

    /** How many spans were overwritten before anybody could read them. */
    public long lost() {
        return Math.max(0, (long) WRITTEN.getAcquire(this) - mask);
    }

    /**
     * One thing that a worker did.
     *
     * @param nameId see {@link Trace#nameOf}
     * @param startNanos on the trace's clock
     * @param endNanos likewise
     * @param argument as recorded
     */
    public record Span(int nameId, long startNanos, long endNanos, long argument) {}
}

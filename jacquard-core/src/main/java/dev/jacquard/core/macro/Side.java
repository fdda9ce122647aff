package dev.jacquard.core.macro;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The host, or a device, as it does items of one run: how many it has done, and how long one takes.
 *
 * <p>Threads: any.
 */
final class Side {
    private final Place place;
    private final Clock clock;
    /** The time per item that earlier runs measured, in nanoseconds; 0 or less if unknown. */
    private final double knownNanos;
    /** The strands that do items right now. */
    private final AtomicInteger busy = new AtomicInteger();
    /** The nanoseconds that items took, each for itself. */
    private final AtomicLong nanos = new AtomicLong();

    private final AtomicLong timed = new AtomicLong();
    private final AtomicInteger done = new AtomicInteger();

    Side(Place place, Clock clock, double knownNanos) {
        this.place = place;
        this.clock = clock;
        this.knownNanos = knownNanos;
    }

    Place place() {
        return place;
    }

    /** Notes that a strand begins items. Returns the time, for {@link #end}. */
    long begin() {
        busy.getAndIncrement();
        return clock.nanoTime();
    }

    /** Notes that a strand has ended {@code items}, of which {@code well} are done, since {@code began}. */
    void end(int items, int well, long began) {
        nanos.addAndGet(clock.nanoTime() - began);
        timed.addAndGet(items);
        done.addAndGet(well);
        busy.getAndDecrement();
    }

    int done() {
        return done.get();
    }

    /** Returns how long an item takes on one strand, in nanoseconds; 0 or less if unknown. */
    double itemNanos() {
        long items = timed.get();
        return items == 0 ? knownNanos : Math.max(1, (double) nanos.get() / items);
    }

    /** Returns the number of strands that do items, at least 1. */
    int strands() {
        return Math.max(1, busy.get());
    }

    /** Returns the items per nanosecond of all strands together; 0 if unknown. */
    double rate() {
        double one = itemNanos();
        return one > 0 ? strands() / one : 0;
    }

    /** Adds the time per item of this run to {@code times}. */
    void learn(TimeModel times, String name) {
        if (timed.get() > 0) {
            times.add(name, place, 0, itemNanos());
        }
    }
}

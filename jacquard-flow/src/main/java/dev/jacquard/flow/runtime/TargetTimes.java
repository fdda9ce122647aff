package dev.jacquard.flow.runtime;

import dev.jacquard.base.machine.Place;
import java.util.Arrays;
import java.util.List;

/**
 * The expected times of one task's items on each of its targets, and which times have to be measured.
 *
 * <pre>
 *  no measurement          the item is tried there first, one item at a time
 *  one measurement         tried again: the first may include work that is done once, such as compiling a kernel
 *  measured long ago       tried again: the times of a target that got no items since may have changed
 * </pre>
 *
 * <p>Threads: guarded by the stage.
 */
final class TargetTimes {
    /** The magnitudes of sizes: 0 for size 0, n for sizes with n bits. */
    private static final int MAGNITUDES = Long.SIZE;
    /** The number of items that are tried on a target without measurements. */
    private static final int TRIES = 2;
    /**
     * A target is tried again after this multiple of its time was spent on other items: that costs at most 1/64 of the
     * time.
     */
    private static final double AGAIN = 64;

    /** A target where all tried items failed is expected to take this multiple of the longest time. */
    private static final double FAILED = 1_000;

    private final ItemTimes times;
    private final List<Place> targets;
    /** By target and magnitude. */
    private final Entry[][] entries;
    /** The measured times of all items. */
    private double spent;

    TargetTimes(ItemTimes times, List<Place> targets) {
        this.times = times;
        this.targets = targets;
        this.entries = new Entry[targets.size()][MAGNITUDES];
    }

    /** Returns the magnitude of a size. */
    static int magnitude(long size) {
        return Long.SIZE - Long.numberOfLeadingZeros(size);
    }

    /**
     * Returns the expected time of an item, in nanoseconds. Without a measurement, this is the longest time of the
     * other targets, or much more if all items failed that were tried; 1 if no target has a measurement.
     */
    double expected(int target, int magnitude) {
        Entry entry = entry(target, magnitude);
        if (entry.nanos >= 0) {
            return entry.nanos;
        }
        double slowest = slowest(magnitude);
        return slowest < 0 ? 1 : entry.tries < TRIES ? slowest : FAILED * slowest;
    }

    /** Returns the longest time of the targets; negative if none has a measurement. */
    private double slowest(int magnitude) {
        double slowest = -1;
        for (int target = 0; target < entries.length; target++) {
            slowest = Math.max(slowest, entry(target, magnitude).nanos);
        }
        return slowest;
    }

    /** Returns true if an item of this magnitude is to be tried on the target. */
    boolean isDue(int target, int magnitude) {
        Entry entry = entry(target, magnitude);
        return entry.underWay == 0
                && (entry.tries < TRIES
                        || spent - entry.spentBefore
                                > AGAIN * Math.max(1, entry.nanos < 0 ? slowest(magnitude) : entry.nanos));
    }

    /** Records that a copy has taken an item. */
    void took(int target, int magnitude) {
        entry(target, magnitude).underWay++;
    }

    /** Records the end of an item, and its time if {@code well}. An item that failed has none, but was tried. */
    void ended(int target, int magnitude, double nanos, boolean well) {
        Entry entry = entry(target, magnitude);
        entry.underWay--;
        entry.tries++;
        if (well) {
            long size = size(magnitude);
            times.add(targets.get(target), size, nanos);
            entry.nanos = times.nanos(targets.get(target), size);
            spent += nanos;
        }
        entry.spentBefore = spent;
    }

    private Entry entry(int target, int magnitude) {
        Entry known = entries[target][magnitude];
        if (known == null) {
            known = new Entry(times.nanos(targets.get(target), size(magnitude)));
            entries[target][magnitude] = known;
        }
        return known;
    }

    /** Returns the least size of a magnitude. */
    private static long size(int magnitude) {
        return magnitude == 0 ? 0 : 1L << (magnitude - 1);
    }

    @Override
    public String toString() {
        return targets + " " + Arrays.deepToString(entries);
    }

    /** One magnitude on one target. */
    private static final class Entry {
        /** The expected time; negative if it is not known. */
        private double nanos;
        /** The number of items that ended, and of those that another run measured. */
        private int tries;

        private int underWay;
        /** The time that had been spent when an item last ended. */
        private double spentBefore;

        Entry(double nanos) {
            this.nanos = nanos;
            this.tries = nanos < 0 ? 0 : TRIES;
        }
    }
}

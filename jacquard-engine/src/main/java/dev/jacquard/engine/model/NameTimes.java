package dev.jacquard.engine.model;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The times of one name, by place and size class, and the fit over the size classes of each place.
 *
 * <p>Threads: any. A look-up takes no lock: the table is never changed once it is visible. Additions to it are guarded
 * by the monitor of this object.
 */
final class NameTimes {
    /** Size classes are the numbers of bits of 64-bit sizes: 0 to 64. */
    private static final int CLASS_BITS = 7;
    /** Spreads the keys over the table. */
    private static final int SPREAD = 0x9E3779B9;
    /** The number of runs at other places between two retries of a place that is as fast as they are. */
    private static final int RETRY = 64;

    /** An open hash table of 2^n slots, at most half of which are used. Replaced under the monitor. */
    private volatile @Nullable LearnedTime[] table;
    /** By the number of the place. Replaced under the monitor, with all elements. */
    private volatile @Nullable Fitted[] fits = {};

    /**
     * A fit, and for which measurements it was made.
     *
     * @param fit null if the size classes do not agree
     * @param classes the number of size classes
     * @param runs the number of measurements
     */
    private record Fitted(@Nullable PowerFit fit, int classes, long runs) {}

    /** Creates the times of a name; the entries are for different places or size classes. */
    NameTimes(List<LearnedTime> first) {
        @Nullable LearnedTime[] made = new @Nullable LearnedTime[slots(first.size())];
        first.forEach(time -> put(made, time));
        this.table = made;
    }

    /** Returns the number of slots for a number of entries. */
    private static int slots(int entries) {
        return Math.max(4, 2 * Integer.highestOneBit(2 * entries));
    }

    /** Returns the size class of a size. */
    static int sizeClass(long bytes) {
        return Long.SIZE - Long.numberOfLeadingZeros(bytes);
    }

    /** Returns the key of an entry. */
    static int key(int place, int sizeClass) {
        return place << CLASS_BITS | sizeClass;
    }

    /** Returns the number of the place of an entry. */
    static int place(LearnedTime time) {
        return time.key >>> CLASS_BITS;
    }

    /** Returns the size class of an entry. */
    static int sizeClass(LearnedTime time) {
        return time.key & ((1 << CLASS_BITS) - 1);
    }

    // ---- the times

    private static int slot(int key, int slots) {
        return ((key * SPREAD) >>> Short.SIZE) & (slots - 1);
    }

    private static @Nullable LearnedTime find(@Nullable LearnedTime[] table, int key) {
        int slot = slot(key, table.length);
        LearnedTime time = table[slot];
        while (time != null && time.key != key) {
            slot = (slot + 1) & (table.length - 1);
            time = table[slot];
        }
        return time;
    }

    /** Returns the expected time in nanoseconds; negative if there is none. */
    double nanos(int place, long bytes) {
        LearnedTime time = find(table, key(place, sizeClass(bytes)));
        if (time != null && time.isKnown()) {
            return time.nanos();
        }
        PowerFit fit = bytes > 0 ? fit(place) : null;
        return fit != null ? fit.nanos((double) bytes) : time == null ? -1 : time.nanos();
    }

    /** Adds a measurement. */
    void add(int place, long bytes, double nanos) {
        time(place, sizeClass(bytes)).add(nanos, bytes);
    }

    /** Returns the entry, which it makes at first. */
    private LearnedTime time(int place, int sizeClass) {
        int key = key(place, sizeClass);
        LearnedTime time = find(table, key);
        return time == null ? added(key) : time;
    }

    private synchronized LearnedTime added(int key) {
        @Nullable LearnedTime[] old = table;
        LearnedTime known = find(old, key);
        if (known != null) {
            return known;
        }
        List<LearnedTime> before = all();
        @Nullable LearnedTime[] larger = new @Nullable LearnedTime[slots(before.size() + 1)];
        before.forEach(time -> put(larger, time));
        LearnedTime made = new LearnedTime(key, null);
        put(larger, made);
        table = larger;
        return made;
    }

    private static void put(@Nullable LearnedTime[] table, LearnedTime time) {
        int slot = slot(time.key, table.length);
        while (table[slot] != null) {
            slot = (slot + 1) & (table.length - 1);
        }
        table[slot] = time;
    }

    /** Returns the entries, in no order. */
    List<LearnedTime> all() {
        return Arrays.stream(table).filter(Objects::nonNull).toList();
    }

    // ---- retries

    /** See {@link TimeModel#isDue}. */
    boolean isDue(int place, long bytes) {
        int sizeClass = sizeClass(bytes);
        LearnedTime time = time(place, sizeClass);
        long others = 0;
        double best = Double.POSITIVE_INFINITY;
        for (LearnedTime other : table) {
            if (other != null && other != time && sizeClass(other) == sizeClass) {
                others += other.runs();
                best = other.isKnown() ? Math.min(best, other.nanos()) : best;
            }
        }
        return time.isDue(others, RETRY * Math.max(1, time.nanos() / Math.max(1, best)));
    }

    // ---- fits

    /** Returns the fit over the size classes of a place; null if there are too few, or they do not agree. */
    @Nullable
    PowerFit fit(int place) {
        int classes = 0;
        long runs = 0;
        @Nullable LearnedTime[] now = table;
        for (LearnedTime time : now) {
            if (isPoint(time, place)) {
                classes++;
                runs += time.runs();
            }
        }
        if (classes < PowerFit.LEAST_CLASSES) {
            return null;
        }
        @Nullable Fitted[] made = fits;
        Fitted fitted = place < made.length ? made[place] : null;
        if (fitted == null || fitted.classes != classes || runs > 2 * fitted.runs) {
            fitted = new Fitted(fitted(now, place, classes), classes, runs);
            set(place, fitted);
        }
        return fitted.fit;
    }

    private static boolean isPoint(@Nullable LearnedTime time, int place) {
        return time != null && place(time) == place && sizeClass(time) > 0 && time.isKnown();
    }

    private static @Nullable PowerFit fitted(@Nullable LearnedTime[] table, int place, int classes) {
        double[] sizes = new double[classes];
        double[] nanos = new double[classes];
        int point = 0;
        for (LearnedTime time : table) {
            if (time != null && isPoint(time, place) && point < classes) { // another may have become known since
                sizes[point] = time.bytes();
                nanos[point++] = time.nanos();
            }
        }
        return PowerFit.of(sizes, nanos);
    }

    private synchronized void set(int place, Fitted fitted) {
        @Nullable Fitted[] next = Arrays.copyOf(fits, Math.max(fits.length, place + 1));
        next[place] = fitted;
        fits = next;
    }
}

package dev.jacquard.engine.model;

import dev.jacquard.base.concurrent.RecentMap;
import dev.jacquard.base.machine.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The learned times of tasks and kernels, by name, place and size class; a size class holds the sizes with the same
 * highest bit. The first run of a name in a session does not count, and a single long run changes nothing.
 *
 * <pre>{@code
 * add(name, place, bytes, nanos) --> mean, deviation, count --keep()--> file of this machine
 *                                           ^                                  |
 * nanos(name, place, bytes) <---------------+--- first use of the name --------+
 *                                           +--> fit a·n^b + c, for sizes that were not measured
 * }</pre>
 *
 * <p>Sessions have one model each. A model that is {@linkplain #keepIn kept in a file} begins with the times of earlier
 * sessions on targets of the same model, and hands on what it learns. Times of a device are learned for that device; in
 * the file devices of one model share their times.
 *
 * <p>Threads: any. Two measurements of one name at a time may count as one. {@link #nanos} and {@link #add} take no
 * lock and allocate nothing once the name is known with that size class.
 *
 * <p>Source: the expressions thesis, section 3.1.8; the abstract runtime system document, section II-C5.
 */
public final class TimeModel {
    /** The names used last that are known, of twice as many at most: names with numbers must not fill the memory. */
    private static final int MOST_NAMES = 1 << 14;
    /** The longest time that counts, in nanoseconds: 31 years. */
    static final double LONGEST = 1e18;

    private final RecentMap<String, NameTimes> names = new RecentMap<>(MOST_NAMES);
    /** Set before any time is asked or added. */
    private KeptTimes kept = KeptTimes.NONE;

    /** Makes a model that knows no times. */
    public TimeModel() {}

    /**
     * Begins with the times of a file, which is read by {@link #load}, or when a name is used for the first time, and
     * is written by {@link #keep}. To be called before any time is asked or added.
     *
     * @param targets the model of each place: {@code host} for the host, for a device the model of the device
     */
    public void keepIn(TimeFile file, Map<Place, String> targets) {
        kept = new KeptTimes(file, targets);
    }

    /**
     * Reads the file, if there is one and it was not read: from then on no look-up reads it, so that look-ups may be
     * made under a lock. Reports a file that cannot be read in one line to the system logger of {@link TimeFile};
     * throws nothing.
     */
    public void load() {
        kept.load();
    }

    /**
     * Merges what was learned into the file, if there is one. Reports a file that cannot be read or written, and kept
     * times that were replaced, in one line each, to the system logger of {@link TimeFile}; throws nothing.
     */
    public void keep() {
        Map<String, NameTimes> all = names.entries();
        if (kept.isKept() && !all.isEmpty()) {
            kept.merge(all);
        }
    }

    /** Returns the times of a name; null if there are none. */
    private @Nullable NameTimes of(String name) {
        NameTimes times = names.get(name);
        if (times != null) {
            return times;
        }
        List<LearnedTime> first = kept.of(name);
        return first.isEmpty() ? null : names.add(name, new NameTimes(first));
    }

    private NameTimes made(String name) {
        NameTimes times = of(name);
        return times == null ? names.add(name, new NameTimes(List.of())) : times;
    }

    /**
     * Returns the expected time in nanoseconds: the mean of that size class; where it was not measured, the
     * {@linkplain #fit fit} over other sizes; negative when neither is known.
     *
     * @param name of a task or a kernel
     * @param bytes how much it accesses; 0 where sizes are not distinguished
     */
    public double nanos(String name, Place place, long bytes) {
        NameTimes times = of(name);
        return times == null ? -1 : times.nanos(place.number(), bytes);
    }

    /** Adds a measurement. Times that are negative, no number or longer than 31 years do not count. */
    public void add(String name, Place place, long bytes, double nanos) {
        if (nanos >= 0 && nanos <= LONGEST) {
            made(name).add(place.number(), bytes, nanos);
        }
    }

    /**
     * Returns true if a place should be tried although others look better: fewer than two runs there are known, or many
     * runs of that size class were elsewhere since the last one. The answer is true once; then it is false until the
     * next run there has ended, or for as many runs elsewhere.
     *
     * <p>For a place that takes r times as long as the best one, 64·r runs elsewhere are many: so retries take at most
     * 1/64 of the time. The answer depends on the counts and times alone.
     */
    public boolean isDue(String name, Place place, long bytes) {
        return made(name).isDue(place.number(), bytes);
    }

    /** Returns the fit over the sizes of a name at a place; null unless at least 4 size classes agree. */
    public @Nullable PowerFit fit(String name, Place place) {
        NameTimes times = of(name);
        return times == null ? null : times.fit(place.number());
    }

    /**
     * Returns the times of the names that this session has used, in no order. The count has the kept runs and those of
     * this session; targets of the same model have an entry each.
     */
    public List<TimeFile.Entry> entries() {
        List<TimeFile.Entry> all = new ArrayList<>();
        names.entries().forEach((name, times) -> {
            for (LearnedTime time : times.all()) {
                if (time.isKnown()) {
                    all.add(time.entry(name, kept.target(NameTimes.place(time))));
                }
            }
        });
        return all;
    }
}

package dev.jacquard.engine.model;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.base.concurrent.RecentMap;
import dev.jacquard.base.machine.Place;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How long tasks and kernels ran, by name, place and the magnitude of their accesses: moving averages. Kept for a
 * session, so that the next graph uses the measurements of this one.
 *
 * <p>The first measurement counts only until there is a second: it includes work that is done once, such as compiling a
 * kernel, and a device must not be avoided for that.
 *
 * <p>Threads: any. Two measurements of one name at a time may count as one.
 *
 * <p>Source: the expressions thesis, section 3.1.8; the abstract runtime system document, section II-C5.
 */
public final class TimeModel {
    /** The names used last that are known, of twice as many at most: names with numbers must not fill the memory. */
    private static final int MOST_NAMES = 1 << 14;
    /** The part by which one measurement moves an average. */
    private static final double STEP = 1.0 / 8;
    /** Magnitudes of 64-bit numbers. */
    private static final int MAGNITUDE_BITS = 7;

    private final RecentMap<String, ConcurrentHashMap<Integer, Average>> averages = new RecentMap<>(MOST_NAMES);

    /** Makes a model that knows no times. */
    public TimeModel() {}

    /**
     * Returns the expected time in nanoseconds; negative when there was no measurement.
     *
     * @param name of a task or a kernel
     * @param bytes how much it accesses; 0 where sizes are not distinguished
     */
    public double nanos(String name, Place place, long bytes) {
        ConcurrentHashMap<Integer, Average> ofName = averages.get(name);
        Average average = ofName == null ? null : ofName.get(key(place, bytes));
        return average == null ? -1 : average.nanos();
    }

    /** Adds a measurement. */
    public void add(String name, Place place, long bytes, double nanos) {
        ConcurrentHashMap<Integer, Average> ofName = averages.get(name);
        if (ofName == null) {
            ofName = averages.add(name, new ConcurrentHashMap<>(2));
        }
        Integer key = key(place, bytes);
        Average average = ofName.get(key);
        if (average == null) {
            average = ofName.computeIfAbsent(key, any -> new Average());
        }
        average.add(nanos);
    }

    private static Integer key(Place place, long bytes) {
        return place.number() << MAGNITUDE_BITS | (Long.SIZE - Long.numberOfLeadingZeros(bytes));
    }

    private static final class Average {
        private static final VarHandle NANOS = Fields.handle(MethodHandles.lookup(), "nanos", double.class);

        /** Opaque, by any thread: an estimate, of which a lost change is no harm. Negative before the first. */
        @SuppressWarnings("unused") // through NANOS
        private double nanos = -1;

        /** Plain: a second measurement that is lost leaves the first one in the average. */
        private int measured;

        double nanos() {
            return (double) NANOS.getOpaque(this);
        }

        void add(double measurement) {
            double old = nanos();
            NANOS.setOpaque(this, measured < 2 ? measurement : old + STEP * (measurement - old));
            measured = Math.min(measured + 1, 2);
        }
    }
}

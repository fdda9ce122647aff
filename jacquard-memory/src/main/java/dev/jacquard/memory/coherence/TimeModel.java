package dev.jacquard.memory.coherence;

import java.util.HashMap;
import java.util.Map;

/**
 * How long kernels run on each device: moving averages, by the magnitude of what they access. The first time counts
 * only until there is another: it has what is done once in it, such as compiling the kernel, and a device must not be
 * avoided for that.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 *
 * <p>Source: the abstract-runtime-system document, section II-C5.
 */
final class TimeModel {
    /** More than that are not told apart: names with numbers in them must not fill the memory. */
    private static final int MOST = 1 << 14;
    /** How much one measurement moves the average. */
    private static final double STEP = 1.0 / 8;

    private final Map<Key, Average> averages = new HashMap<>();

    private record Key(String kernel, String device, int magnitude) {}

    /** Of how many measurements; at most 2 are told apart. */
    private record Average(double nanos, int measured) {
        Average with(double another) {
            return new Average(measured == 1 ? another : nanos + STEP * (another - nanos), 2);
        }
    }

    private static Key key(String kernel, Space device, long bytes) {
        return new Key(kernel, device.name, 64 - Long.numberOfLeadingZeros(bytes));
    }

    void add(String kernel, Space device, long bytes, double nanos) {
        Key key = key(kernel, device, bytes);
        if (averages.size() < MOST || averages.containsKey(key)) {
            Average old = averages.get(key);
            averages.put(key, old == null ? new Average(nanos, 1) : old.with(nanos));
        }
    }

    /** Nanoseconds; negative when not known. */
    double of(String kernel, Space device, long bytes) {
        Average known = averages.get(key(kernel, device, bytes));
        return known == null ? -1 : known.nanos();
    }
}

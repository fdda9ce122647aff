package dev.jacquard.core.coherence;

import java.util.HashMap;
import java.util.Map;

/**
 * How long kernels run on each device: moving averages, by the magnitude of what they access.
 *
 * <p>Guarded by the lock of the {@link Coherence}.
 *
 * <p>Source: the abstract-runtime-system document, section II-C5.
 */
final class Times {
    /** More than that are not told apart: names with numbers in them must not fill the memory. */
    private static final int MOST = 1 << 14;
    /** How much one measurement moves the average. */
    private static final double STEP = 1.0 / 8;

    private final Map<Key, Double> averages = new HashMap<>();

    private record Key(String kernel, String device, int magnitude) {}

    private static Key key(String kernel, DeviceSpace device, long bytes) {
        return new Key(kernel, device.name, 64 - Long.numberOfLeadingZeros(bytes));
    }

    void add(String kernel, DeviceSpace device, long bytes, double nanos) {
        Key key = key(kernel, device, bytes);
        if (averages.size() < MOST || averages.containsKey(key)) {
            averages.merge(key, nanos, (old, measured) -> old + STEP * (measured - old));
        }
    }

    /** Nanoseconds; negative when not known. */
    double of(String kernel, DeviceSpace device, long bytes) {
        return averages.getOrDefault(key(kernel, device, bytes), -1.0);
    }
}

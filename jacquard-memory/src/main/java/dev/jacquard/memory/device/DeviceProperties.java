package dev.jacquard.memory.device;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The properties of a device.
 *
 * @param model as its vendor calls it
 * @param memoryBytes how much memory it has
 * @param largestBuffer how large a buffer may be, in bytes
 * @param computeUnits how many multiprocessors or cores
 * @param more what else is known, by the driver's or the field's names: {@code warp_size}, {@code driver_version}; in
 *     order
 */
public record DeviceProperties(
        String model, long memoryBytes, long largestBuffer, int computeUnits, Map<String, String> more) {
    public DeviceProperties {
        more = Collections.unmodifiableMap(new LinkedHashMap<>(more));
    }
}

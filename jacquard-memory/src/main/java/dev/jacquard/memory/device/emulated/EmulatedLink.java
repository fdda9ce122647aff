package dev.jacquard.memory.device.emulated;

/**
 * The link between the host and an emulated device. Each direction has its bandwidth for itself; copies that go the
 * same way share it, one behind the other.
 *
 * @param inBytesPerSecond to the device; at least 1, {@link Long#MAX_VALUE} for no limit
 * @param outBytesPerSecond from the device; at least 1, {@link Long#MAX_VALUE} for no limit
 * @param latencyNanos how much longer each copy takes than its bytes do; at least 0
 */
public record EmulatedLink(long inBytesPerSecond, long outBytesPerSecond, long latencyNanos) {
    /** As fast as the host copies. */
    public static final EmulatedLink UNLIMITED = new EmulatedLink(Long.MAX_VALUE, Long.MAX_VALUE, 0);

    public EmulatedLink {
        if (inBytesPerSecond < 1 || outBytesPerSecond < 1) {
            throw new IllegalArgumentException("a link carries at least 1 byte per second, not " + inBytesPerSecond
                    + " in and " + outBytesPerSecond + " out");
        }
        if (latencyNanos < 0) {
            throw new IllegalArgumentException("a link's latency cannot be negative: " + latencyNanos + " ns");
        }
    }
}

package dev.jacquard.memory.device;

/**
 * The speed of copies between two memories.
 *
 * @param bytesPerSecond of a large copy; at least 1, {@link Long#MAX_VALUE} for no limit
 * @param latencyNanos how much longer each copy takes than its bytes do; at least 0
 */
public record LinkSpeed(long bytesPerSecond, long latencyNanos) {
    public LinkSpeed {
        if (bytesPerSecond < 1 || latencyNanos < 0) {
            throw new IllegalArgumentException("a link carries at least 1 byte per second after at least 0 ns, not "
                    + bytesPerSecond + " after " + latencyNanos);
        }
    }

    /** Returns the time of a copy that has the link for itself, in nanoseconds. */
    public double nanos(long bytes) {
        return latencyNanos + (bytesPerSecond == Long.MAX_VALUE ? 0 : bytes * 1e9 / bytesPerSecond);
    }

    /** The speed of a copy that goes through both at the same time. */
    public LinkSpeed along(LinkSpeed other) {
        return new LinkSpeed(
                Math.min(bytesPerSecond, other.bytesPerSecond), Math.max(latencyNanos, other.latencyNanos));
    }
}

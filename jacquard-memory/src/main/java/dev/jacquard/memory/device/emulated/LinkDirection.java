package dev.jacquard.memory.device.emulated;

/** One direction of a link, through which copies follow each other. Threads: any. */
final class LinkDirection {
    private static final double NANOS_PER_SECOND = 1e9;

    private final long bytesPerSecond;
    private final long latencyNanos;
    /** Guarded by this: when the last byte of the copies so far is sent. */
    private long freeAtNanos;

    /** Free from {@code nowNanos} on. */
    LinkDirection(long bytesPerSecond, long latencyNanos, long nowNanos) {
        this.bytesPerSecond = bytesPerSecond;
        this.latencyNanos = latencyNanos;
        this.freeAtNanos = nowNanos;
    }

    /**
     * Sends bytes after all others. Only the bytes keep other copies waiting, the latency does not.
     *
     * @return when the last byte has arrived
     */
    synchronized long arrival(long bytes, long nowNanos) {
        long begin = freeAtNanos - nowNanos > 0 ? freeAtNanos : nowNanos;
        freeAtNanos = begin + nanos(bytes);
        return freeAtNanos + latencyNanos;
    }

    private long nanos(long bytes) {
        return bytesPerSecond == Long.MAX_VALUE ? 0 : Math.round(bytes * NANOS_PER_SECOND / bytesPerSecond);
    }
}

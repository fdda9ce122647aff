package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.Device.PinnedMemory;
import java.lang.foreign.MemorySegment;

/**
 * Host memory through which a device's copies to and from the Java heap pass. It is kept for the next copy, since
 * drivers take longer to lock pages than to copy them. A size is rounded up by a quarter at most.
 *
 * <p>Threads: any.
 */
final class PinnedPool {
    private static final long SMALLEST = 1 << 16;
    /** The number of bytes that are kept at least while no copy uses them. */
    private static final long KEPT = 1 << 26;

    private final Device device;
    /** Guarded by this. */
    private final KeptMemory<PinnedMemory> free = new KeptMemory<>(PinnedMemory::close);
    /** The number of bytes that are lent. Guarded by this. */
    private long lent;
    /** The most that were lent at a time. Guarded by this. */
    private long peak;

    PinnedPool(Device device) {
        this.device = device;
    }

    /**
     * Lends memory for at least that many bytes, until it is closed.
     *
     * @throws RuntimeException as {@link Device#allocatePinned} does
     */
    PinnedMemory lend(long bytes) {
        PinnedMemory memory = take(bytes);
        return new PinnedMemory() {
            @Override
            public MemorySegment segment() {
                return memory.segment();
            }

            @Override
            public void close() {
                give(memory);
            }
        };
    }

    private static long rounded(long bytes) {
        if (bytes <= SMALLEST) {
            return SMALLEST;
        }
        long unit = Long.highestOneBit(bytes - 1) >> 2;
        return (bytes + unit - 1) / unit * unit;
    }

    private PinnedMemory take(long bytes) {
        long size = rounded(bytes);
        synchronized (this) {
            PinnedMemory memory = free.take(size);
            if (memory != null) {
                lend(memory);
                return memory;
            }
        }
        PinnedMemory memory = device.allocatePinned(size);
        synchronized (this) {
            lend(memory);
        }
        return memory;
    }

    /** Counts memory as lent. Under the monitor. */
    private void lend(PinnedMemory memory) {
        lent += memory.segment().byteSize();
        peak = Math.max(peak, lent);
    }

    private synchronized void give(PinnedMemory memory) {
        long size = memory.segment().byteSize();
        lent -= size;
        free.give(size, memory, Math.max(KEPT, peak));
    }

    synchronized void close() {
        free.shrink(0);
    }
}

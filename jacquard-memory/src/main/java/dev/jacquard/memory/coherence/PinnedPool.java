package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.Device.PinnedMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Host memory through which a device's copies to and from the Java heap pass. It is kept for the next copy, since
 * drivers take longer to lock pages than to copy them. Sizes are powers of two.
 *
 * <p>Threads: any.
 */
final class PinnedPool {
    private static final long SMALLEST = 1 << 16;
    /** The number of bytes that are kept at most while no copy uses them. */
    private static final long MOST_KEPT = 1 << 26;

    private final Device device;
    /** Guarded by this. */
    private final Map<Long, Deque<PinnedMemory>> free = new HashMap<>();
    /** Guarded by this. */
    private long kept;

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

    private PinnedMemory take(long bytes) {
        long size = bytes <= SMALLEST ? SMALLEST : Long.highestOneBit(bytes - 1) << 1;
        synchronized (this) {
            Deque<PinnedMemory> known = free.get(size);
            PinnedMemory memory = known == null ? null : known.poll();
            if (memory != null) {
                kept -= size;
                return memory;
            }
        }
        return device.allocatePinned(size);
    }

    private void give(PinnedMemory memory) {
        MemorySegment segment = memory.segment();
        synchronized (this) {
            if (kept + segment.byteSize() <= MOST_KEPT) {
                kept += segment.byteSize();
                free.computeIfAbsent(segment.byteSize(), any -> new ArrayDeque<>())
                        .push(memory);
                return;
            }
        }
        memory.close();
    }

    synchronized void close() {
        free.values().forEach(all -> all.forEach(PinnedMemory::close));
        free.clear();
    }
}

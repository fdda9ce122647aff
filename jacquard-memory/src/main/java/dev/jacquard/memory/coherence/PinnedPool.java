package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.Device.PinnedMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Host memory through which a device's copies to and from the Java heap pass, kept for the next: drivers take longer to
 * lock pages than to copy them. Sizes are powers of two.
 *
 * <p>Threads: any.
 */
final class PinnedPool {
    private static final long SMALLEST = 1 << 16;
    /** What is kept at most while nobody uses it, in bytes. */
    private static final long MOST_KEPT = 1 << 26;

    private final Device device;
    /** Guarded by this. */
    private final Map<Long, Deque<PinnedMemory>> free = new HashMap<>();
    /** Guarded by this. */
    private long kept;

    PinnedPool(Device device) {
        this.device = device;
    }

    /** Memory for at least so many bytes; throws like {@link Device#allocatePinned}. */
    PinnedMemory take(long bytes) {
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

    /** Gives it back. */
    void give(PinnedMemory memory) {
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

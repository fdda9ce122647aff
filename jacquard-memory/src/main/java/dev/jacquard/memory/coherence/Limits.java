package dev.jacquard.memory.coherence;

import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.device.link.LinkTable;
import java.nio.file.Path;
import java.util.List;

/**
 * The bytes of each memory that replicas may take.
 *
 * @param hostBytes besides the user's own arrays
 * @param disks where replicas that do not fit there are written, in this order as each becomes full
 * @param deviceBytes of each device
 * @param cachePolicy chooses the replicas that leave a full memory
 * @param links the speeds of copies between the memories
 */
public record Limits(
        long hostBytes, List<Disk> disks, List<Long> deviceBytes, CachePolicy cachePolicy, LinkTable links) {
    /**
     * A file for replicas.
     *
     * @param folder where the file is made
     * @param bytes the largest size of the file
     * @param direct true if reads and writes bypass the system's cache of pages
     */
    public record Disk(Path folder, long bytes, boolean direct) {}

    public Limits {
        disks = List.copyOf(disks);
        deviceBytes = List.copyOf(deviceBytes);
    }
}

package dev.jacquard.memory.coherence;

import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.device.link.LinkTable;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of each memory that replicas may take.
 *
 * @param hostBytes besides the user's own arrays
 * @param folder the place on disk for replicas that do not fit there; null for none
 * @param diskBytes the bytes on disk
 * @param direct true if reads and writes there bypass the system's cache of pages
 * @param deviceBytes of each device
 * @param cachePolicy chooses the replicas that leave a full memory
 * @param links the speeds of copies between the memories
 */
public record Limits(
        long hostBytes,
        @Nullable Path folder,
        long diskBytes,
        boolean direct,
        List<Long> deviceBytes,
        CachePolicy cachePolicy,
        LinkTable links) {
    public Limits {
        deviceBytes = List.copyOf(deviceBytes);
    }
}

package dev.jacquard.memory.coherence;

import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.device.link.LinkTable;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much of what memory replicas may take, in bytes.
 *
 * @param hostBytes besides the user's own arrays
 * @param folder where on disk what does not fit there goes; null for nowhere
 * @param diskBytes how much may
 * @param direct whether that is to bypass the system's cache of pages
 * @param deviceBytes of each device
 * @param cachePolicy what goes when a memory is full
 * @param links how fast copies between the memories are
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

package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.DeviceOffer.LinkSpeed;
import dev.jacquard.memory.device.link.LinkTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The times of copies between spaces, as far as they are known: through the host, where there is no path. Immutable.
 */
final class Links {
    private final Space host;
    /** The speed of each path, by the numbers of its ends; null where there is none. */
    private final @Nullable LinkSpeed[][] paths;

    /** Creates the links of spaces, the host first; each space has its index as its number. */
    Links(LinkTable table, List<Space> spaces) {
        this.host = spaces.getFirst();
        this.paths = new @Nullable LinkSpeed[spaces.size()][spaces.size()];
        for (Space from : spaces) {
            for (Space to : spaces) {
                if (from.pathTo(to) != null) {
                    paths[from.number][to.number] = table.speed(from.name, to.name);
                }
            }
        }
    }

    /** Returns the estimated time of a copy that no other copy delays, in nanoseconds. Allocates nothing. */
    double nanos(Space from, Space to, long bytes) {
        LinkSpeed path = paths[from.number][to.number];
        return path != null ? path.nanos(bytes) : nanos(from, host, bytes) + nanos(host, to, bytes);
    }
}

package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.link.LinkTable;

/**
 * The times of copies between spaces, as far as they are known: through the host, where there is no path. Immutable.
 */
final class Links {
    private final LinkTable table;
    private final Space host;

    Links(LinkTable table, Space host) {
        this.table = table;
        this.host = host;
    }

    /** Returns the estimated time of a copy that no other copy delays, in nanoseconds. */
    double nanos(Space from, Space to, long bytes) {
        if (from.pathTo(to) != null) {
            return table.speed(from.name, to.name).nanos(bytes);
        }
        return nanos(from, host, bytes) + nanos(host, to, bytes);
    }
}

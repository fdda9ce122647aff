package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.link.LinkTable;

/**
 * How long copies between spaces take, as far as it is known: through the host, where two do not reach each other.
 * Immutable.
 */
final class Links {
    private final LinkTable table;
    private final Space host;

    Links(LinkTable table, Space host) {
        this.table = table;
        this.host = host;
    }

    /** Estimated nanoseconds of a copy that nobody else is in the way of. */
    double nanos(Space from, Space to, long bytes) {
        if (from.pathTo(to) != null) {
            return table.speed(from.name, to.name).nanos(bytes);
        }
        return nanos(from, host, bytes) + nanos(host, to, bytes);
    }
}

package dev.jacquard.memory.coherence;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The copies between memories so far.
 *
 * @param links by where from and where to, in the order in which they were first used
 * @param data the copies of each data on each link, in the same order; beyond some thousand, the data with the least
 *     recent last copies are counted together, as {@link #OTHERS}
 * @param spaces how full each memory is
 */
public record Transfers(List<Link> links, List<Moved> data, List<Used> spaces) {
    /** Stands for the names of data that are not counted by themselves. */
    public static final String OTHERS = "(others)";

    /**
     * The copies from one memory to another.
     *
     * @param staged the number of the copies that went by way of other host memory, since a device cannot reach the
     *     Java heap
     * @param late the number of the copies that were begun early, by a prefetch or before the task was ready that needs
     *     the data, and for which a task had to wait nevertheless; a recorded prefetch to the host is a reader like
     *     others here
     */
    public record Link(String from, String to, long copies, long bytes, long staged, long late) {
        @Override
        public String toString() {
            return from + " to " + to + ": " + copies + (copies == 1 ? " copy, " : " copies, ") + bytes + " bytes"
                    + (staged == 0 ? "" : ", " + staged + " of them by way of other host memory")
                    + (late == 0 ? "" : ", " + late + " of them begun ahead and late");
        }
    }

    /** The copies of one data from one memory to another. */
    public record Moved(String data, String from, String to, long copies, long bytes) {
        @Override
        public String toString() {
            return "data \"" + data + "\" from " + from + " to " + to + ": " + copies
                    + (copies == 1 ? " copy, " : " copies, ") + bytes + " bytes";
        }
    }

    /**
     * The bytes that a memory holds: now, at most so far, and at most ever.
     *
     * @param evictions the number of replicas that have made room
     */
    public record Used(String space, long bytes, long peak, long limit, long evictions) {
        @Override
        public String toString() {
            return space + ": " + bytes + " bytes, at most " + peak + " so far"
                    + (limit == Long.MAX_VALUE ? "" : ", of " + limit)
                    + (evictions == 0 ? "" : ", " + evictions + " evictions");
        }
    }

    /** Returns the number of copies in all. */
    public long copies() {
        return links.stream().mapToLong(Link::copies).sum();
    }

    /** Returns the number of copies that were begun early, and for which a task had to wait nevertheless. */
    public long late() {
        return links.stream().mapToLong(Link::late).sum();
    }

    /** Returns the number of bytes that were copied in all. */
    public long bytes() {
        return links.stream().mapToLong(Link::bytes).sum();
    }

    /** For people, a line for each. */
    @Override
    public String toString() {
        return Stream.of(links, data, spaces)
                .flatMap(List::stream)
                .map(Object::toString)
                .collect(Collectors.joining("\n  ", copies() + " copies, " + bytes() + " bytes\n  ", ""));
    }
}

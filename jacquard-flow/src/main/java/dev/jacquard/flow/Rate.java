package dev.jacquard.flow;

import dev.jacquard.flow.memory.MemoryEdge;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The numbers of items and buffers that a task or rule declares, for the proof before the run.
 *
 * <p>Threads: confined to the thread that builds the graph, constant afterwards.
 */
final class Rate {
    /** A number that was not declared. */
    static final int UNKNOWN = -1;

    /** The part that declares, for messages. */
    private final String part;
    /** The number of items that come in for each time that items go out. */
    int collects = 1;
    /** The least number of items that go out. */
    int least = UNKNOWN;
    /** The largest number of items that go out. */
    int most = UNKNOWN;
    /** The number of buffers that are released each time; {@link #UNKNOWN} if only the edge was declared. */
    final Map<MemoryEdge<?>, Integer> releases = new LinkedHashMap<>();

    /** The number of buffers that each item that comes in carries. */
    final Map<MemoryEdge<?>, Integer> carries = new LinkedHashMap<>();

    Rate(String part) {
        this.part = part;
    }

    void emits(int fewest, int largest) {
        if (fewest < 0 || largest < fewest) {
            throw new IllegalArgumentException(part + " emits " + fewest + " to " + largest
                    + " items per item: at least 0, and the second number not below the first");
        }
        least = fewest;
        most = largest;
    }

    void collects(int items) {
        if (items < 1) {
            throw new IllegalArgumentException(part + " collects " + items + " items: at least 1");
        }
        collects = items;
    }

    /** Declares that items that come in carry {@code count} buffers. */
    static void carries(String part, Map<MemoryEdge<?>, Integer> carries, MemoryEdge<?> edge, int count) {
        if (count < 0) {
            throw new IllegalArgumentException(
                    "the items of " + part + " carry " + count + " buffers of \"" + edge.name() + "\": at least 0");
        }
        carries.put(edge, count);
    }

    /** Declares releases of an unknown number, unless a number is known. */
    void releases(MemoryEdge<?> edge) {
        releases.putIfAbsent(edge, UNKNOWN);
    }

    void releases(MemoryEdge<?> edge, int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    part + " releases " + count + " buffers of \"" + edge.name() + "\": at least 1");
        }
        releases.merge(edge, count, (a, b) -> a == UNKNOWN ? b : (int) Math.min(Integer.MAX_VALUE, (long) a + b));
    }
}

package dev.jacquard.memory.coherence;

import dev.jacquard.base.machine.Place;
import dev.jacquard.memory.data.Box;
import java.util.List;

/**
 * The faults of devices so far, and the consequences.
 *
 * @param lost devices that are out of service
 * @param fallbacks tasks that went elsewhere, the newest {@value #MOST_KEPT} of them
 * @param fellBack how many did in all
 * @param recomputations data that was lost and computed again, the newest {@value #MOST_KEPT}
 * @param corrupted copies that arrived damaged and were made again; known in checking mode
 */
public record Faults(
        List<Lost> lost, List<Fallback> fallbacks, long fellBack, List<Recomputation> recomputations, long corrupted) {
    /** The number of fallbacks that are kept. */
    static final int MOST_KEPT = 1000;

    public Faults {
        lost = List.copyOf(lost);
        fallbacks = List.copyOf(fallbacks);
        recomputations = List.copyOf(recomputations);
    }

    /**
     * Data that was computed again.
     *
     * @param data its name
     * @param part which part of it
     * @param writer the task that wrote it, for people
     * @param tasks how many tasks had to be done again
     */
    public record Recomputation(String data, Box part, String writer, int tasks) {}

    /**
     * A device that is out of service.
     *
     * @param device its name
     * @param why in the driver's words
     */
    public record Lost(String device, String why) {}

    /**
     * A task that went elsewhere.
     *
     * @param task its name
     * @param from the device that failed it
     * @param to where it went: the host, or another device
     * @param why in the driver's words
     */
    public record Fallback(String task, Place from, Place to, String why) {}
}

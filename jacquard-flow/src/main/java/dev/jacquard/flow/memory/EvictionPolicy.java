package dev.jacquard.flow.memory;

import java.util.SequencedSet;

/**
 * Decides which key of a {@link KeyedEdge} gives up its buffer when another key needs one. Each run has its own policy.
 *
 * <p>Threads: called by one thread at a time, under a lock of the edge, so a policy needs no lock. It must not block,
 * nor use the run.
 *
 * @param <K> the type of the keys
 */
@FunctionalInterface
public interface EvictionPolicy<K> {
    /**
     * Returns the key whose buffer is to be loaded with another key.
     *
     * @param idle the keys that are loaded and not lent, the least recently used first; at least one; a view that is
     *     valid during the call
     * @return one of {@code idle}
     */
    K victim(SequencedSet<K> idle);

    /** Called for each take, before the key is looked up. Does nothing unless overridden. */
    default void taken(K key) {}

    /** Returns a policy that evicts the key that was released first. */
    static <K> EvictionPolicy<K> leastRecentlyUsed() {
        return SequencedSet::getFirst;
    }
}

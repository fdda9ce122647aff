package dev.jacquard.memory.cache;

import org.jspecify.annotations.Nullable;

/**
 * In which order replicas leave one memory.
 *
 * <p>Threads: any, one at a time, each seeing what the one before wrote. Every method is called under the engine's lock
 * for data, on the path of every task that accesses some: it must be short, must not wait, and must not call the
 * session.
 *
 * <p>An order that throws, or names what may not go, is not called again; tasks that need room fail with a
 * {@link CachePolicyException} from then on, and others go on.
 */
public interface EvictionOrder {
    /** There is memory for one more. It may be one that was removed, and stays after all. */
    void inserted(CacheEntry entry);

    /** A task begins to use it, or is over with it. */
    void used(CacheEntry entry);

    /** It is gone, or goes. */
    void removed(CacheEntry entry);

    /**
     * Which of those for which {@link CacheEntry#mayGo} is to go next; it stays until it is {@link #removed}. Null when
     * there is none.
     */
    @Nullable
    CacheEntry victim();
}

package dev.jacquard.memory.cache;

import org.jspecify.annotations.Nullable;

/**
 * Decides which replicas leave memories that are full.
 *
 * <p>A policy may be used by several sessions; what belongs to one of their memories is in the orders that it makes.
 *
 * <p>Threads: {@link #order} is called while a session opens.
 */
public interface CachePolicy {
    /** Returns the name for users and messages: lower-case words with hyphens. */
    String name();

    /**
     * Makes the order of one memory, which is empty.
     *
     * @param memory its name: {@code host}, {@code disk} or a device's
     * @param bytes how many it may hold
     */
    EvictionOrder order(String memory, long bytes);

    /**
     * The order in which replicas leave one memory.
     *
     * <p>Threads: any, one at a time, each seeing what the one before wrote. Every method is called under the engine's
     * lock for data, on the path of every task that accesses some: it must be short, must not wait, and must not call
     * the session.
     *
     * <p>An order that throws, or names what may not go, is not called again; tasks that need room fail with a
     * {@link CachePolicyException} from then on, and others go on.
     */
    interface EvictionOrder {
        /** Notes a new entry. It may be one that was removed, and stays after all. */
        void inserted(CacheEntry entry);

        /** Notes that a task begins to use an entry, or is over with it. */
        void used(CacheEntry entry);

        /** Notes that an entry is gone, or goes. */
        void removed(CacheEntry entry);

        /**
         * Returns the entry that goes next, of those that {@linkplain CacheEntry#mayGo may go}; null when there is
         * none. The entry stays until it is {@link #removed}.
         */
        @Nullable
        CacheEntry victim();
    }
}

package dev.jacquard.memory.cache;

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
}

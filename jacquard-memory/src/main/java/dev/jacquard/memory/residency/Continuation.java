package dev.jacquard.memory.residency;

/**
 * The work that goes on when data is in place, or cannot be: run once, by any thread.
 *
 * <p>Threads: any.
 */
@FunctionalInterface
public interface Continuation extends Runnable {
    /**
     * Returns true if nothing needs the data any more: then it is not waited for until there is room. A cancel sets the
     * state that this reads, and calls {@link Staging#endUnwantedWaits} after that. Takes no lock.
     */
    default boolean isUnwanted() {
        return false;
    }

    /**
     * Returns true if claims of less can take the place of this one: then there is no wait for room that others have,
     * who may keep it. Constant.
     */
    default boolean isDivisible() {
        return false;
    }
}

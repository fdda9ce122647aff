package dev.jacquard.memory.residency;

/**
 * The accesses of a task, or of a whole run, to data, as their {@link Staging} works with them: made once, for any
 * number of claims. Immutable.
 */
public interface Footprint {
    /** Returns how many bytes the accesses are to. */
    long bytes();
}

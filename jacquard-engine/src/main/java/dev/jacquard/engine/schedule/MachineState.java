package dev.jacquard.engine.schedule;

/**
 * The workers as a placement sees them. Each answer is true at one moment; two answers may be of two moments.
 *
 * <p>Threads: may be asked by any thread.
 */
public interface MachineState {
    /** How many workers there are to choose from; at least 1. */
    int workers();

    /** How many tasks were placed on {@code worker} and are not over: waiting or running. */
    int tasks(int worker);

    /** How long these will probably run, together, in nanoseconds; a task of unknown length counts as 1. */
    long expectedNanos(int worker);

    /** Whether the worker's thread does something else now: that of the opener while it does not wait. */
    boolean isAway(int worker);
}

package dev.jacquard.memory.residency;

/**
 * The data that a task is going to access, known from before its submission until the task is over: so other tasks know
 * what is still to be written, and data to read can be on its way before the task is ready.
 *
 * <p>Threads: any.
 */
public interface PlannedAccess {
    /** The task has its place in the order of all that access the same. It may be over already. */
    void submitted();

    /** The task is about to run, with this. Before the claim begins. */
    void claimed(DataClaim claim);

    /** The task is over, or was not submitted after all. A second call does nothing. */
    void over();
}

package dev.jacquard.memory.residency;

/**
 * What a task is going to access of data, known from before its submission until it is over: so others know what is
 * still to be written, and what it reads can be on its way before it is ready.
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

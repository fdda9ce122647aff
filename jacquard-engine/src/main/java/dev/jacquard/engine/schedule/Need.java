package dev.jacquard.engine.schedule;

/** A service that a policy asks of the engine. The policy pays for no other. */
public enum Need {
    /**
     * Tasks are timed, so that {@code expectedNanos} is known from the second task of a name on. Two readings of the
     * clock each.
     */
    TIMES,
    /**
     * One call at a time: each order's calls exclude each other, and so do the placement's, and calls of
     * {@code submitted}.
     */
    EXCLUSIVE_CALLS,
    /**
     * Every ready task passes through the order. Without it the last task that another one's end makes ready runs next
     * on the same worker, through no queue.
     */
    NO_INLINE_SUCCESSORS,
    /** No worker takes tasks that were placed on another, even while that one's thread is away. */
    FIXED_WORKERS,
    /** The thread of each host worker is bound to its own processor, where the machine lets it. */
    BOUND_THREADS,
    /**
     * One body runs at a time, bodies for targets and for the main thread included. Asynchronous operations of bodies
     * go on concurrently.
     */
    ONE_AT_A_TIME,
    /**
     * The host's workers, together as {@link dev.jacquard.base.machine.Place#HOST}, are among the places of a kernel
     * that has a side for the host, and the place is chosen again when the task is ready at another time than expected.
     * Without it a kernel goes to a device whenever it can.
     */
    HOST_FOR_KERNELS,
    /** {@link Policy#submitted} is called for each task. */
    SUBMISSIONS
}

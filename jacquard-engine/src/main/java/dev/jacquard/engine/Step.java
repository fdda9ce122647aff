package dev.jacquard.engine;

/** The outcome of a worker's step: the action before the next one. */
enum Step {
    /** A node ran: at once. */
    RAN,
    /** Nothing to run: soon, after a pause of a few cycles. */
    LOOK_AGAIN,
    /**
     * Nothing to run that the thread's wait needs, though other nodes are ready: soon, after a nap, since more may
     * become ready unheard.
     */
    NAP,
    /** Nothing to run for a while, and the worker has announced that it sleeps: when it was woken. */
    SLEEP
}

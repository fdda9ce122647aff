package dev.jacquard.engine;

/** What a worker's step came to, and what is to be done before the next. */
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

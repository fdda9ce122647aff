package dev.jacquard.flow.runtime;

/** The next step of a copy after an activation. */
enum Step {
    /** The copy has more to do. */
    AGAIN,
    /** The copy sleeps, in its stage's idle list or parked; the thread that takes it out of this state wakes it. */
    IDLE,
    /** The copy's input is closed, its body says that it is not done, and nothing can wake the copy. */
    STUCK,
    /** The copy has shut down. */
    ENDED
}

package dev.jacquard.flow.runtime;

/** What comes after an activation of a copy. */
enum Step {
    /** There is more to do. */
    AGAIN,
    /** It sleeps in its stage's idle list; whoever takes it off wakes it. */
    IDLE,
    /** Its input is closed, its body says that it is not done, and nothing can wake it. */
    STUCK,
    /** It has shut down. */
    ENDED
}

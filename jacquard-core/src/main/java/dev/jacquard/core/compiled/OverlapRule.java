package dev.jacquard.core.compiled;

/** The rules for a run that is started while another run of the same graph is in flight. */
public enum OverlapRule {
    /** Starting the run throws an {@link IllegalStateException}. */
    REFUSE,
    /** The run waits for its turn, first come first served. */
    QUEUE
}

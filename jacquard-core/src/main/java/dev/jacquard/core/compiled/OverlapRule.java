package dev.jacquard.core.compiled;

/** What becomes of a run that is started while another one of the same graph is in flight. */
public enum OverlapRule {
    /** An {@link IllegalStateException}. */
    REFUSE,
    /** It waits its turn, first come first served. */
    QUEUE
}

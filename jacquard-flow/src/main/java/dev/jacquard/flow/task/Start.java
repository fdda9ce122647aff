package dev.jacquard.flow.task;

/** The only input of a start task, which needs no producer. */
public enum Start {
    /** The signal to begin, or to go on. */
    SIGNAL
}

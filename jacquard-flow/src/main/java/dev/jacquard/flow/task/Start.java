package dev.jacquard.flow.task;

/** The one input of a start task, which needs no producer. */
public enum Start {
    /** Begin, or go on. */
    SIGNAL
}

package dev.jacquard.base.trace;

/** The amount that a trace keeps. */
public enum TraceMode {
    /** Nothing. */
    OFF,
    /** The spans of tasks on workers: one reading of the clock between two tasks that a worker runs back to back. */
    BASIC,
    /**
     * That, and every change of a task's state with its time: a reading of the clock each, and a number for each task.
     */
    STATES
}

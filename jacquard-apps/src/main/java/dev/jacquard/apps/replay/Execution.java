package dev.jacquard.apps.replay;

/**
 * The time and the place of a task's run.
 *
 * @param start when its body began, nanoseconds from the start of the run
 * @param end when it was over, its sub-tasks included
 * @param worker the thread that ran the body: "main" for the main thread, else "w1", "w2", …
 */
record Execution(long start, long end, String worker) {
    /** The name of the main thread. */
    public static final String MAIN = "main";
}

package dev.jacquard.flow;

/**
 * The options of a run.
 *
 * @param dedicated whether every task has a thread per copy; otherwise only tasks that are
 *     {@linkplain FlowTask#dedicated() dedicated}
 * @param inputBound the number of sent items that may wait at each task behind the input before {@link FlowRun#send}
 *     waits; 0 for no bound. Each sending thread may exceed the bound by one.
 */
public record FlowOptions(boolean dedicated, int inputBound) {
    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if the bound is negative
     */
    public FlowOptions {
        if (inputBound < 0) {
            throw new IllegalArgumentException("an input bound of " + inputBound + ": 0 (none) or more");
        }
    }

    /** Returns the defaults: tasks run on the engine's workers, and the input is not bounded. */
    public static FlowOptions defaults() {
        return new FlowOptions(false, 0);
    }

    /** Returns these options with a thread for each copy of each task. */
    public FlowOptions withDedicatedThreads() {
        return new FlowOptions(true, inputBound);
    }

    /** Returns these options with back pressure: see {@link #inputBound}. */
    public FlowOptions withInputBound(int items) {
        return new FlowOptions(dedicated, items);
    }
}

package dev.jacquard.flow;

/**
 * How to run a graph.
 *
 * @param dedicated whether every task has a thread per copy; otherwise only those that ask for it
 * @param inputBound how many sent items may wait for each task behind the input before {@link FlowRun#send} waits; 0:
 *     any number. Each sending thread may exceed it by one.
 */
public record FlowOptions(boolean dedicated, int inputBound) {
    /**
     * Options.
     *
     * @throws IllegalArgumentException when the bound is negative
     */
    public FlowOptions {
        if (inputBound < 0) {
            throw new IllegalArgumentException("an input bound of " + inputBound + ": 0 (none) or more");
        }
    }

    /** Tasks run on the engine's workers, and the input is not bounded. */
    public static FlowOptions defaults() {
        return new FlowOptions(false, 0);
    }

    /** These, with a thread for each copy of each task. */
    public FlowOptions withDedicatedThreads() {
        return new FlowOptions(true, inputBound);
    }

    /** These, with back pressure: see {@link #inputBound}. */
    public FlowOptions withInputBound(int items) {
        return new FlowOptions(dedicated, items);
    }
}

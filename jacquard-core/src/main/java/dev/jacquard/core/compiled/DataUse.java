package dev.jacquard.core.compiled;

/** The ways in which data gets to where the tasks of a compiled graph run. */
public enum DataUse {
    /** No task accesses data. */
    NONE,
    /**
     * All tasks access data on the host, and all of it fits there: each run makes sure once that the data is there, and
     * the tasks do nothing for it.
     */
    HOST,
    /**
     * Each task brings its data to where it runs, as in a live graph: there are tasks of devices, inner graphs, or too
     * much data.
     */
    STAGED
}

package dev.jacquard.core.compiled;

/** How the data that a compiled graph's tasks access gets to where they run. */
public enum DataUse {
    /** They access none. */
    NONE,
    /**
     * They touch data on the host alone, and all of it fits there: a run makes sure once that all is there, and tasks
     * do nothing for it.
     */
    HOST,
    /**
     * Each task brings what it needs to where it runs, as in a live graph: there are tasks of devices, inner graphs, or
     * too much data.
     */
    STAGED
}

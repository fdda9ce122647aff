package dev.jacquard.core.compiled;

/**
 * A run that is a task of a live graph, or of a run of another graph, and so has its place among live tasks already: it
 * waits for nothing but its turn.
 */
interface NestedRun extends Completion {
    /** False: the task that the run is has a place. */
    @Override
    default boolean isOrdered() {
        return false;
    }
}

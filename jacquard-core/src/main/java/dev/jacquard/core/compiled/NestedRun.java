package dev.jacquard.core.compiled;

/**
 * A run that is a task of a live graph, or of a run of another graph. Such a run has a place among live tasks already,
 * so it waits for its turn alone.
 */
interface NestedRun extends Completion {
    /** Returns false, since the task that stands for the run has the place. */
    @Override
    default boolean isOrdered() {
        return false;
    }
}

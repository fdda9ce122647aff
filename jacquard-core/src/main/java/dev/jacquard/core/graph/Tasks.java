package dev.jacquard.core.graph;

/** Where tasks are submitted: a graph, or the inside of a task that is refined. */
public interface Tasks {
    /**
     * Begins a task.
     *
     * @param task its name, for messages, traces and drawings; need not be unique
     * @throws IllegalStateException when nothing can be submitted here any more
     */
    TaskBuilder task(String task);
}

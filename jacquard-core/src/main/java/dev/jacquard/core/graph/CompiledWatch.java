package dev.jacquard.core.graph;

/** An observer of the states of a compiled graph's tasks. Called by the worker that makes the change. */
@FunctionalInterface
public interface CompiledWatch {
    /**
     * Tells the session's listeners.
     *
     * @return false if a listener threw, which ends the run
     */
    boolean changed(String graph, String task, TaskState state, int worker);
}

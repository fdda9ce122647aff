package dev.jacquard.core.graph;

/** Hears of every change of the state of a compiled graph's task, by the worker that makes the change. */
@FunctionalInterface
public interface CompiledWatch {
    /**
     * Tells the session's listeners.
     *
     * @return false when one of them threw, which ends the run
     */
    boolean changed(String graph, String task, TaskState state, int worker);
}

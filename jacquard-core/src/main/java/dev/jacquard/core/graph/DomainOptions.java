package dev.jacquard.core.graph;

import java.util.List;

/**
 * How the graphs of a session behave and are watched.
 *
 * @param keepsGraphs whether each graph remembers all of its tasks and edges
 * @param listeners who is told of every change of a task's state
 */
public record DomainOptions(boolean keepsGraphs, List<TaskListener> listeners) {
    /** Nobody looks, and nothing is remembered. */
    public static final DomainOptions NONE = new DomainOptions(false, List.of());

    public DomainOptions {
        listeners = List.copyOf(listeners);
    }
}

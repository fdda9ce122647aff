package dev.jacquard.core.graph;

import java.util.List;

/**
 * How the graphs of a session are watched.
 *
 * @param listeners who is told of every change of a task's state
 */
public record DomainOptions(List<TaskListener> listeners) {
    /** Nobody looks. */
    public static final DomainOptions NONE = new DomainOptions(List.of());

    public DomainOptions {
        listeners = List.copyOf(listeners);
    }
}

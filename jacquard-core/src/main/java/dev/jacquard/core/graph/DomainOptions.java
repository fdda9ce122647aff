package dev.jacquard.core.graph;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the graphs of a session behave and are watched.
 *
 * @param keepsGraphs whether each graph remembers all of its tasks and edges
 * @param listeners who is told of every change of a task's state
 * @param checking how bodies are watched for touching what they did not declare; null for not at all
 * @param staging who brings data to where tasks run; null where there is no data but the host's
 */
public record DomainOptions(
        boolean keepsGraphs,
        List<TaskListener> listeners,
        @Nullable Checking checking,
        @Nullable Staging staging) {
    /** Nobody looks, and nothing is remembered. */
    public static final DomainOptions NONE = new DomainOptions(false, List.of(), null, null);

    public DomainOptions {
        listeners = List.copyOf(listeners);
    }
}

package dev.jacquard.core.graph;

import dev.jacquard.memory.residency.Staging;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which the graphs of a session behave and are watched.
 *
 * @param keepsGraphs whether each graph remembers all of its tasks and edges
 * @param listeners called at every change of a task's state
 * @param checking the way in which bodies are watched for touching what they did not declare; null for none
 * @param staging brings data to where tasks run; null where there is no data but the host's
 * @param warnings told, on threads of their own, of tasks that do not end though they were asked to
 */
public record DomainOptions(
        boolean keepsGraphs,
        List<TaskListener> listeners,
        @Nullable Checking checking,
        @Nullable Staging staging,
        Consumer<? super String> warnings) {
    /** No listeners, no memory of graphs; warnings go to the system's logger. */
    public static final DomainOptions NONE = new DomainOptions(
            false,
            List.of(),
            null,
            null,
            text -> System.getLogger(TaskGraph.class.getName()).log(Level.WARNING, text));

    public DomainOptions {
        listeners = List.copyOf(listeners);
    }
}

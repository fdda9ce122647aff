package dev.jacquard.core.graph;

import dev.jacquard.memory.residency.Staging;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of the graphs of a session.
 *
 * @param keepsGraphs true if each graph keeps a log of all its tasks and edges
 * @param listeners the listeners, called at every change of a task's state
 * @param checking the mode that detects accesses which tasks did not declare; null for none
 * @param staging the staging, which brings data to where tasks run; null if there is no data but the host's
 * @param warnings the receiver of warnings of tasks that do not end though they were asked to; called on threads of its
 *     own
 */
public record DomainOptions(
        boolean keepsGraphs,
        List<TaskListener> listeners,
        @Nullable Checking checking,
        @Nullable Staging staging,
        Consumer<? super String> warnings) {
    /** Options without listeners and logs of graphs; warnings go to the system's logger. */
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

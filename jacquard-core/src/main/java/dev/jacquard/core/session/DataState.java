package dev.jacquard.core.session;

import dev.jacquard.core.graph.UserView;
import dev.jacquard.memory.coherence.ReplicaLocations;
import java.util.List;

/**
 * The places of some data at one moment, and the tasks and views that held it. Immutable.
 *
 * @param name of the data
 * @param where its versions and replicas
 * @param views the user views that were open for it
 * @param freed whether its memory was given back
 */
public record DataState(String name, ReplicaLocations where, List<UserView> views, boolean freed) {
    public DataState {
        views = List.copyOf(views);
    }

    /** Returns true if a task, a copy or a user view uses it. */
    public boolean isInUse() {
        return !views.isEmpty() || where.replicas().stream().anyMatch(replica -> replica.users() > 0);
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("data \"").append(name).append("\": ").append(freed ? "freed, " : "");
        views.forEach(view -> text.append("\n  ").append(view));
        return text.append(where).toString();
    }
}

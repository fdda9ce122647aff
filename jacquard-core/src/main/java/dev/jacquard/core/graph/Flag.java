package dev.jacquard.core.graph;

import java.util.Objects;

/**
 * Something about a task that is constant for its life and that accesses do not tell. Two mean something to the graph; those of the
 * users' own are read by scheduling policies.
 *
 * <p>Source: the resource-register document, section 3.1.
 *
 * @param name for messages and policies
 */
public record Flag(String name) {
    /** Only the session's main thread runs the task, whoever waits. */
    public static final Flag MAIN_THREAD = new Flag("main");

    /**
     * A barrier: everything submitted before is over before the task starts, and the task is over before anything submitted later
     * starts. Counts for the graph's own tasks, or for those inside the same task.
     */
    public static final Flag SYNCHRONIZING = new Flag("synchronizing");

    public Flag {
        Objects.requireNonNull(name, "name");
        if (name.isBlank()) {
            throw new IllegalArgumentException("a flag needs a name");
        }
    }

    /** A flag of the users' own. */
    public static Flag named(String name) {
        Objects.requireNonNull(name, "name");
        return new Flag(name);
    }

    @Override
    public String toString() {
        return name;
    }
}

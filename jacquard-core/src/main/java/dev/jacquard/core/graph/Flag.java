package dev.jacquard.core.graph;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A constant property of a task that its accesses do not express. Two flags mean something to the graph; flags that
 * users define are read by scheduling policies.
 *
 * <p>Immutable. Flags that users define are equal if their names are, and never equal to one of the graph's two.
 *
 * <p>Source: the resource-register document, section 3.1.
 */
public final class Flag {
    /** Only the session's main thread runs the task, whichever thread waits. */
    public static final Flag MAIN_THREAD = new Flag("main", false);

    /**
     * A barrier: everything submitted before is over before the task starts, and the task is over before anything
     * submitted later starts. Holds for the graph's own tasks, or for the tasks inside the same task.
     */
    public static final Flag SYNCHRONIZING = new Flag("synchronizing", false);

    private final String name;
    private final boolean own;

    private Flag(String name, boolean own) {
        this.name = name;
        this.own = own;
    }

    /**
     * Returns a flag that the user defines.
     *
     * @param name for messages and policies
     * @throws IllegalArgumentException if the name is blank
     */
    public static Flag named(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isBlank()) {
            throw new IllegalArgumentException("the name of a flag is blank: give one that tells it from other flags");
        }
        return new Flag(name, true);
    }

    /** Returns the name, for messages and policies. */
    public String name() {
        return name;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (own && other instanceof Flag flag && flag.own && flag.name.equals(name));
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, own);
    }

    @Override
    public String toString() {
        return name;
    }
}

package dev.jacquard.core.graph;

import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Resource;
import org.jspecify.annotations.Nullable;

/** Checks of accesses, and their refusals. For packages that build graphs. */
public final class Accesses {
    private Accesses() {}

    /** Returns the exception for a body that touches {@code handle}, which its task has not declared. */
    static IllegalArgumentException undeclared(String task, Resource handle) {
        return new IllegalArgumentException("task \"" + task + "\" touches \"" + handle.name()
                + "\" without a declared access: declare it with reads, updates, writes or accesses");
    }

    /**
     * Requires that the memory of {@code data} has not been given back.
     *
     * @throws IllegalStateException if it has been given back
     */
    public static void requireThere(String task, Data data) {
        requireThere(task, data, null);
    }

    /**
     * Requires that the memory of {@code data} has not been given back.
     *
     * @param around the task that {@code task} is a part of: the data that it declares stays until it is over; null for
     *     none
     * @throws IllegalStateException if it has been given back
     */
    static void requireThere(String task, Data data, @Nullable TaskNode around) {
        if (data.isFreed() && (around == null || !around.declared().has(data))) {
            throw new IllegalStateException("task \"" + task + "\" accesses data \"" + data.name()
                    + "\", whose memory was given back: free it behind its last task, or make new data");
        }
    }
}

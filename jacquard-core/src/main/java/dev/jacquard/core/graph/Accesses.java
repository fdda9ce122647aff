package dev.jacquard.core.graph;

import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Resource;
import org.jspecify.annotations.Nullable;

/** Refusals of accesses. For those who make graphs. */
public final class Accesses {
    private Accesses() {}

    /** What to tell a body that touches what its task, of that name, has not declared. */
    static IllegalArgumentException undeclared(String task, Resource handle) {
        return new IllegalArgumentException("task \"" + task + "\" touches \"" + handle.name()
                + "\" without a declared access: declare it with reads, updates, writes or accesses");
    }

    /**
     * Throws if the memory of some data is given back.
     *
     * @throws IllegalStateException when it is
     */
    public static void requireThere(String task, Data data) {
        requireThere(task, data, null);
    }

    /**
     * Throws if the memory of some data is given back.
     *
     * @param around the task in whose inside the access is: what it has declared stays until it is over; null for none
     * @throws IllegalStateException when it is
     */
    static void requireThere(String task, Data data, @Nullable TaskNode around) {
        if (data.isFreed() && (around == null || !around.declared().has(data))) {
            throw new IllegalStateException("task \"" + task + "\" accesses data \"" + data.name()
                    + "\", whose memory was given back: free it behind its last task, or make new data");
        }
    }
}

package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.Accesses;
import dev.jacquard.core.graph.Named;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.residency.Parts;
import org.jspecify.annotations.Nullable;

/**
 * What a task is besides its body: touched when something is unusual, or asked for.
 *
 * @param name for messages, traces and drawings
 * @param index its number, as the builder gave it
 * @param spanName its name's number in the trace; 0 when nothing is traced
 * @param accesses what it declares
 * @param guards all must be open, else the task is skipped
 * @param decision when the task chooses
 * @param inner when the task is a graph
 * @param staged when the task accesses data
 */
record TaskTraits(
        String name,
        int index,
        int spanName,
        AccessList accesses,
        Guard[] guards,
        @Nullable Decision decision,
        @Nullable InnerRun inner,
        @Nullable StagedStep staged) {

    boolean isUnusual() {
        return guards.length > 0 || inner != null || staged != null;
    }

    boolean isOpen() {
        for (Guard guard : guards) {
            if (!guard.isOpen()) {
                return false;
            }
        }
        return true;
    }

    /** What a task that did not run leaves: no branch is chosen. */
    void forget() {
        if (decision != null) {
            decision.forget();
        }
    }

    <T> T get(Handle<T> handle) {
        if (accesses.has(handle)) {
            return handle.value();
        }
        throw undeclared(handle);
    }

    IllegalArgumentException undeclared(Resource resource) {
        return new IllegalArgumentException("task \"" + name + "\" touches \"" + resource.name()
                + "\" without a declared access: declare it when the graph is built");
    }

    <T> T get(String handle, Class<T> type) {
        return Named.value(name, accesses, handle, type);
    }

    /** Worker and accesses, for a message. */
    String details(int worker) {
        return "worker " + worker + (accesses.isEmpty() ? "" : " (" + accesses + ')');
    }

    /**
     * Checks what a task declares.
     *
     * @throws IllegalArgumentException when a resource is another owner's, or data cannot be accessed like that
     * @throws IllegalStateException when data was freed
     */
    static void requireAccesses(String graph, String task, Object owner, AccessList accesses) {
        accesses.each((resource, access) -> {
            if (resource.owner() != owner) {
                throw new IllegalArgumentException("task \"" + task + "\" of compiled graph \"" + graph
                        + "\" accesses \"" + resource.name() + "\", which belongs to another session");
            }
            if (resource instanceof Data data) {
                Accesses.requireThere(task, data);
                Parts.requireSupported(task, resource, access);
            }
        });
    }
}

package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.Accesses;
import dev.jacquard.core.graph.Named;
import dev.jacquard.memory.access.Access;
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
 * @param accesses resource and access in turn
 * @param guards all must be open, else the task is skipped
 * @param decision when the task chooses
 * @param inner when the task is a graph
 * @param staged when the task accesses data
 */
record TaskTraits(
        String name,
        int index,
        int spanName,
        Object[] accesses,
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
        if (Accesses.has(accesses, handle)) {
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
        return "worker " + worker + (accesses.length == 0 ? "" : " (" + Accesses.text(accesses) + ')');
    }

    /**
     * Checks pairs of resource and access.
     *
     * @throws IllegalArgumentException when they are something else, a resource is another owner's, or data cannot be
     *     accessed like that
     * @throws IllegalStateException when data was freed
     */
    static Object[] requireAccesses(String graph, String task, Object owner, Object[] pairs) {
        String where = "task \"" + task + "\" of compiled graph \"" + graph + '"';
        if (pairs.length % 2 != 0) {
            throw new IllegalArgumentException(
                    where + " has " + pairs.length + " accesses and resources: give a resource and an access in turn");
        }
        for (int i = 0; i < pairs.length; i += 2) {
            if (!(pairs[i] instanceof Resource resource) || !(pairs[i + 1] instanceof Access access)) {
                throw new IllegalArgumentException(
                        where + ": \"" + pairs[i] + "\", \"" + pairs[i + 1] + "\" is not a resource and an access");
            }
            if (resource.owner() != owner) {
                throw new IllegalArgumentException(
                        where + " accesses \"" + resource.name() + "\", which belongs to another session");
            }
            if (resource instanceof Data data) {
                Accesses.requireThere(task, data);
                Parts.requireSupported(task, resource, access);
            }
        }
        return pairs.clone();
    }
}

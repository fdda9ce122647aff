package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.Accesses;
import dev.jacquard.core.graph.Named;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.residency.Parts;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a task besides its body: touched only when something is unusual, or asked for.
 *
 * @param name its name, for messages, traces and drawings
 * @param index the number that the builder gave it
 * @param accesses the accesses that the task declares
 * @param guards the branches that must all be chosen; else the task is skipped
 * @param decision the decision of a task that chooses; else null
 * @param inner the inner run of a task that is a graph; else null
 * @param staged brings the data of a task that accesses data; else null
 * @param claimedByRun true if the run claims data for all of its tasks, unless it cannot
 * @param standing its standing for policies and snapshots
 */
record TaskTraits(
        String name,
        int index,
        AccessList accesses,
        Guard[] guards,
        @Nullable Decision decision,
        @Nullable InnerRun inner,
        @Nullable StagedStep staged,
        boolean claimedByRun,
        Standing standing) {

    boolean isUnusual() {
        return guards.length > 0 || inner != null || (staged != null && !claimedByRun);
    }

    /** Returns true if a node that runs this task runs all of its work. */
    boolean runsAtOnce() {
        return inner == null && (staged == null || claimedByRun);
    }

    /** Returns the first resource that the task writes; its name if it writes none. */
    Object locality() {
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.access(i).writes()) {
                return accesses.resource(i);
            }
        }
        return name;
    }

    /** Returns the task as snapshots have it. */
    GraphSnapshot.Task drawn(long id) {
        long nanos = standing.nanos();
        return GraphSnapshot.Task.of(id, name)
                .withWeight(nanos > 0 ? nanos : GraphSnapshot.Task.UNKNOWN)
                .withPriority(standing.asked.priority())
                .withFlags(standing.flags)
                .withAccesses(accesses.toString());
    }

    boolean isOpen() {
        for (Guard guard : guards) {
            if (!guard.isOpen()) {
                return false;
            }
        }
        return true;
    }

    /** Forgets the choice of a task that did not run: no branch is chosen. */
    void forget() {
        if (decision != null) {
            decision.forget();
        }
    }

    <T> T get(Handle<T> handle) {
        if (accesses.has(handle)) {
            return handle.granted();
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

    /** Returns the worker and the accesses, for a message. */
    String details(int worker) {
        return "worker " + worker + (accesses.isEmpty() ? "" : " (" + Accesses.brief(accesses) + ')');
    }

    /**
     * Checks the accesses of a task.
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
                Accesses.requireWritable(task, data, access);
                Parts.requireWithin(task, data, access);
            }
        });
    }
}

package dev.jacquard.core.graph;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.memory.access.AccessList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are submitted to be frozen instead of run. Their edges are inferred from their accesses, as in a live
 * graph.
 *
 * <p>For compiled graphs, which are made of a recording. Threads: confined to one.
 */
public final class Recording implements Tasks {
    private final RecordingScope scope;

    /**
     * Creates an empty recording.
     *
     * @param name for messages
     * @param domain the domain of the session whose resources the tasks may access
     */
    public Recording(String name, DependencyDomain domain) {
        scope = new RecordingScope(new TaskGraph(name, domain, FailurePolicy.CONTINUE), domain);
    }

    /**
     * A recorded task.
     *
     * @param name the name of the task
     * @param body the work of the task, in every run
     * @param accesses the accesses that the task declares
     * @param place the place where the task runs
     * @param staged true if the data that the task accesses is to be brought to that place
     * @param device the work of its device; null when the task runs on the host
     */
    public record Entry(
            String name,
            TaskBody body,
            AccessList accesses,
            Place place,
            boolean staged,
            KernelCall.@Nullable OnDevice device) {}

    /** A visitor of the edges of a recording. */
    @FunctionalInterface
    public interface EdgeVisitor {
        /** Visits an edge: task number {@code later} waits for task number {@code earlier}. */
        void edge(int earlier, int later, boolean carriesFailure);
    }

    @Override
    public TaskBuilder task(String task) {
        return new TaskBuilder(scope, task);
    }

    /** Returns the tasks so far, in order; the number of a task is its index. */
    public List<Entry> entries() {
        return scope.entries();
    }

    /** Returns the number of tasks so far. */
    public int size() {
        return scope.entries().size();
    }

    /** Shows all edges to {@code visitor}. */
    public void edges(EdgeVisitor visitor) {
        scope.edges(visitor);
    }

    /** Closes the recording: nothing can be submitted any more. */
    public void close() {
        scope.close();
    }
}

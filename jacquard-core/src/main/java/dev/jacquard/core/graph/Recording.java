package dev.jacquard.core.graph;

import dev.jacquard.base.machine.Place;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.device.DeviceBody;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are submitted to be frozen instead of run: their edges are inferred as in a live graph, from their
 * accesses among themselves.
 *
 * <p>For compiled graphs, which make a graph of it. Threads: confined to one.
 */
public final class Recording implements Tasks {
    private final RecordingScope scope;

    /**
     * An empty recording.
     *
     * @param name for messages
     * @param domain of the session whose resources the tasks may access
     */
    public Recording(String name, DependencyDomain domain) {
        scope = new RecordingScope(new TaskGraph(name, domain, FailurePolicy.CONTINUE), domain);
    }

    /**
     * A recorded task.
     *
     * @param name as given
     * @param body what it does, in every run
     * @param accesses what it declares
     * @param place where it runs
     * @param staged whether what it accesses of data is to be brought to it
     * @param device what its device does; null when it runs on the host
     */
    public record Entry(
            String name,
            TaskBody body,
            AccessList accesses,
            Place place,
            boolean staged,
            @Nullable OnDevice device) {}

    /**
     * A task's work on a device.
     *
     * @param body tells the device
     * @param numbers its first arguments
     */
    public record OnDevice(DeviceBody body, List<Object> numbers) {}

    /** Sees the edges of a recording. */
    @FunctionalInterface
    public interface EdgeVisitor {
        /** Task number {@code later} waits for task number {@code earlier}. */
        void edge(int earlier, int later, boolean carriesFailure);
    }

    @Override
    public TaskBuilder task(String task) {
        return new TaskBuilder(scope, task);
    }

    /** The tasks so far, in order; their numbers are their places. */
    public List<Entry> entries() {
        return scope.entries();
    }

    /** How many tasks there are so far. */
    public int size() {
        return scope.entries().size();
    }

    /** Shows all edges to {@code visitor}. */
    public void edges(EdgeVisitor visitor) {
        scope.edges(visitor);
    }

    /** From now on nothing can be submitted. */
    public void close() {
        scope.close();
    }
}

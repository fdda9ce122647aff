package dev.jacquard.flow.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The use of time and memory by the parts of a run: a snapshot that can be taken while the graph runs.
 *
 * @param graph the graph's name
 * @param outcome the state of the run
 * @param elapsedNanos time from the start of the run to now, or to its end
 * @param tasks the tasks, bookkeepers included, in the order in which they were added
 * @param memories the memory edges
 * @param links the edges between the tasks; {@link #INPUT} and {@link #OUTPUT} are the graph's ends
 */
public record FlowProfile(
        String graph,
        FlowReport.Outcome outcome,
        long elapsedNanos,
        List<Task> tasks,
        List<Memory> memories,
        List<Link> links) {
    /** The name of the graph's input in links. */
    public static final String INPUT = "input";
    /** The name of the graph's output in links. */
    public static final String OUTPUT = "output";

    /**
     * One task.
     *
     * @param name unique in its graph
     * @param bookkeeper whether the task is a bookkeeper
     * @param dedicated whether each copy has its own thread
     * @param copies the number of copies
     * @param activeProducers copies that may still send to the task
     * @param queued items in the task's queue now, including items that wait for a buffer
     * @param largestQueue the most items that the queue held
     * @param itemsIn items that were worked on
     * @param itemsOut items that were emitted
     * @param computeNanos time in the task's bodies, all copies together
     * @param waitNanos time between activations, all copies together
     * @param devices the devices that the copies are bound to, in the order of the copies; empty if they are bound to
     *     none
     * @param stagingNanos time in which data of at least one engine task that the task submitted was on its way, or
     *     waited for room
     * @param runningNanos time in which at least one engine task that the task submitted ran, on the task's devices if
     *     it is bound to some. Staging and running overlap where transfers and kernels do
     */
    public record Task(
            String name,
            boolean bookkeeper,
            boolean dedicated,
            int copies,
            int activeProducers,
            long queued,
            long largestQueue,
            long itemsIn,
            long itemsOut,
            long computeNanos,
            long waitNanos,
            List<String> devices,
            long stagingNanos,
            long runningNanos) {
        /** Returns true if the task submitted tasks to the engine, or is bound to devices. */
        boolean submits() {
            return stagingNanos + runningNanos > 0 || !devices.isEmpty();
        }
    }

    /**
     * One memory edge.
     *
     * @param name unique in its graph
     * @param size buffers in the pool
     * @param live buffers lent now; not buffers that are released while engine tasks still use them
     * @param peak the most that were lent at once
     * @param taken loans so far
     * @param waitNanos time that items and threads waited for a buffer
     * @param limitBytes the most bytes that all lent buffers together may have; 0 if the edge counts no bytes
     * @param liveBytes the bytes of the buffers that are lent now
     * @param peakBytes the most bytes that were lent at once
     * @param loads the keys that were loaded, of an edge that lends by key
     * @param takers names of tasks that declare to take
     * @param releasers names of tasks that declare to release
     */
    public record Memory(
            String name,
            int size,
            int live,
            int peak,
            long taken,
            long waitNanos,
            long limitBytes,
            long liveBytes,
            long peakBytes,
            long loads,
            List<String> takers,
            List<String> releasers) {}

    /**
     * An edge of the graph.
     *
     * @param from a task, or {@link #INPUT}
     * @param to a task, or {@link #OUTPUT}
     * @param items items that were sent along it
     */
    public record Link(String from, String to, long items) {}

    /** Returns the compute time of all tasks. */
    public long computeNanos() {
        return tasks.stream().mapToLong(Task::computeNanos).sum();
    }

    /** Returns the share of {@code task} in the compute time of all tasks, from 0 to 1. */
    public double impact(Task task) {
        return task.computeNanos() / (double) Math.max(1, computeNanos());
    }

    /** Returns a drawing in Graphviz's language. */
    public String toDot() {
        return DotDrawing.of(this);
    }

    /** Returns a drawing that any browser shows, without another program. */
    public String toSvg() {
        return new SvgDrawing(this).text();
    }

    /**
     * Writes {@link #toSvg()} to {@code file}.
     *
     * @throws IOException if the file cannot be written
     */
    public void writeSvg(Path file) throws IOException {
        Files.writeString(file, toSvg());
    }
}

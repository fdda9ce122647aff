package dev.jacquard.flow.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where the time and the memory of a run go: a snapshot that can be taken while it runs.
 *
 * @param graph the graph's name
 * @param outcome how the run stands
 * @param elapsedNanos from its start to now, or to its end
 * @param tasks the tasks, bookkeepers included, in the order in which they were added
 * @param memories the memory edges
 * @param links who sends to whom; {@link #INPUT} and {@link #OUTPUT} are the graph's ends
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
     * @param bookkeeper whether it is a bookkeeper
     * @param dedicated whether each copy has a thread of its own
     * @param copies how many copies it has
     * @param activeProducers copies that may still send to it
     * @param queued items in its queue now, those that wait for a buffer included
     * @param largestQueue the most items that its queue held
     * @param itemsIn items that were worked on
     * @param itemsOut items that were emitted
     * @param computeNanos time in its bodies, all copies together
     * @param waitNanos time between activations, all copies together
     * @param devices the devices that its copies are bound to, in the order of the copies; none when they are bound to
     *     none
     * @param stagingNanos time in which data of engine tasks that it submitted was on its way, or waited for room
     * @param runningNanos time in which engine tasks that it submitted ran: on its devices, if it is bound to some.
     *     Both are times in which at least one did, and overlap where copies and kernels do
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
        /** Whether it submitted tasks to the engine, or is there to. */
        boolean submits() {
            return stagingNanos + runningNanos > 0 || !devices.isEmpty();
        }
    }

    /**
     * One memory edge.
     *
     * @param name unique in its graph
     * @param size buffers in the pool
     * @param live buffers lent now
     * @param peak the most that were lent at once
     * @param taken loans so far
     * @param waitNanos time that items and threads waited for a buffer
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

    /** Compute time of all tasks. */
    public long computeNanos() {
        return tasks.stream().mapToLong(Task::computeNanos).sum();
    }

    /** The share of the compute time that {@code task} has: 0 to 1. */
    public double impact(Task task) {
        return task.computeNanos() / (double) Math.max(1, computeNanos());
    }

    /** A drawing in Graphviz's language. */
    public String toDot() {
        return new DotDrawing(this).text();
    }

    /** A drawing that any browser shows; needs no other program. */
    public String toSvg() {
        return new SvgDrawing(this).text();
    }

    /**
     * Writes {@link #toSvg()} to {@code file}.
     *
     * @throws IOException when the file cannot be written
     */
    public void writeSvg(Path file) throws IOException {
        Files.writeString(file, toSvg());
    }
}

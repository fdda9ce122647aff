package dev.jacquard.flow.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The use of time and memory by the parts of a run: a snapshot that can be taken while the graph runs. Times are of the
 * moment of the snapshot; the items that a copy has worked on are as of the end of its last batch.
 *
 * @param graph the graph's name
 * @param outcome the state of the run
 * @param elapsedNanos time from the start of the run to now, or to its end
 * @param tasks the tasks, bookkeepers included, in the order in which they were added
 * @param memories the memory edges
 * @param links the edges between the tasks; {@link #INPUT} and {@link #OUTPUT} are the graph's ends
 * @param pipelines the work of the copies of each pipeline; outer pipelines before the pipelines inside
 */
public record FlowProfile(
        String graph,
        FlowReport.Outcome outcome,
        long elapsedNanos,
        List<Task> tasks,
        List<Memory> memories,
        List<Link> links,
        List<PipelineBalance> pipelines) {
    /** The name of the graph's input in links. */
    public static final String INPUT = "input";
    /** The name of the graph's output in links. */
    public static final String OUTPUT = "output";

    /**
     * One task. The times of a task are the sums of those of its copies.
     *
     * @param name unique in its graph
     * @param bookkeeper whether the task is a bookkeeper
     * @param dedicated whether each copy has its own thread
     * @param activeProducers copies that may still send to the task
     * @param queued items in the task's queue now, including items that wait for a buffer
     * @param largestQueue the most items that the queue, which all copies share, held
     * @param stagingNanos time in which data of at least one engine task that the task submitted was on its way, or
     *     waited for room
     * @param runningNanos time in which at least one engine task that the task submitted ran, on the task's devices if
     *     it is bound to some. Staging and running overlap where transfers and kernels do
     * @param copies the copies
     */
    public record Task(
            String name,
            boolean bookkeeper,
            boolean dedicated,
            int activeProducers,
            long queued,
            long largestQueue,
            long stagingNanos,
            long runningNanos,
            List<Copy> copies) {
        /** Returns the number of items that were worked on. */
        public long itemsIn() {
            return sum(Copy::itemsIn);
        }

        /** Returns the number of items that were emitted. */
        public long itemsOut() {
            return sum(Copy::itemsOut);
        }

        /** Returns the time in the task's bodies. */
        public long computeNanos() {
            return sum(Copy::computeNanos);
        }

        /** Returns the time in which copies had no item. */
        public long waitNanos() {
            return sum(Copy::waitNanos);
        }

        /** Returns the time in which copies handed items over, and waited for locks. */
        public long lockNanos() {
            return sum(Copy::lockNanos);
        }

        /** Returns the time in which copies waited for buffers. */
        public long memoryWaitNanos() {
            return sum(Copy::memoryWaitNanos);
        }

        /** Returns the devices that the copies are bound to, in the order of the copies; empty for none. */
        public List<String> devices() {
            return copies.stream()
                    .map(Copy::device)
                    .filter(device -> !device.isEmpty())
                    .distinct()
                    .toList();
        }

        private long sum(ToLongFunction<Copy> figure) {
            return copies.stream().mapToLong(figure).sum();
        }

        /** Returns true if the task submitted tasks to the engine, or is bound to devices. */
        boolean submits() {
            return stagingNanos + runningNanos > 0 || !devices().isEmpty();
        }
    }

    /**
     * One copy of a task. Its four times add up to the time from the start of the run to now, or to the end of the
     * copy.
     *
     * @param index its number among the copies of its task
     * @param device the device that it is bound to; empty for none
     * @param itemsIn items that it has worked on
     * @param itemsOut items that it has emitted
     * @param computeNanos time in its body
     * @param waitNanos time without an item: none was there, or the copy was ready and waited for a worker
     * @param lockNanos time in which it took items from the queue and passed results on, locks included. Measured in
     *     one of eight activations, and estimated from these
     * @param memoryWaitNanos time without an item while items of its task waited for buffers, and in a body that waited
     *     for a buffer itself
     * @param itemNanos the mean time of an item, its engine tasks included and waits for buffers not, if items are
     *     routed by measured time; else 0
     */
    public record Copy(
            int index,
            String device,
            long itemsIn,
            long itemsOut,
            long computeNanos,
            long waitNanos,
            long lockNanos,
            long memoryWaitNanos,
            long itemNanos) {}

    /**
     * One memory edge.
     *
     * @param name unique in its graph
     * @param size buffers in the pool
     * @param live buffers lent now; not buffers that are released while engine tasks still use them
     * @param peak the most that were lent at once
     * @param taken loans so far
     * @param waitNanos time that items and threads waited for a buffer, each for itself
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
     * @param bound the most items that may wait at its end; 0 if it has no bound
     * @param waitNanos time that items waited for room at its end before they were worked on, each for itself; 0 if it
     *     has no bound
     */
    public record Link(String from, String to, long items, int bound, long waitNanos) {
        /** An edge without bound. */
        public Link(String from, String to, long items) {
            this(from, to, items, 0, 0);
        }

        /** Returns the edge with the items of {@code other}, too, which joins the same tasks. */
        public Link plus(Link other) {
            return new Link(
                    from, to, items + other.items, Math.max(bound, other.bound), Math.max(waitNanos, other.waitNanos));
        }
    }

    /**
     * The task that limits the throughput of a run.
     *
     * @param task its name
     * @param itemsPerSecond the items that it worked on per second of the run
     * @param busy the share of the run's time in which it was {@linkplain FlowProfile#busy busy}, from 0 to 1. Far
     *     below 1, something else limits the run: the sender, too few workers, or a memory edge
     */
    public record Bottleneck(String task, double itemsPerSecond, double busy) {}

    /** Returns the compute time of all tasks. */
    public long computeNanos() {
        return tasks.stream().mapToLong(Task::computeNanos).sum();
    }

    /** Returns the share of {@code task} in the compute time of all tasks, from 0 to 1. */
    public double impact(Task task) {
        return task.computeNanos() / (double) Math.max(1, computeNanos());
    }

    /** Returns the number of items that {@code task} worked on per second of the run. */
    public double itemsPerSecond(Task task) {
        return task.itemsIn() * 1e9 / Math.max(1, elapsedNanos);
    }

    /**
     * Returns the share of the run's time in which {@code task} was busy, from 0 to 1: its copies on average, or its
     * engine tasks, or their transfers, whichever is the most.
     */
    public double busy(Task task) {
        double elapsed = Math.max(1, elapsedNanos);
        double copies = (task.computeNanos() + task.lockNanos())
                / Math.max(1.0, task.copies().size());
        return Math.clamp(
                Math.max(copies, (double) Math.max(task.stagingNanos(), task.runningNanos())) / elapsed, 0, 1);
    }

    /** Returns the busiest task; empty as long as none has worked on an item. */
    public Optional<Bottleneck> bottleneck() {
        return tasks.stream()
                .filter(task -> task.itemsIn() > 0)
                .max(Comparator.comparingDouble(this::busy))
                .map(task -> new Bottleneck(task.name(), itemsPerSecond(task), busy(task)));
    }

    /** Returns the task with that name; empty if there is none. */
    public Optional<Task> task(String name) {
        return tasks.stream().filter(task -> task.name().equals(name)).findFirst();
    }

    /** Returns a table for people: a line per task and memory edge, and one for the bottleneck. */
    public String toText() {
        return ProfileText.of(this);
    }

    /** Returns a drawing in Graphviz's language. The copies of a pipeline are drawn once, with their sums. */
    public String toDot() {
        return DotDrawing.of(FoldedProfile.of(this));
    }

    /**
     * Returns a drawing that any browser shows, without another program. The copies of a pipeline are drawn once, with
     * their sums.
     */
    public String toSvg() {
        return new SvgDrawing(FoldedProfile.of(this)).text();
    }

    /**
     * Writes {@link #toSvg()} to {@code file}.
     *
     * @throws IOException if the file cannot be written
     */
    public void writeSvg(Path file) throws IOException {
        Files.writeString(file, toSvg());
    }

    /** Returns all figures as a JSON document, which {@link #ofJson} reads, with the bottleneck. */
    public String toJson() {
        return ProfileJson.text(this);
    }

    /**
     * Writes {@link #toJson()} to {@code file}.
     *
     * @throws IOException if the file cannot be written
     */
    public void writeJson(Path file) throws IOException {
        Files.writeString(file, toJson());
    }

    /**
     * Returns the profile in a document of {@link #toJson()}.
     *
     * @throws IllegalArgumentException if {@code text} is no such document; says where
     */
    public static FlowProfile ofJson(String text) {
        return ProfileJson.profile(text);
    }

    /**
     * Reads a file of {@link #writeJson}.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if it holds no profile; says where
     */
    public static FlowProfile readJson(Path file) throws IOException {
        String text = Files.readString(file);
        try {
            return ofJson(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /** Returns the profiles of two runs side by side. */
    public static ProfileComparison compare(FlowProfile before, FlowProfile after) {
        return ProfileComparison.of(before, after);
    }
}

package dev.jacquard.insight.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The parallelism that the shape of a graph allows: the critical path, the greatest speedup that any number of workers
 * can give, and how many tasks can run at once.
 *
 * <p>It looks at the edges of the snapshot that it is given: pass {@link GraphSnapshot#dependencyGraph()} to leave the
 * edges of a policy aside. Times are the tasks' weights, in nanoseconds; a task without one counts as the mean of the
 * others, and when no task has one, each counts as 1. Communication costs nothing. A refined task starts before its
 * sub-tasks and ends after them; its own weight is one more piece in addition to them.
 *
 * <p>Takes time in proportion to tasks and edges, and a sort of the starts and ends.
 *
 * <p>Threads: immutable. Source: the expressions document, sections 2.3.3, 2.3.4, 3.1.8 and 3.1.12.
 */
public final class GraphAnalysis {
    /**
     * A step of the width: from a moment on, {@code running} tasks run.
     *
     * @param time nanoseconds since the start, or steps when no weight is known
     * @param running tasks that run until the next step
     */
    public record WidthStep(long time, int running) {}

    /**
     * How to share threads between whole tasks and the operators inside them.
     *
     * @param tasks threads that run tasks: at least 1, and no more than the graph can keep busy on average
     * @param operators the rest
     */
    public record ThreadSplit(int tasks, int operators) {}

    private final GraphSnapshot graph;
    private final boolean measured;
    private final long[] weights;
    private final EarliestTimes times;
    private final int[] consumers;
    private final long tau1;
    private final int depth;
    private final List<Long> criticalPath;
    private final List<WidthStep> width;

    private GraphAnalysis(GraphSnapshot graph) {
        this.graph = graph;
        this.measured = graph.tasks().stream().anyMatch(GraphSnapshot.Task::hasWeight);
        this.weights = weights(graph);
        this.tau1 = sum(weights);
        this.times = new EarliestTimes(graph, weights);
        this.consumers = times.consumers();
        this.depth =
                1 + IntStream.range(0, weights.length).map(times::depth).max().orElse(-1);
        this.criticalPath = times.longestPath().stream()
                .map(task -> graph.tasks().get(task).id())
                .toList();
        this.width = widthOverTime();
    }

    /**
     * Analyses a graph.
     *
     * @throws IllegalArgumentException when tasks wait for each other through their sub-tasks, or all weights together
     *     are more than a {@code long} holds
     */
    public static GraphAnalysis of(GraphSnapshot graph) {
        return new GraphAnalysis(graph);
    }

    /** The graph that was analysed. */
    public GraphSnapshot graph() {
        return graph;
    }

    /** Returns true if times are nanoseconds; else no weight was known, and each task counts as 1. */
    public boolean isMeasured() {
        return measured;
    }

    /** τ₁: the time on one worker, the sum of all weights. */
    public long tau1() {
        return tau1;
    }

    /** τ∞: the time on unlimited workers, the length of the critical path. */
    public long tauInfinity() {
        return times.end();
    }

    /** S∞ = τ₁ / τ∞: the speedup that no number of workers can exceed; 1 for a graph that takes no time. */
    public double speedup() {
        return tauInfinity() == 0 ? 1 : (double) tau1 / tauInfinity();
    }

    /**
     * P = (1 − 1/S∞) / (1 − 1/N) for N tasks: the share of the graph that can run in parallel, 0 for a chain and 1 for
     * equal tasks that do not depend on each other. 0 for fewer than two tasks.
     */
    public double parallelism() {
        return weights.length < 2 ? 0 : (1 - 1 / speedup()) / (1 - 1.0 / weights.length);
    }

    /** The most tasks that stand one after another: 1 when there are no edges, 0 without tasks. */
    public int depth() {
        return depth;
    }

    /** The ids of the tasks with the bodies that make up a longest path, from a root to a leaf; of several, one. */
    public List<Long> criticalPath() {
        return criticalPath;
    }

    /**
     * The number of tasks that run over time, if each starts as early as it can: ascending times, ends with 0 running.
     */
    public List<WidthStep> width() {
        return width;
    }

    /** The most tasks that run at once, if each starts as early as it can. More workers than this are of no use. */
    public int maximumWidth() {
        return width.stream().mapToInt(WidthStep::running).max().orElse(0);
    }

    /**
     * How many tasks must be over one after another before a task can start: 0 for a root. A sub-task stands no higher
     * than its parent.
     *
     * @throws IllegalArgumentException when no task has this id
     */
    public int depthOf(long id) {
        return times.depth(graph.indexOf(id));
    }

    /**
     * How many tasks wait for a task directly.
     *
     * @throws IllegalArgumentException when no task has this id
     */
    public int consumersOf(long id) {
        return consumers[graph.indexOf(id)];
    }

    /**
     * Returns the weight that a task counts with: its own, or the one that stands for it.
     *
     * @throws IllegalArgumentException when no task has this id
     */
    public long weightOf(long id) {
        return weights[graph.indexOf(id)];
    }

    /**
     * When a task starts at the earliest, from the start of the graph.
     *
     * @throws IllegalArgumentException when no task has this id
     */
    public long earliestStartOf(long id) {
        return times.start(graph.indexOf(id));
    }

    /**
     * Shares threads between tasks and operators: tasks get no more than ⌈S∞⌉, since more could not make the graph
     * faster; the others are worth more inside the tasks.
     *
     * @throws IllegalArgumentException when there is no thread to share
     */
    public ThreadSplit split(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("at least 1 thread is needed to share them out, not " + threads);
        }
        long useful = tauInfinity() == 0 ? 1 : tau1 / tauInfinity() + (tau1 % tauInfinity() == 0 ? 0 : 1);
        int tasks = (int) Math.min(useful, threads);
        return new ThreadSplit(tasks, threads - tasks);
    }

    @Override
    public String toString() {
        String unit = measured ? " ns" : "";
        return String.format(
                Locale.ROOT,
                "graph \"%s\": %d tasks, %d deep, at most %d at once; τ₁ = %d%s, τ∞ = %d%s, S∞ = %.2f, P = %.2f",
                graph.name(),
                weights.length,
                depth,
                maximumWidth(),
                tau1,
                unit,
                tauInfinity(),
                unit,
                speedup(),
                parallelism());
    }

    private static long[] weights(GraphSnapshot graph) {
        long[] known = graph.tasks().stream()
                .filter(GraphSnapshot.Task::hasWeight)
                .mapToLong(GraphSnapshot.Task::weightNanos)
                .toArray();
        long other = known.length == 0 ? 1 : Math.max(1, sum(known) / known.length);
        return graph.tasks().stream()
                .mapToLong(task -> task.hasWeight() ? task.weightNanos() : other)
                .toArray();
    }

    private static long sum(long[] weights) {
        long sum = 0;
        for (long weight : weights) {
            sum += weight;
            if (sum < 0) {
                throw new IllegalArgumentException("the weights add up to more than 2^63 ns, which is 292 years");
            }
        }
        return sum;
    }

    private List<WidthStep> widthOverTime() {
        long[] starts = new long[weights.length];
        long[] ends = new long[weights.length];
        int count = 0;
        for (int task = 0; task < weights.length; task++) {
            if (weights[task] > 0) {
                starts[count] = times.start(task);
                ends[count++] = times.start(task) + weights[task];
            }
        }
        Arrays.sort(starts, 0, count);
        Arrays.sort(ends, 0, count);
        List<WidthStep> steps = new ArrayList<>();
        int started = 0;
        int previous = 0;
        for (int ended = 0; ended < count; ) {
            long now = started < count ? Math.min(starts[started], ends[ended]) : ends[ended];
            while (started < count && starts[started] == now) {
                started++;
            }
            while (ended < count && ends[ended] == now) {
                ended++;
            }
            if (started - ended != previous) {
                previous = started - ended;
                steps.add(new WidthStep(now, previous));
            }
        }
        return List.copyOf(steps);
    }
}

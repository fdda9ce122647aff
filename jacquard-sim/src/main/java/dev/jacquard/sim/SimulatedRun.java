package dev.jacquard.sim;

import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A graph that has run under virtual time. All times are in the unit of the graph. Immutable. */
public final class SimulatedRun {
    /** The digits of times in sentences. */
    private static final int DIGITS = 9;

    private final String policy;
    private final WorkGraph graph;
    private final Timeline time;
    private final int hosts;
    /** The bound of the plan, if the policy has made one of these times; else 0. */
    private final double planBound;

    private final LongestPath longestPath;
    private final double makespan;

    SimulatedRun(String policy, Timeline time, int hosts, double planBound) {
        this.policy = policy;
        this.graph = time.graph;
        this.time = time;
        this.hosts = hosts;
        this.planBound = planBound;
        this.longestPath = new LongestPath(time.drawn);
        this.makespan = time.plan(0).makespan();
    }

    /** Returns the place, the start and the end of each task. */
    public Plan schedule() {
        return time.plan(bound());
    }

    /** Returns the end of the last task. */
    public double makespan() {
        return makespan;
    }

    /**
     * Returns a time below which no schedule of the graph can be: {@link WorkGraph#bound} of the times that the tasks
     * took, or the bound of the policy's plan if that is larger.
     */
    public double bound() {
        return Math.max(planBound, time.drawn.bound());
    }

    /** Returns true if no schedule can end earlier. */
    public boolean isProved() {
        return schedule().isProved();
    }

    /** Returns the time of all tasks one after the other, at the place that takes least, divided by the makespan. */
    public double speedup() {
        return makespan == 0 ? 1 : sequential() / makespan;
    }

    /**
     * Returns the time of all tasks one after the other, at the one place that takes least; each at its best place if
     * none can run all of them.
     */
    public double sequential() {
        double alone = Double.POSITIVE_INFINITY;
        for (int place = 0; place < graph.places(); place++) {
            double all = 0;
            for (int task = 0; task < graph.tasks(); task++) {
                all += time.drawn.cost(task, place);
            }
            alone = Math.min(alone, all);
        }
        if (alone < Double.POSITIVE_INFINITY) {
            return alone;
        }
        double sum = 0;
        for (int task = 0; task < graph.tasks(); task++) {
            sum += LongestPath.least(time.drawn, task);
        }
        return sum;
    }

    /** Returns the time of the longest path through the graph, each task where it takes least, without copies. */
    public double criticalPath() {
        return longestPath.time();
    }

    /** Returns the tasks of a longest path, in its order. */
    public List<Integer> criticalTasks() {
        return longestPath.tasks();
    }

    /**
     * Explains the place and the start of a task: sentences for users.
     *
     * @throws IndexOutOfBoundsException if there is no such task
     */
    public List<String> why(int task) {
        List<String> reasons = new ArrayList<>();
        int place = time.places[task];
        double start = time.starts[task];
        reasons.add("task \"" + graph.name(task) + "\" runs on " + graph.place(place) + " from " + text(start) + " to "
                + text(time.ends[task]) + ", under policy \"" + policy + '"');
        int last = lastBefore(task);
        reasons.add(
                last == Timeline.NONE
                        ? "it waits for no task"
                        : "it was ready at " + text(time.readyAt[task]) + ", when \"" + graph.name(last)
                                + "\" ended on " + graph.place(time.places[last]));
        if (isCopied(task) && time.dataAt[task] > time.readyAt[task]) {
            reasons.add("its data was there at " + text(time.dataAt[task]));
        }
        int before = previous(place, start, task);
        double busy = before == Timeline.NONE ? 0 : time.ends[before];
        if (before != Timeline.NONE && busy == start) {
            reasons.add(graph.place(place) + " ran \"" + graph.name(before) + "\" until then");
        } else if (start > Math.max(time.readyAt[task], time.dataAt[task])) {
            reasons.add(graph.place(place) + " was idle from " + text(busy) + " on: it was given no task until then");
        }
        for (int other = 0; other < graph.places(); other++) {
            reasons.add(estimate(task, other, start));
        }
        return reasons;
    }

    /**
     * Returns the sentence on the end that a task could have had at a place, after the tasks that began there before.
     */
    private String estimate(int task, int place, double start) {
        if (!graph.canRun(task, place)) {
            return graph.place(place) + ": it cannot run there";
        }
        double data = 0;
        for (int edge : graph.in(task)) {
            int from = graph.from(edge);
            data = Math.max(data, time.ends[from] + graph.copy(edge, time.places[from], place));
        }
        int before = previous(place, start, task);
        double free = before == Timeline.NONE ? 0 : time.ends[before];
        double run = time.drawn.cost(task, place);
        return graph.place(place) + ": free at " + text(free) + ", data there at " + text(data) + ", runs " + text(run)
                + ", over at " + text(Math.max(free, data) + run);
    }

    /** Returns true if data of a task comes from another place. */
    private boolean isCopied(int task) {
        for (int edge : graph.in(task)) {
            if (graph.copy(edge, time.places[graph.from(edge)], time.places[task]) > 0) {
                return true;
            }
        }
        return false;
    }

    private int lastBefore(int task) {
        int last = Timeline.NONE;
        for (int edge : graph.in(task)) {
            int from = graph.from(edge);
            last = last == Timeline.NONE || time.ends[from] > time.ends[last] ? from : last;
        }
        return last;
    }

    /**
     * Returns the task of a place that began last, but for {@code task}, of those up to {@code start}; NONE for none.
     */
    private int previous(int place, double start, int task) {
        int last = Timeline.NONE;
        for (int other = 0; other < graph.tasks(); other++) {
            boolean counts = other != task && time.places[other] == place && time.starts[other] <= start;
            if (counts && place == time.places[task] && time.ends[other] > start) {
                counts = false; // of one moment: it took no time, and the other one came after it
            }
            last = counts && (last == Timeline.NONE || time.ends[other] > time.ends[last]) ? other : last;
        }
        return last;
    }

    private static String text(double time) {
        return new BigDecimal(time)
                .round(new MathContext(DIGITS))
                .stripTrailingZeros()
                .toPlainString();
    }

    @Override
    public String toString() {
        int devices = graph.places() - hosts;
        String places = count(hosts, "worker") + (devices == 0 ? "" : " and " + count(devices, "device"));
        return graph.tasks() + " tasks on " + places + ", makespan " + text(makespan)
                + (isProved() ? " (optimal)" : " (bound " + text(bound()) + ")") + ", speedup "
                + String.format(Locale.ROOT, "%.2f", speedup()) + ", critical path " + text(criticalPath());
    }

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}

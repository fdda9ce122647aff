package dev.jacquard.core.testing;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.engine.work.Dispatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A random graph to be compiled, whose runs differ: in each, other tasks fail and other branches are chosen. It knows
 * by a sequential run what is to become of each task, and its bodies check that what comes before them is over. The
 * stamps are plain, so a missing order shows.
 */
public final class Frozen {
    private static final int NONE = -1;

    private enum End {
        DONE,
        FAILED,
        CANCELLED,
        SKIPPED
    }

    private final Dag dag;
    private final long seed;
    private final boolean[][] carries;
    /** How many branches a task chooses from; 0 when it chooses none. */
    private final int[] branches;
    /** In whose branch a task is; NONE when in nobody's. */
    private final int[] chooser;

    private final int[] branch;
    /** Whether a task is a graph of its own. */
    private final boolean[] nested;

    private final boolean[] fails;
    private final int[] choices;
    private final End[] ends;
    private final int[] stamps;
    private int run;
    private @Nullable Scheduler scheduler;
    private volatile @Nullable String violation;

    private Frozen(long seed, boolean withBranches, boolean withGraphs) {
        this.dag = Dag.draw(seed);
        this.seed = seed;
        int size = dag.size();
        Random random = new Random(~seed);
        carries = new boolean[size][];
        branches = new int[size];
        chooser = new int[size];
        branch = new int[size];
        nested = new boolean[size];
        Arrays.fill(chooser, NONE);
        List<Integer> choosers = new ArrayList<>();
        for (int task = 0; task < size; task++) {
            carries[task] = new boolean[dag.predecessors().get(task).size()];
            for (int i = 0; i < carries[task].length; i++) {
                carries[task][i] = random.nextInt(4) > 0;
            }
            if (withBranches && !choosers.isEmpty() && random.nextBoolean()) {
                chooser[task] = choosers.get(random.nextInt(choosers.size()));
                branch[task] = random.nextInt(branches[chooser[task]]);
            }
            nested[task] = withGraphs && random.nextInt(4) == 0;
            if (withBranches && !nested[task] && random.nextInt(4) == 0) {
                branches[task] = 1 + random.nextInt(3);
                choosers.add(task);
            }
        }
        fails = new boolean[size];
        choices = new int[size];
        ends = new End[size];
        stamps = new int[size];
    }

    /** Tasks and edges only. */
    public static Frozen plain(long seed) {
        return new Frozen(seed, false, false);
    }

    /** With tasks that choose, some of them in branches themselves. */
    public static Frozen branching(long seed) {
        return new Frozen(seed, true, false);
    }

    /** With tasks that are graphs too. */
    public static Frozen nesting(long seed) {
        return new Frozen(seed, true, true);
    }

    /** Gives the graph a schedule of its own. */
    public Frozen scheduledBy(Scheduler its) {
        scheduler = its;
        return this;
    }

    /** Puts the tasks into a builder, after whatever is there. */
    public CompiledGraph compile(Object owner, Dispatcher dispatcher) {
        CompiledGraphBuilder builder = new CompiledGraphBuilder("seed " + seed, owner, dispatcher);
        if (scheduler != null) {
            builder.scheduler(scheduler);
        }
        for (int i = 0; i < dag.size(); i++) {
            int task = i;
            if (branches[task] > 0) {
                builder.choose("t" + task, branches[task], context -> {
                    perform(task);
                    return choices[task];
                });
            } else if (nested[task]) {
                builder.graph("t" + task, inner(owner, dispatcher, task));
            } else {
                builder.task("t" + task, context -> perform(task));
            }
            if (chooser[task] != NONE) {
                builder.guard(chooser[task], branch[task], task);
            }
            for (int k = 0; k < carries[task].length; k++) {
                builder.edge(dag.predecessors().get(task).get(k), task, carries[task][k]);
            }
        }
        return builder.build();
    }

    /** The body of a task between two others. */
    private CompiledGraph inner(Object owner, Dispatcher dispatcher, int task) {
        CompiledGraphBuilder builder = new CompiledGraphBuilder("inner " + task, owner, dispatcher);
        int before = builder.task("before", context -> {});
        int body = builder.task("t" + task, context -> perform(task));
        int after = builder.task("after", context -> {});
        builder.edge(before, body, true);
        builder.edge(body, after, true);
        return builder.build();
    }

    /** Draws what happens in the next run, which is not to begin before: every second one goes well. */
    public void nextRun() {
        next(run % 2 == 1);
    }

    /** Draws a run in which nothing fails. */
    public void nextGoodRun() {
        next(false);
    }

    private void next(boolean withFailures) {
        run++;
        Random random = new Random(seed * 1_000 + run);
        for (int task = 0; task < dag.size(); task++) {
            fails[task] = withFailures && random.nextInt(8) == 0;
            choices[task] = branches[task] == 0 ? NONE : random.nextInt(branches[task]);
            ends[task] = expected(task);
        }
    }

    private End expected(int task) {
        int its = chooser[task];
        boolean poisoned = its != NONE && isPoison(its);
        for (int i = 0; i < carries[task].length; i++) {
            poisoned |=
                    carries[task][i] && isPoison(dag.predecessors().get(task).get(i));
        }
        if (poisoned) {
            return End.CANCELLED;
        }
        if (its != NONE && (ends[its] != End.DONE || choices[its] != branch[task])) {
            return End.SKIPPED;
        }
        return fails[task] ? End.FAILED : End.DONE;
    }

    private boolean isPoison(int task) {
        return ends[task] == End.FAILED || ends[task] == End.CANCELLED;
    }

    private void perform(int task) {
        if (ends[task] != End.DONE && ends[task] != End.FAILED) {
            violation = "t" + task + " ran, but was to be " + ends[task];
        }
        for (int earlier : dag.predecessors().get(task)) {
            requireRan(task, earlier);
        }
        if (chooser[task] != NONE) {
            requireRan(task, chooser[task]);
        }
        stamps[task] = run;
        if (fails[task]) {
            throw new Planned(task);
        }
    }

    private void requireRan(int task, int earlier) {
        boolean runs = ends[earlier] == End.DONE || ends[earlier] == End.FAILED;
        if (runs && stamps[earlier] != run) {
            violation = "t" + task + " runs in run " + run + ", but its predecessor t" + earlier + " last ran in run "
                    + stamps[earlier];
        }
    }

    /**
     * Compares with the sequential run.
     *
     * @param report of the run
     * @param failure what it threw
     * @throws AssertionError when anything differs
     */
    public void verify(CompiledGraph.RunReport report, @Nullable RuntimeException failure) {
        CompiledGraph.RunReport expected = new CompiledGraph.RunReport(
                run, 1, dag.size(), count(End.FAILED), count(End.CANCELLED), count(End.SKIPPED));
        require(violation == null, String.valueOf(violation));
        for (int task = 0; task < dag.size(); task++) {
            boolean runs = ends[task] == End.DONE || ends[task] == End.FAILED;
            require(runs == (stamps[task] == run), "t" + task + " was to be " + ends[task]);
        }
        require(report.equals(expected), "report is " + report + ", expected " + expected);
        require((failure != null) == (expected.failed() > 0), "the run threw " + failure);
        if (failure != null) {
            Throwable cause = failure.getCause();
            cause = cause instanceof TaskFailedException inner ? inner.getCause() : cause;
            require(
                    failure instanceof TaskFailedException failed
                            && cause instanceof Planned planned
                            && failed.task().equals("t" + planned.task),
                    "the run threw " + failure);
        }
    }

    private long count(End end) {
        return Arrays.stream(ends).filter(end::equals).count();
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError("seed " + seed + ", run " + run + ": " + message + "; " + dag);
        }
    }

    /** What a failing task throws. Without a stack trace: thousands are thrown. */
    private static final class Planned extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int task;

        Planned(int task) {
            super("planned failure of t" + task, null, false, false);
            this.task = task;
        }
    }
}

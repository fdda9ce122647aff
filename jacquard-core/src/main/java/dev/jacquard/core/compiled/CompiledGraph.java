package dev.jacquard.core.compiled;

import dev.jacquard.core.execution.FailureLog.Ends;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.residency.Staging;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * A frozen graph of tasks that runs again and again without allocation.
 *
 * <pre>{@code
 * CompiledGraphBuilder builder = session.compile("step");
 * int left = builder.task("left", ctx -> relax(0, 511));
 * int right = builder.task("right", ctx -> relax(512, 1023));
 * int norm = builder.task("norm", ctx -> norm());
 * builder.edge(left, norm, true);
 * builder.edge(right, norm, true);
 * CompiledGraph step = builder.build();
 * for (int i = 0; i < 1_000; i++) {
 *     step.run();
 * }
 * }</pre>
 *
 * <p>A run has a place among live tasks and runs of other graphs, by everything that the graph's tasks access: the run
 * waits for earlier ones that conflict with it, and later ones that conflict wait for the run. {@link #runUnordered}
 * and {@link #startUnordered} start runs without a place.
 *
 * <p>Threads: every method may be called by any thread; {@link #run} and {@link #join} not from inside a task.
 */
public final class CompiledGraph {
    private final String name;
    private final Object owner;
    final RunState state;
    /** Brings data to where tasks run; null without a session. */
    private final @Nullable Staging staging;

    final RunLifecycle lifecycle;
    private final List<String> names;
    private final Adjacency edges;
    private final InnerRun[] inners;
    private final Shown shown;
    private final AccessList accesses;
    private final DataUse dataUse;
    /** This graph and its inner graphs, as far as these refuse a concurrent run of the same graph. */
    private final Set<Refusal> refusals;
    /** The name of the scheduler of the graph's own; empty for none. */
    private final String scheduler;

    CompiledGraph(
            CompiledGraphBuilder builder,
            Drafts drafts,
            Adjacency edges,
            RunState state,
            DataUse dataUse,
            Shown shown,
            @Nullable OwnSchedule schedule,
            @Nullable Staging staging) {
        this.shown = shown;
        this.staging = staging;
        this.scheduler = schedule == null ? "" : schedule.scheduler();
        this.name = builder.name();
        this.owner = builder.owner();
        this.names = drafts.names();
        this.accesses = drafts.accesses();
        this.inners = drafts.inners();
        this.refusals = Refusal.of(this, builder.whenBusy() == OverlapRule.REFUSE, inners);
        this.edges = edges;
        this.dataUse = dataUse;
        this.state = state;
        this.lifecycle = new RunLifecycle(this, state, builder, accesses);
        state.endWith(lifecycle);
    }

    /** Returns the tasks and edges for snapshots and drawings. */
    Shown shown() {
        return shown;
    }

    /** Returns this graph and its inner graphs, as far as these refuse a concurrent run of the same graph. */
    Set<Refusal> refusals() {
        return refusals;
    }

    // ---- runs

    /**
     * Runs the graph and waits until the run is over. While it waits, the thread that opened the session runs tasks.
     *
     * @throws dev.jacquard.core.graph.TaskFailedException when tasks failed: for the first of them, the others
     *     suppressed
     * @throws CancellationException when the run was cancelled
     * @throws dev.jacquard.core.graph.RunEndedException when it was, since a listener threw
     * @throws WaitInterruptedException when the waiting thread is interrupted; the run goes on, see {@link #join}
     * @throws IllegalStateException when a run is in flight and the graph does not queue; when called from inside a
     *     task
     */
    public void run() {
        lifecycle.run(true);
    }

    /**
     * Runs the graph and waits, like {@link #run}, without a place among live tasks and runs of other graphs.
     * Conflicting tasks and runs may then run at the same time; the caller sees to it that none does. The run starts
     * also when an earlier live task failed, and so did not write data that the run reads. Throws like {@link #run}.
     */
    public void runUnordered() {
        lifecycle.run(false);
    }

    /**
     * Starts a run for which {@link #join} waits. With one worker nothing runs before a thread waits.
     *
     * @throws IllegalStateException when a run is in flight and the graph does not queue
     */
    public void start() {
        lifecycle.start(new Waiter(true));
    }

    /**
     * Starts a run from anywhere.
     *
     * @param whenOver called then
     * @throws IllegalStateException when a run is in flight and the graph does not queue
     */
    public void start(Completion whenOver) {
        Objects.requireNonNull(whenOver, "whenOver");
        lifecycle.start(whenOver);
    }

    /**
     * Starts a run from anywhere, like {@link #start(Completion)}, without a place among live tasks and runs of other
     * graphs.
     *
     * @param whenOver called then
     * @throws IllegalStateException when a run is in flight and the graph does not queue
     */
    public void startUnordered(Completion whenOver) {
        lifecycle.start(new Unordered(Objects.requireNonNull(whenOver, "whenOver")));
    }

    /**
     * Submits a run as a task of a live graph, or of the inside of a task. The task accesses everything that the tasks
     * of this graph access, so it is ordered among the tasks around it; it holds no worker while the run goes on.
     * Cancelling the live graph cancels the run.
     *
     * @param tasks the graph, or the inside of a task, to which the task is submitted
     * @param task the name of the task
     * @throws IllegalArgumentException when {@code tasks} belongs to another session
     * @throws UnsupportedOperationException when {@code tasks} is a recording, whose {@link Recorder#graph} does that
     */
    public Task<@Nullable Void> submit(Tasks tasks, String task) {
        Objects.requireNonNull(tasks, "tasks");
        Objects.requireNonNull(task, "task");
        if (tasks instanceof Recorder) {
            throw new UnsupportedOperationException("task \"" + task + "\" is a run of " + this
                    + ", which a recording takes by rec.graph(name, graph)");
        }
        TaskBuilder builder = tasks.task(task).requireOwner(owner, this).unstaged(); // its tasks bring their own data
        declare(builder);
        return builder.start(context -> {
            AsTask run = new AsTask(this);
            lifecycle.start(run);
            return run.stage();
        });
    }

    /** Returns all accesses of the graph's tasks, each once. */
    AccessList accesses() {
        return accesses;
    }

    /** Declares all accesses of the graph's tasks. */
    void declare(TaskBuilder builder) {
        builder.inTurn(accesses);
    }

    /**
     * Starts a run from inside a node, as a part of another graph: the node's task is over when {@code whenOver} is
     * called, and no worker waits for it.
     *
     * @param worker the context given to the node
     * @param whenOver called then
     * @throws IllegalStateException when a run is in flight and the graph does not queue
     */
    public void start(WorkerContext worker, Completion whenOver) {
        Objects.requireNonNull(worker, "worker");
        Objects.requireNonNull(whenOver, "whenOver");
        lifecycle.start(worker, whenOver);
    }

    /**
     * Waits until no run is in flight; throws the failures of runs for which no thread waited.
     *
     * @throws dev.jacquard.core.graph.TaskFailedException when tasks of such runs failed
     * @throws CancellationException when such a run was cancelled
     * @throws WaitInterruptedException when the waiting thread is interrupted
     * @throws IllegalStateException when called from inside a task
     */
    public void join() {
        lifecycle.join();
    }

    /**
     * Cancels the run in flight and the inner runs of its tasks: no further task starts, and running tasks see the
     * cancellation through their contexts.
     */
    public void cancel() {
        cancel(null);
    }

    /** Cancels the run in flight if it is {@code whom}'s; null stands for any run. */
    void cancel(@Nullable Completion whom) {
        lifecycle.cancel(whom);
        if (staging != null) {
            staging.endUnwantedWaits(); // without the lifecycle's monitor
        }
    }

    /**
     * Closes the graph when its session ends: no run begins from outside any more. Does nothing while a run is in
     * flight. Returns true if no run is in flight.
     */
    public boolean close() {
        return lifecycle.close();
    }

    /** Returns true if a run is in flight. */
    public boolean isRunning() {
        return lifecycle.isRunning();
    }

    /** Returns the report of the last run that is over. */
    public RunReport report() {
        return state.lastReport();
    }

    // ---- threads

    /**
     * Sets how many tasks of the graph may run at a time, and how many workers may work on the loops of one, the worker
     * that runs the task included. While fewer tasks run, since others wait for them, each may have more of the
     * {@code tasks · operators} threads. Ready tasks that may not run yet go in the order of their numbers, or of the
     * graph's scheduler. Concerns the host, and no inner graph; from the next run on.
     *
     * <p>Where the times of the tasks are known and the critical path takes more than half of all, its tasks are
     * bottlenecks: while one runs, its loops have all of these threads but one for each other task.
     *
     * <p>Source: the expressions thesis, sections 3.1.12 and 4.2.2 (bottlenecks).
     *
     * @throws IllegalArgumentException when a number is less than 1
     */
    public void threads(int tasks, int operators) {
        state.ownLimit().threads(tasks, operators, shown.bottlenecks());
    }

    /**
     * Measures the tasks' own times in the runs that follow, or no more, as {@link #snapshot} shows them. Costs two
     * looks at the clock a task.
     */
    public void measure(boolean on) {
        state.ownLimit().measure(on);
    }

    // ---- properties

    /** Returns the name given to the builder. */
    public String name() {
        return name;
    }

    /** Returns the number of tasks in a pass. */
    public int size() {
        return names.size();
    }

    /** Returns how data gets to where the graph's tasks run. */
    public DataUse dataUse() {
        return dataUse;
    }

    /** Returns the names of the tasks, by number. */
    public List<String> names() {
        return names;
    }

    /** Returns the numbers of the tasks that wait for {@code task}, ascending. */
    public int[] successors(int task) {
        return Arrays.stream(edges.from(task)).map(Adjacency::later).toArray();
    }

    /** Returns true if {@code later} cannot run when {@code earlier} fails. */
    public boolean carriesFailure(int earlier, int later) {
        return Arrays.binarySearch(edges.from(earlier), Adjacency.packed(later, true)) >= 0;
    }

    /** Returns the session that runs the graph with its workers. */
    Object owner() {
        return owner;
    }

    /**
     * Returns the graph in the language of Graphviz. A dashed edge carries no failure. A diamond is a task that chooses
     * a branch; edges with the number of a branch lead to the tasks in it. A box with tasks in it is an inner graph. A
     * dotted edge leads back to where another pass begins.
     */
    public String toDot() {
        return Dot.of(this);
    }

    /**
     * Returns the tasks and edges, to be analysed and drawn like a live graph. The id of a task is its number where
     * there are no inner graphs; the tasks of an inner graph are sub-tasks of the task that it is. Tasks that a policy
     * or {@link #measure} has measured have their times.
     */
    public GraphSnapshot snapshot() {
        return shown.snapshot(name);
    }

    @Override
    public String toString() {
        String data = switch (dataUse) {
            case NONE -> "";
            case HOST -> "; data on the host alone, claimed once per run";
            case STAGED -> "; data claimed by each task";
        };
        return "compiled graph \"" + name + "\": " + size() + (size() == 1 ? " task, " : " tasks, ") + edges.count()
                + " edges" + data + (scheduler.isEmpty() ? "" : "; ordered by scheduler \"" + scheduler + '"');
    }

    /** The ways in which data gets to where the tasks of a compiled graph run. */
    public enum DataUse {
        /** No task accesses data. */
        NONE,
        /**
         * All tasks access data on the host, and all of it fits there: each run makes sure once that the data is there,
         * and the tasks do nothing for it.
         */
        HOST,
        /**
         * Each task brings its data to where it runs, as in a live graph: there are tasks of devices, inner graphs, or
         * too much data.
         */
        STAGED
    }

    /**
     * The outcome of a run of a compiled graph, in counts of tasks. A task counts once per pass.
     *
     * @param run the number of the run in its graph, from 1 on; 0 when none is over yet
     * @param passes the number of passes in the run; 1 when nothing repeats the graph
     * @param tasks the number of tasks, over all passes
     * @param failed the tasks with a body that threw
     * @param cancelled the tasks that did not run because of a failure, or because the run was cancelled
     * @param skipped the tasks that did not run because another branch was chosen
     */
    public record RunReport(long run, long passes, long tasks, long failed, long cancelled, long skipped) {
        /** Returns the number of tasks that ended well. */
        public long done() {
            return tasks - failed - cancelled - skipped;
        }

        @Override
        public String toString() {
            return tasks + (tasks == 1 ? " task" : " tasks") + (passes > 1 ? " in " + passes + " passes: " : ": ")
                    + new Ends(done(), failed, cancelled) + ", " + skipped + " skipped";
        }
    }

    /** The rules for a run that is started while another run of the same graph is in flight. */
    public enum OverlapRule {
        /** Starting the run throws an {@link IllegalStateException}. */
        REFUSE,
        /** The run waits for its turn, first come first served. */
        QUEUE
    }
}

package dev.jacquard.core.compiled;

import dev.jacquard.core.graph.CompiledWatch;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Outcome;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Staging;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.LinkedHashSet;
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
 * <p>A run has its place among live tasks and runs of other graphs, by all that the graph's tasks access: it waits for
 * those before it that conflict, and those behind it wait for it. {@link #runUnordered} and {@link #startUnordered}
 * start runs without a place.
 *
 * <p>Threads: every method may be called by any thread; {@link #run} and {@link #join} not from inside a task.
 */
public final class CompiledGraph {
    private static final int CANCELLED = 1;
    private static final int FAILED = 2;
    private static final int TRACED = 4;
    private static final int WATCHED = 8;

    private static final VarHandle FLAGS;

    static {
        try {
            FLAGS = MethodHandles.lookup().findVarHandle(CompiledGraph.class, "flags", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final Object owner;
    private final Dispatcher dispatcher;
    private final FailurePolicy policy;
    private final RunLifecycle lifecycle;
    private final boolean traced;
    private final List<String> names;
    private final Edges edges;
    private final RunFailures troubles;
    private final InnerRun[] inners;
    private final boolean refuses;
    /** Null when no listener wants to know. */
    private final @Nullable CompiledWatch watch;
    /** By number. Written once, by the builder. */
    private List<Shape> shapes = List.of();

    private final AccessList accesses;

    private final @Nullable Decision repeat;
    /** What a pass begins with. Written once, by the builder, which makes the nodes after their graph. */
    private Node first;
    /** Written once, by the builder. */
    private DataUse dataUse = DataUse.NONE;
    /** What a run begins with where it claims data for all of its tasks. Written once, by the builder. */
    private @Nullable RunClaim runClaim;

    /**
     * What makes a run unusual; 0 while all is well. Set when a run begins, and by whoever finds trouble, by a
     * read-modify-write; read opaquely: a task that comes after the trouble sees it through the counters, any other may
     * see it late.
     */
    @SuppressWarnings("unused") // through its VarHandle
    private int flags;
    /** The flags of a run in which all is well. */
    private final int usualFlags;

    /** Passes of the run in flight that are over. Written by the worker that ends a pass, ordered by the passes. */
    private long passes;

    CompiledGraph(
            CompiledGraphBuilder builder, Edges edges, List<String> names, AccessList accesses, InnerRun[] inners) {
        this.name = builder.name();
        this.owner = builder.owner();
        this.dispatcher = builder.dispatcher();
        this.policy = builder.policy();
        this.repeat = builder.repeat();
        this.refuses = builder.whenBusy() == OverlapRule.REFUSE;
        this.watch = builder.watch();
        this.traced = dispatcher.trace().on();
        this.names = names;
        this.accesses = accesses;
        this.edges = edges;
        this.troubles = new RunFailures(edges);
        this.inners = inners;
        this.first = new PassEnd(this); // until the builder has the nodes
        this.usualFlags = (traced ? TRACED : 0) | (watch == null ? 0 : WATCHED);
        this.flags = usualFlags;
        this.lifecycle = new RunLifecycle(this, builder, accesses);
    }

    /** Builder only. */
    void beginWith(Node node) {
        first = node;
    }

    /** Sets the shapes of all tasks. Called by the builder only. */
    void drawnAs(List<Shape> all) {
        shapes = all;
    }

    /** The shape of the task in drawings. */
    Shape shape(int task) {
        return shapes.get(task);
    }

    /** This graph and those inside of it, as far as they refuse a run beside another. */
    Set<Refusal> refusals() {
        Set<Refusal> all = new LinkedHashSet<>();
        if (refuses) {
            all.add(new Refusal(this, Set.of()));
        }
        for (InnerRun inner : inners) {
            for (Refusal one : inner.graph().refusals()) {
                all.add(refuses ? one : one.within(this));
            }
        }
        return all;
    }

    /** Builder only. */
    void claimsPerTask() {
        dataUse = DataUse.STAGED;
    }

    /** Builder only, after {@link #beginWith}. */
    void claimsPerRun(Staging staging, AccessList data, TaskTraits[] tasks) {
        dataUse = DataUse.HOST;
        runClaim = new RunClaim(staging, this, data, first, tasks);
    }

    // ---- runs

    /**
     * Runs the graph and waits until the run is over. The thread that opened the session runs tasks meanwhile.
     *
     * @throws dev.jacquard.core.graph.TaskFailedException when tasks failed: for the first of them, the others
     *     suppressed
     * @throws CancellationException when the run was cancelled
     * @throws WaitInterruptedException when the waiting thread is interrupted; the run goes on, see {@link #join}
     * @throws IllegalStateException when a run is in flight and the graph does not queue; when called from inside a
     *     task
     */
    public void run() {
        lifecycle.run(true);
    }

    /**
     * Runs the graph and waits, like {@link #run}, without a place among live tasks and runs of other graphs: those
     * that conflict may run at the same time, and the caller sees to it that none does. Throws like {@link #run}.
     */
    public void runUnordered() {
        lifecycle.run(false);
    }

    /**
     * Starts a run for which {@link #join} waits. With one worker nothing runs before somebody waits.
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
     * Makes a run a task of a live graph, or of the inside of a task: it accesses all that the graph's tasks do, so it
     * orders itself against the tasks around it, and holds no worker while it runs. Cancelling that graph cancels the
     * run.
     *
     * @param tasks where
     * @param task its name
     */
    public Task<@Nullable Void> submit(Tasks tasks, String task) {
        Objects.requireNonNull(tasks, "tasks");
        Objects.requireNonNull(task, "task");
        TaskBuilder builder = tasks.task(task).unstaged(); // its tasks bring what they need
        declare(builder);
        return builder.start(context -> {
            AsTask run = new AsTask(this);
            lifecycle.start(run);
            return run.stage();
        });
    }

    /** All that the graph's tasks access, each once. */
    AccessList accesses() {
        return accesses;
    }

    /** Declares all that the graph's tasks access. */
    void declare(TaskBuilder builder) {
        accesses.each(builder::accesses);
    }

    /**
     * Starts a run from inside a node, as a part of another graph: the node's task is over when {@code whenOver} is
     * called, and no worker waits for it.
     *
     * @param worker as given to the node
     * @param whenOver called then
     * @throws IllegalStateException when a run is in flight and the graph does not queue
     */
    public void start(WorkerContext worker, Completion whenOver) {
        Objects.requireNonNull(worker, "worker");
        Objects.requireNonNull(whenOver, "whenOver");
        lifecycle.start(worker, whenOver);
    }

    /**
     * Waits until no run is in flight; throws what runs that nobody waited for have to say.
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
     * Lets nothing more start in the run in flight, and in the graphs inside of it; running tasks see it through their
     * contexts.
     */
    public void cancel() {
        cancel(null);
    }

    /** Cancels the run in flight, when it is for {@code whom} (null: for any). */
    void cancel(@Nullable Completion whom) {
        lifecycle.cancel(whom);
    }

    /**
     * For the session, which ends: lets no run begin from outside any more, unless one is in flight; returns whether
     * none is.
     */
    public boolean close() {
        return lifecycle.close();
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Whether a run is in flight. */
    public boolean isRunning() {
        return lifecycle.isRunning();
    }

    /** How the last run that is over ended. */
    public RunReport report() {
        return troubles.lastReport();
    }

    // ---- what it is

    /** The name given to the builder. */
    public String name() {
        return name;
    }

    /** How many tasks a pass has. */
    public int size() {
        return names.size();
    }

    /** How the data that its tasks access gets to where they run. */
    public DataUse dataUse() {
        return dataUse;
    }

    /** What tasks of the run in flight use of data, where the run claimed it for all of them; else null. */
    @Nullable
    DataClaim heldData() {
        return runClaim == null ? null : runClaim.held();
    }

    /** The tasks' names, by number. */
    public List<String> names() {
        return names;
    }

    /** The numbers of the tasks that wait for {@code task}, ascending. */
    public int[] successors(int task) {
        return Arrays.stream(edges.from(task)).map(Edges::later).toArray();
    }

    /** Whether {@code later} cannot run when {@code earlier} fails. */
    public boolean carriesFailure(int earlier, int later) {
        return Arrays.binarySearch(edges.from(earlier), Edges.packed(later, true)) >= 0;
    }

    /** The session whose workers run it. */
    Object owner() {
        return owner;
    }

    /**
     * The graph in the language of Graphviz; dashed where an edge carries no failure. A diamond chooses a branch, whose
     * tasks hang on edges with its number; a box with its own tasks in it is a graph inside of this one; a dotted edge
     * leads back to where a further pass begins.
     */
    public String toDot() {
        return Dot.of(this);
    }

    @Override
    public String toString() {
        String data = switch (dataUse) {
            case NONE -> "";
            case HOST -> "; data on the host alone, claimed once per run";
            case STAGED -> "; data claimed by each task";
        };
        return "compiled graph \"" + name + "\": " + size() + " tasks, " + edges.count() + " edges" + data;
    }

    // ---- what its nodes ask

    int flags() {
        return (int) FLAGS.getOpaque(this);
    }

    /** Whether a task of the run in flight did not end well so far. */
    boolean isTroubled() {
        return (flags() & FAILED) != 0;
    }

    boolean isCancelled() {
        return (flags() & CANCELLED) != 0;
    }

    RunFailures troubles() {
        return troubles;
    }

    boolean traced() {
        return traced;
    }

    /** Tells the session's listeners, if there are any, that {@code task} is {@code state} from now on. */
    void tell(String task, TaskState state, WorkerContext worker) {
        if (watch != null && !watch.changed(name, task, state, worker.index())) {
            cancel();
        }
    }

    long nanoTime() {
        return dispatcher.trace().nanoTime();
    }

    int spanName(String task) {
        return traced ? dispatcher.trace().name(task) : 0;
    }

    void span(WorkerContext worker, int spanName, long start) {
        worker.lane().record(spanName, start, dispatcher.trace().nanoTime(), 0);
    }

    /** A task did not end well. Called before anything that depends on the task can start. */
    void keep(int task, TaskState last, Outcome how) {
        troubles.keep(task, last, how);
        FLAGS.getAndBitwiseOr(this, FAILED);
        if (last == TaskState.FAILED && policy == FailurePolicy.STOP) {
            cancel();
        }
    }

    /** The last task of a pass is over: the next pass, or the end of the run. */
    void passOver(WorkerContext worker) {
        passes++;
        if (repeat != null && repeat.isChosen(1) && (flags() & (CANCELLED | FAILED)) == 0) {
            repeat.forget();
            worker.readyAtEnd(first);
        } else {
            runOver(worker);
        }
    }

    private void runOver(WorkerContext worker) {
        boolean well = flags() == usualFlags;
        if (runClaim != null) {
            runClaim.release(well, passes > 1);
        }
        lifecycle.over(worker, well ? null : troubles.failure(name, passes));
    }

    // ---- what its lifecycle asks and does

    /** What a run begins with. */
    Node beginning() {
        return runClaim == null ? first : runClaim;
    }

    /** Makes the flags those of a run that begins. Under the monitor of the turns, or while no run is in flight. */
    void resetFlags(boolean cancelled) {
        FLAGS.setOpaque(this, cancelled ? usualFlags | CANCELLED : usualFlags);
    }

    /**
     * Cancels the run in flight and those inside of it. Under the monitor of the turns, without which the run cannot
     * end; inner graphs are built before outer ones, so the monitors have an order.
     */
    void cancelInFlight() {
        FLAGS.getAndBitwiseOr(this, CANCELLED);
        for (InnerRun inner : inners) {
            inner.cancel();
        }
    }

    /** A run is over, or never started: what was counted in it is the last report. */
    void countRun() {
        troubles.endRun(passes);
        passes = 0;
    }
}

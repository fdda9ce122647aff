package dev.jacquard.core.compiled;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.graph.Claim;
import dev.jacquard.core.graph.CompiledWatch;
import dev.jacquard.core.graph.Dispatcher;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Node;
import dev.jacquard.core.graph.Outcome;
import dev.jacquard.core.graph.Result;
import dev.jacquard.core.graph.RunOrder;
import dev.jacquard.core.graph.Staging;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.graph.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A frozen graph of tasks that runs again and again without allocation.
 *
 * {@snippet :
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
 * }
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
    private final Turns turns;
    private final boolean traced;
    private final List<String> names;
    private final Edges edges;
    private final Troubles troubles;
    private final InnerRun[] inners;
    private final boolean refuses;
    /** Null when no listener wants to know. */
    private final @Nullable CompiledWatch watch;
    /** By number. Written once, by the builder. */
    private List<Shape> shapes = List.of();
    /** Resource and access in turn. */
    private final Object[] accesses;

    /** The graphs of the session, which keep this one while it has a failure to report; null when it has no session. */
    private final @Nullable CompiledGraphs known;

    /** The place of runs among live tasks; null when the graph has no session. */
    private final @Nullable RunOrder order;
    /** True if the run in flight has such a place. Written by the thread whose turn it is, before the run starts. */
    private boolean inOrder;

    private final @Nullable Decision repeat;
    /** What a pass begins with. Written once, by the builder, which makes the nodes after their graph. */
    private Node first;
    /** Written once, by the builder. */
    private DataUse dataUse = DataUse.NONE;
    /** What a run begins with where it claims data for all of its tasks. Written once, by the builder. */
    private @Nullable RunClaim runClaim;

    /**
     * What makes a run unusual; 0 while all is well. Set when a run begins, and by whoever finds trouble, by a read-modify-write; read
     * opaquely: a task that comes after the trouble sees it through the counters, any other may see it late.
     */
    @SuppressWarnings("unused") // through its VarHandle
    private int flags;

    /** Passes of the run in flight that are over. Written by the worker that ends a pass, ordered by the passes. */
    private long passes;

    private final BooleanSupplier idle;
    /** Waiting for this returns at once, but is refused inside of a task, like all waiting. */
    private final BooleanSupplier atOnce;

    CompiledGraph(CompiledGraphBuilder builder, Edges edges, List<String> names, Object[] accesses, InnerRun[] inners) {
        this.name = builder.name();
        this.owner = builder.owner();
        this.dispatcher = builder.dispatcher();
        this.policy = builder.policy();
        this.turns = new Turns(name, builder.whenBusy(), dispatcher::isInsideNode);
        this.idle = () -> !turns.isBusy();
        this.atOnce = () -> true;
        this.repeat = builder.repeat();
        this.refuses = builder.whenBusy() == WhenBusy.REFUSE;
        this.watch = builder.watch();
        this.traced = dispatcher.trace().on();
        this.names = names;
        this.accesses = accesses;
        this.known = builder.known();
        this.edges = edges;
        this.troubles = new Troubles(edges);
        this.inners = inners;
        this.order =
                builder.domain() == null ? null : new RunOrder(builder.domain(), name, accesses, new OrderedRuns());
        this.first = new PassEnd(this); // until the builder has the nodes
        this.flags = usualFlags();
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
    void claimsPerRun(Staging staging, Object[] data, TaskTraits[] tasks) {
        dataUse = DataUse.HOST;
        runClaim = new RunClaim(staging, this, data, first, tasks);
    }

    // ---- runs

    /**
     * Runs the graph and waits until the run is over. The thread that opened the session runs tasks meanwhile.
     *
     * @throws dev.jacquard.core.graph.TaskFailedException when tasks failed: for the first of them, the others suppressed
     * @throws CancellationException when the run was cancelled
     * @throws WaitInterruptedException when the waiting thread is interrupted; the run goes on, see {@link #join}
     * @throws IllegalStateException when a run is in flight and the graph does not queue; when called from inside a task
     */
    public void run() {
        if (order != null) {
            order.requireMayWait();
        }
        run(true);
    }

    /**
     * Runs the graph and waits, like {@link #run}, without a place among live tasks and runs of other graphs: those
     * that conflict may run at the same time, and the caller sees to it that none does. Throws like {@link #run}.
     */
    public void runUnordered() {
        run(false);
    }

    private void run(boolean ordered) {
        try {
            dispatcher.awaitUntil(atOnce); // before anything is started
            Waiter waiter = turns.borrow().ordered(ordered);
            start(waiter);
            awaitOrLeave(waiter);
            RuntimeException failure = turns.giveBack(waiter);
            if (failure != null) {
                throw failure;
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private void awaitOrLeave(Waiter waiter) throws InterruptedException {
        boolean waited = false;
        try {
            dispatcher.awaitUntil(waiter);
            waited = true;
        } finally {
            if (!waited) {
                leave(waiter);
            }
        }
    }

    private void leave(Waiter waiter) {
        synchronized (turns) { // at once: a failure that is told meanwhile is none to report
            turns.leave(waiter);
            if (waiter.getAsBoolean() && waiter.failure != null) {
                keepUnreported();
            }
        }
    }

    /** A failure is kept for a thread that joins, or for the session's end. Under the monitor of the turns. */
    private void keepUnreported() {
        if (known != null) {
            known.remember(this);
        }
    }

    private WaitInterruptedException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new WaitInterruptedException("compiled graph \"" + name + '"', e);
    }

    /**
     * Starts a run for which {@link #join} waits. With one worker nothing runs before somebody waits.
     *
     * @throws IllegalStateException when a run is in flight and the graph does not queue
     */
    public void start() {
        start(new Waiter(true));
    }

    /**
     * Starts a run from anywhere.
     *
     * @param whenOver called then
     * @throws IllegalStateException when a run is in flight and the graph does not queue
     */
    public void start(Completion whenOver) {
        Objects.requireNonNull(whenOver, "whenOver");
        if (takeTurn(whenOver) && mayStartOrRefuse(whenOver)) {
            dispatcher.ready(beginning());
        }
    }

    /** Returns whether it is the run's turn; one that has lost its turn to it keeps its flags for later. */
    private boolean takeTurn(Completion whenOver) {
        synchronized (turns) {
            boolean mine = turns.take(whenOver);
            if (mine) {
                leaveFlags();
            }
            return mine;
        }
    }

    /** Clears the flags of the run that was just displaced, and keeps whether it was cancelled. Under the monitor. */
    private void leaveFlags() {
        if (turns.hasDisplaced()) {
            if (isCancelled()) {
                turns.cancelDisplaced(null);
            }
            FLAGS.setOpaque(this, usualFlags());
        }
    }

    /**
     * Gives the turn back when the run cannot start, because an access of the user's or the completion throws, or the
     * session is closed. The caller hears of it; a worker starts the run behind it, since only a worker can tell that
     * one of its end.
     */
    private boolean mayStartOrRefuse(Completion whenOver) {
        try {
            return mayStart(whenOver);
        } catch (RuntimeException | Error e) {
            if (turns.dropDisplaced(null) != null) { // another one has its turn meanwhile
                dispatcher.signal();
                throw e;
            }
            inOrder = false;
            Completion next;
            synchronized (turns) {
                endTurn(null);
                next = turns.current();
            }
            if (next != null) {
                dispatcher.ready(new Succession(next));
            }
            dispatcher.signal(); // who waits until no run is in flight
            throw e;
        }
    }

    /** Starts the run whose turn it is. */
    private final class Succession extends Node {
        private final Completion next;

        Succession(Completion next) {
            this.next = next;
        }

        @Override
        public void run(WorkerContext worker) {
            startNext(worker, next);
        }

        @Override
        public String name() {
            return name;
        }
    }

    /**
     * Starts a run from anywhere, like {@link #start(Completion)}, without a place among live tasks and runs of other
     * graphs.
     *
     * @param whenOver called then
     * @throws IllegalStateException when a run is in flight and the graph does not queue
     */
    public void startUnordered(Completion whenOver) {
        start(new Unordered(Objects.requireNonNull(whenOver, "whenOver")));
    }

    /**
     * Returns true if a run starts now: the one whose turn it is, or the one that gets its turn because it waits for
     * its place. A run that waits is started by its order.
     */
    private boolean mayStart(Completion whenOver) {
        begin(whenOver);
        if (whenOver instanceof NestedRun) {
            inOrder = false;
            return true;
        }
        RunOrder place = whenOver.isOrdered() ? order : null;
        boolean placed = place == null || place.begin();
        return placed ? startsInPlace(place != null) : yieldsTurn();
    }

    /** The run has its place, or needs none; returns whether it is its turn. Else it starts when it is again. */
    private boolean startsInPlace(boolean ordered) {
        boolean starts = turns.placed();
        if (starts) { // nobody else can have the turn from here on
            inOrder = ordered;
        }
        return starts;
    }

    /** The run whose turn it is waits for its place; returns whether another one starts meanwhile. */
    private boolean yieldsTurn() {
        Completion other;
        synchronized (turns) {
            other = turns.yieldTurn();
            if (other != null) {
                leaveFlags();
            }
        }
        return other != null && mayStart(other);
    }

    /** Starts the runs that had to wait for live tasks. */
    private final class OrderedRuns implements RunOrder.Runs {
        @Override
        public void start() {
            if (startsInPlace(true)) {
                dispatcher.ready(beginning());
            }
        }

        @Override
        public void neverStarts(WorkerContext worker, RuntimeException why) {
            if (!endsDisplaced(worker, why)) {
                inOrder = false;
                end(worker, why);
            }
        }
    }

    /** What a run begins with. */
    private Node beginning() {
        return runClaim == null ? first : runClaim;
    }

    /**
     * Makes a run a task of a live graph, or of the inside of a task: it accesses all that the graph's tasks do, so it orders itself against
     * the tasks around it, and holds no worker while it runs. Cancelling that graph cancels the run.
     *
     * @param tasks where
     * @param task its name
     */
    public Result<@Nullable Void> submit(Tasks tasks, String task) {
        Objects.requireNonNull(tasks, "tasks");
        Objects.requireNonNull(task, "task");
        TaskBuilder builder = tasks.task(task).unstaged(); // its tasks bring what they need
        declare(builder);
        return builder.start(context -> {
            AsTask run = new AsTask(this);
            start(run);
            return run.stage();
        });
    }

    /** Resource and access in turn: all that the graph's tasks access. */
    Object[] accesses() {
        return accesses;
    }

    /** Declares all that the graph's tasks access. */
    void declare(TaskBuilder builder) {
        for (int i = 0; i < accesses.length; i += 2) {
            builder.accesses((Resource) accesses[i], (Access) accesses[i + 1]);
        }
    }

    /**
     * Starts a run from inside a node, as a part of another graph: the node's task is over when {@code whenOver} is called, and no
     * worker waits for it.
     *
     * @param worker as given to the node
     * @param whenOver called then
     * @throws IllegalStateException when a run is in flight and the graph does not queue
     */
    public void start(WorkerContext worker, Completion whenOver) {
        Objects.requireNonNull(worker, "worker");
        Objects.requireNonNull(whenOver, "whenOver");
        if (takeTurn(whenOver) && mayStartOrRefuse(whenOver)) {
            worker.readyAtEnd(beginning());
        }
    }

    /** It is this run's turn. Whoever cancels it first changes its mind and then looks for the run: one of the two is seen. */
    private void begin(Completion whenOver) {
        if (whenOver.cancelled()) {
            cancel(whenOver);
        }
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
        try {
            dispatcher.awaitUntil(idle);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        RuntimeException failure = collect();
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable RuntimeException collect() {
        synchronized (turns) { // at once: else one that is kept meanwhile might be forgotten
            RuntimeException failure = turns.collect();
            if (failure != null && known != null) {
                known.forget(this);
            }
            return failure;
        }
    }

    /** Lets nothing more start in the run in flight, and in the graphs inside of it; running tasks see it through their contexts. */
    public void cancel() {
        cancel(null);
    }

    /** Cancels the run in flight, when it is for {@code whom} (null: for anybody). */
    void cancel(@Nullable Completion whom) {
        synchronized (turns) {
            Completion current = turns.current();
            turns.cancelDisplaced(whom);
            if (current == null || (whom != null && whom != current)) {
                return;
            }
            FLAGS.getAndBitwiseOr(this, CANCELLED);
            // Under the monitor, without which the run cannot end: else the next run's inner ones might be met. Inner
            // graphs are
            // built before outer ones, so the monitors have an order.
            for (InnerRun inner : inners) {
                inner.cancel();
            }
        }
    }

    /**
     * For the session, which ends: lets no run begin from outside any more, unless one is in flight; returns whether
     * none is.
     */
    public boolean close() {
        return turns.close();
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Whether a run is in flight. */
    public boolean isRunning() {
        return turns.isBusy();
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
    Claim heldData() {
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

    Troubles troubles() {
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
        boolean well = flags() == usualFlags();
        if (runClaim != null) {
            runClaim.release(well, passes > 1);
        }
        end(worker, well ? null : troubles.failure(name, passes));
    }

    /** A run is over, or never started: the next begins. */
    private void end(WorkerContext worker, @Nullable RuntimeException failure) {
        startNext(worker, tellEnd(worker, failure));
    }

    /** Tells of the end of a run; waiting threads were told with the end of its turn. */
    private void tell(Completion whose, WorkerContext worker, @Nullable RuntimeException failure) {
        if (whose instanceof Waiter) {
            return;
        }
        try {
            whose.over(worker, failure);
        } catch (RuntimeException | Error e) { // ends the engine
            throw new IllegalStateException(
                    "the completion of a run of compiled graph \"" + name + "\" threw, which it must not", e);
        }
    }

    /** Tells the displaced run, if there is one, that it never starts; returns whether there was one. */
    private boolean endsDisplaced(WorkerContext worker, RuntimeException why) {
        Completion whose;
        synchronized (turns) {
            whose = turns.dropDisplaced(why);
            if (whose instanceof Waiter waiter && waiter.unattended) {
                keepUnreported();
            }
        }
        if (whose == null) {
            return false;
        }
        tell(whose, worker, why);
        dispatcher.signal();
        return true;
    }

    /** Ends the run in flight and returns the next, if any, whose turn it is then, and which is to be started. */
    private @Nullable Completion tellEnd(WorkerContext worker, @Nullable RuntimeException failure) {
        troubles.endRun(passes);
        passes = 0;
        if (order != null && inOrder) {
            order.over(worker, failure);
        }
        inOrder = false;
        Completion whose;
        Completion next;
        boolean starts = false;
        synchronized (turns) { // at once: when there is no next one, any thread may begin a run from here on
            boolean back = turns.hasDisplaced();
            whose = endTurn(failure);
            if (failure != null && whose instanceof Waiter waiter && waiter.unattended) {
                keepUnreported();
            }
            next = turns.current();
            if (back && next != null) {
                starts = turns.isPlaced();
                inOrder = starts && order != null && next.isOrdered();
                next = starts ? null : turns.yieldTurn();
                if (next != null) {
                    leaveFlags();
                }
            }
        }
        tell(whose, worker, failure);
        dispatcher.signal();
        if (starts) {
            worker.readyAtEnd(beginning());
        }
        return next;
    }

    /** The run in flight is none any more, and leaves no flag to the next. Under the monitor, as {@link #cancel} is. */
    private Completion endTurn(@Nullable RuntimeException failure) {
        FLAGS.setOpaque(this, usualFlags());
        Completion whose = turns.end(failure);
        if (turns.isCancelled()) {
            FLAGS.getAndBitwiseOr(this, CANCELLED);
        }
        return whose;
    }

    /**
     * Starts {@code next}. When it cannot start, it ends at once, and the one behind it is next: in a loop, since very
     * many may end so.
     */
    private void startNext(WorkerContext worker, @Nullable Completion next) {
        Completion its = next;
        while (its != null) {
            RuntimeException why;
            try {
                if (mayStart(its)) {
                    worker.readyAtEnd(beginning());
                }
                return;
            } catch (RuntimeException e) { // thrown by an access of the user's; no one else can be told
                why = e;
            } catch (Error e) { // the stack is full, say
                why = new IllegalStateException("a run of compiled graph \"" + name + "\" could not start: " + e, e);
            }
            if (endsDisplaced(worker, why)) {
                return;
            }
            inOrder = false; // nothing of it is in order
            its = tellEnd(worker, why);
        }
    }

    private int usualFlags() {
        return (traced ? TRACED : 0) | (watch == null ? 0 : WATCHED);
    }
}

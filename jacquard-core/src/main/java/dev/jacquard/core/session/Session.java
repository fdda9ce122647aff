package dev.jacquard.core.session;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.compiled.Recorder;
import dev.jacquard.core.compiled.ShownRuns;
import dev.jacquard.core.execution.KnownGraphs;
import dev.jacquard.core.graph.DependencyDomain;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.OpenRuns;
import dev.jacquard.core.graph.RunSnapshot;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.graph.UserViews;
import dev.jacquard.engine.Engine;
import dev.jacquard.engine.Workers;
import dev.jacquard.engine.schedule.Explanation;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.coherence.Coherence;
import dev.jacquard.memory.data.Copier;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Handle.Loan;
import dev.jacquard.memory.data.Resource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The front door: workers, handles and graphs of one program.
 *
 * <pre>{@code
 * try (Session session = Session.open()) {
 *     Handle<double[]> x = session.wrap("x", new double[1_000_000]);
 *     session.graph().task("fill").writes(x).run(ctx -> Arrays.fill(ctx.get(x), 1.0));
 *     session.graph().await();
 * }
 * }</pre>
 *
 * <p>The thread that opens a session is one of its workers: it runs tasks while it waits for them. With one worker,
 * nothing runs before it waits, but in graphs with a window.
 *
 * <p>Threads: any may make graphs and handles and submit tasks, from inside tasks too; only the thread that opened the
 * session closes it.
 */
public final class Session implements AutoCloseable {
    private final Engine engine;
    private final DependencyDomain domain;
    private final Coherence coherence;
    private final DataManager data;
    /** True if the newest contents on devices stay there when the session is closed. */
    private final boolean leavesResults;
    /** In checking mode only. */
    private final Handle.@Nullable Guard guard;

    private final Handle.Wait handleWait;

    private final Thread opener = Thread.currentThread();
    private final KnownGraphs<CompiledGraph> compiled = new KnownGraphs<>();
    /** Guarded by the domain's monitor. */
    private @Nullable TaskGraph main;
    /** The graph of user views and fetches. Guarded by the domain's monitor. */
    private @Nullable TaskGraph outside;
    /** Confined to the opener. */
    private boolean closed;

    Session(Engine engine, DependencyDomain.Options options, Coherence coherence, boolean leavesResults) {
        this.leavesResults = leavesResults;
        this.engine = engine;
        this.domain = new DependencyDomain(this, engine, options);
        domain.openRuns().setCompiled(new ShownRuns(compiled));
        this.guard = domain.guard();
        this.handleWait = UserViews.ofHandles(domain, name -> outside("value of ", name, Mode.READ));
        this.coherence = coherence;
        this.data = new DataManager(this, coherence);
    }

    /** A session with a worker per processor, as the Java runtime counts them. */
    public static Session open() {
        return builder().open();
    }

    /** Choices before a session is opened. */
    public static SessionBuilder builder() {
        return new SessionBuilder();
    }

    /** The session's own graph. */
    public TaskGraph graph() {
        synchronized (domain) {
            TaskGraph graph = main;
            if (graph == null) {
                graph = graph("main", FailurePolicy.CONTINUE);
                main = graph;
            }
            return graph;
        }
    }

    /** Another graph. Tasks of all graphs of a session order themselves by their accesses. */
    public TaskGraph graph(String name, FailurePolicy policy) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(policy, "policy");
        return new TaskGraph(name, domain, policy);
    }

    /**
     * A builder of a graph that is frozen, and run again and again. Its runs have their place among live tasks, by the
     * accesses of its tasks.
     */
    public CompiledGraphBuilder compile(String name) {
        Objects.requireNonNull(name, "name");
        return new CompiledGraphBuilder(name, this, engine, coherence, domain, compiled)
                .watchedBy(domain.compiledWatch());
    }

    /**
     * Records the tasks that {@code tasks} submits, once, and freezes them, so that they run again and again without
     * inference and without allocation. The tasks order themselves by their accesses, among themselves.
     *
     * @throws UnsupportedOperationException when a task needs an operation that compiled graphs do not support; see
     *     {@link Recorder}
     */
    public CompiledGraph record(String name, Consumer<? super Recorder> tasks) {
        Objects.requireNonNull(tasks, "tasks");
        return Recorder.record(compile(name), domain, tasks);
    }

    /** Records and freezes under the name "recorded"; see {@link #record(String, Consumer)}. */
    public CompiledGraph record(Consumer<? super Recorder> tasks) {
        return record("recorded", tasks);
    }

    /** A handle on the user's own object, which is not copied. */
    public <T> Handle<T> wrap(String name, T value) {
        return handle(name, value, null, Copier.of(value));
    }

    /**
     * A handle on a part of {@code whole}: an access to it conflicts with accesses to the whole, not to other parts.
     *
     * @throws IllegalArgumentException when {@code whole} belongs to another session
     */
    public <T> Handle<T> wrap(String name, T value, Resource whole) {
        Objects.requireNonNull(whole, "whole");
        return handle(name, value, whole, Copier.of(value));
    }

    /** A handle on the user's own object, with a way to keep and restore its contents, so that tasks can be retried. */
    public <T> Handle<T> wrap(String name, T value, Copier<T> copier) {
        Objects.requireNonNull(copier, "copier");
        return handle(name, value, null, copier);
    }

    /**
     * For fronts with work that is no task: runs that are to be seen by snapshots and the stall watch, and to end with
     * the session.
     */
    public OpenRuns openRuns() {
        return domain.openRuns();
    }

    /**
     * For fronts with pools: a handle on a value that is lent, which tasks may access. The next loan of the value has
     * another handle.
     */
    public <T> Handle<T> lend(String name, T value, Loan loan) {
        return new Handle<>(name, this, value, null, Copier.of(value), guard, Objects.requireNonNull(loan, "loan"));
    }

    private <T> Handle<T> handle(String name, T value, @Nullable Resource whole, @Nullable Copier<T> copier) {
        return domain.made(new Handle<>(name, this, value, whole, copier, guard, handleWait));
    }

    /** Data that tasks find wherever they run. */
    public DataManager data() {
        return data;
    }

    /**
     * Locks the value of a handle for code outside of tasks: waits for earlier tasks that conflict, and lets later ones
     * wait until the view is closed. Several resources at once:
     * {@code session.graph().task("name").reads(x).updates(y).open()}.
     *
     * @param how {@link Mode#READ}, {@link Mode#UPDATE} to read and write, {@link Mode#WRITE} to write only
     * @throws IllegalArgumentException when {@code how} is none of these, or the handle belongs to another session
     * @throws IllegalStateException from inside a task, or when the calling thread has a view that this one would wait
     *     for
     * @throws dev.jacquard.core.graph.TaskFailedException when data to be read is poisoned
     */
    public UserView lock(Handle<?> handle, Mode how) {
        Objects.requireNonNull(handle, "handle");
        Objects.requireNonNull(how, "how");
        return outside("view of ", handle.name(), how).accesses(handle, how).open();
    }

    /**
     * The beginning of a task that serves code outside of tasks, in a separate graph: a thread that holds a view can
     * wait for tasks that do not wait for the view, and values can be read when the user's graphs are cancelled.
     *
     * @param what its action on {@code of}, for its name
     */
    TaskBuilder outside(String what, String of, Mode how) {
        if (how != Mode.READ && how != Mode.UPDATE && how != Mode.WRITE) {
            throw new IllegalArgumentException(
                    "user code can READ, UPDATE or WRITE \"" + of + "\", not " + how + " it");
        }
        synchronized (domain) {
            TaskGraph graph = outside;
            if (graph == null) {
                graph = graph("outside of tasks", FailurePolicy.CONTINUE);
                outside = graph;
            }
            return new TaskBuilder(graph, what + of);
        }
    }

    /** The user views that are open. */
    public List<UserView> views() {
        return domain.views().open();
    }

    /** The user views that are open for {@code resource}, a part of it, or a resource that it is a part of. */
    public List<UserView> views(Resource resource) {
        Objects.requireNonNull(resource, "resource");
        return domain.views().open(resource);
    }

    /** A resource without a value: a communicator, a file, anything that tasks must not touch at the same time. */
    public Resource resource(String name) {
        Objects.requireNonNull(name, "name");
        return domain.made(new Resource(name, this));
    }

    /**
     * A part of {@code whole}: an access to it conflicts with accesses to the whole, not to other parts.
     *
     * @throws IllegalArgumentException when {@code whole} belongs to another session, or is nested 1000 levels deep
     */
    public Resource resource(String name, Resource whole) {
        Objects.requireNonNull(whole, "whole");
        Objects.requireNonNull(name, "name");
        return domain.made(new Resource(name, this, whole, false));
    }

    /** A resource. Its conflicting tasks exclude each other, in any order. Its parts are unordered too. */
    public Resource unordered(String name) {
        Objects.requireNonNull(name, "name");
        return domain.made(new Resource(name, this, null, true));
    }

    /**
     * The number of threads that run tasks: the threads of the host, including the one that opened the session (while
     * it waits), the threads that serve targets, and the main thread. At least 1; a worker's index is below.
     */
    public int workers() {
        return engine.workers();
    }

    /** The workers, for the implementation of other fronts: nodes, waits, timers and threads. */
    public Workers executor() {
        return engine;
    }

    /**
     * The session's devices of {@code kind}, or the one of that name: each as a separate target, in the order in which
     * they were given to the builder.
     */
    public List<ExecutionTarget> devices(ExecutionTarget kind) {
        Objects.requireNonNull(kind, "kind");
        return engine.places().stream()
                .filter(place -> place.isDevice() && place.is(kind))
                .map(place -> ExecutionTarget.named(place.name()))
                .toList();
    }

    /** The targets that have workers, {@link ExecutionTarget#HOST} among them. */
    public Set<ExecutionTarget> targets() {
        Set<ExecutionTarget> all = new LinkedHashSet<>();
        engine.places().forEach(place -> all.add(ExecutionTarget.named(place.name())));
        return all;
    }

    /**
     * Runs the tasks that only the main thread may run, until {@code done} answers true or the session is closed. The
     * main thread does so too while it waits in any other way.
     *
     * @param done asked like that of {@link #awaitUntil}; {@link #signal} makes it be asked again
     * @throws IllegalStateException when called by another thread than the main thread, or from inside a task
     */
    public void runMain(BooleanSupplier done) throws InterruptedException {
        Objects.requireNonNull(done, "done");
        domain.requireOutsideListeners("a condition");
        engine.runMain(done);
    }

    /**
     * Runs the tasks that only the main thread may run, until the session is closed.
     *
     * @throws IllegalStateException when called by another thread than the main thread, from inside a task, or by the
     *     thread that opened the session, since no other closes it
     */
    public void runMain() throws InterruptedException {
        if (Thread.currentThread() == opener) {
            throw new IllegalStateException(
                    "the thread that opened the session would wait for itself to close it: say until when,"
                            + " or await a graph");
        }
        domain.requireOutsideListeners("the end of the session");
        engine.runMain(() -> false);
    }

    /**
     * Returns when {@code done} answers true. Until then the thread that opened the session runs ready tasks, the main
     * thread the main tasks; any other thread sleeps. {@code done} is asked again after each task that this thread ran,
     * after each {@link #signal()}, and when a worker has run out of work; it must be cheap and is called by this
     * thread only.
     *
     * @throws IllegalStateException when called from inside a task, which must not wait; or when the engine itself
     *     failed
     */
    public void awaitUntil(BooleanSupplier done) throws InterruptedException {
        Objects.requireNonNull(done, "done");
        domain.requireOutsideListeners("a condition");
        engine.awaitUntil(done);
    }

    /** Something that an {@link #awaitUntil} may wait for has changed. Cheap when no thread waits. */
    public void signal() {
        engine.signal();
    }

    /**
     * Returns the current state of workers and tasks, and which wait for which; as text like a thread dump. Any thread;
     * holds no worker up. Takes as long as there are tasks that are not over.
     */
    public RunSnapshot snapshot() {
        return domain.snapshot();
    }

    /**
     * Returns why the newest tasks that could go to several places went where they did, and how early they would have
     * ended elsewhere: for the newest 256 kernels; after these, under a policy with such a rule for ready tasks, for
     * the newest 256 tasks that went to workers. The last one is last. Any thread.
     */
    public List<Explanation> placements() {
        return engine.explanations();
    }

    /** The clock by which time passes for tasks. */
    public Clock clock() {
        return engine.clock();
    }

    /** Returns where spans go. */
    public Trace trace() {
        return engine.trace();
    }

    /**
     * Waits for every submitted task, every run in flight and every user view of other threads, brings newer contents
     * from elsewhere to the users' arrays ({@link SessionBuilder#leaveResultsOnDevices} turns that off), then ends the
     * workers. While it waits, the thread runs tasks of all graphs. A failure that was not reported before is thrown
     * here. An interrupt cancels all graphs, as {@link TaskGraph#cancel} does, and the thread stays interrupted. User
     * views that this thread has left open are closed, and then that is an error.
     *
     * <p>Runs of flow graphs that are still open are cancelled first, and that is an error if items were lost.
     *
     * @throws dev.jacquard.core.graph.TaskFailedException when a task failed and no await has reported it
     * @throws IllegalStateException when called by another thread than the one that opened the session, inside a task,
     *     or by a function that a driver runs for one; when user views were left open, or something could not be
     *     brought to the users' arrays: then the session is closed all the same
     */
    @Override
    @SuppressWarnings("try") // the closing is the point
    public void close() {
        if (closed) {
            return;
        }
        if (Thread.currentThread() != opener) {
            throw new IllegalStateException("only the thread that opened the session, " + Threads.name(opener)
                    + ", may close the session; this is " + Threads.name(Thread.currentThread()));
        }
        if (engine.isInsideNode()) {
            throw new IllegalStateException("a task must not close its session: it would wait for itself");
        }
        domain.requireOutsideListeners("the end of the session");
        if (domain.isInsideFunction()) {
            throw new IllegalStateException(
                    "the function of a task must not close its session: it would wait for itself");
        }
        List<UserView> forgotten = domain.views().forgotten();
        forgotten.forEach(UserView::close);
        RuntimeException cutOff = domain.openRuns().end();
        try (Part rest = () -> Leftovers.end(engine, domain, new ShownRuns(compiled));
                Part times = engine.times()::keep;
                coherence;
                Part functions = () -> domain.awaitFunctions(false);
                engine;
                Part results = leavesResults ? () -> {} : data::bringHome) {
            closed = true;
            new GraphsEnd(domain::close, compiled.close(), engine::isBroken, engine::stallWatchThrew).await();
            engine.requireTold(); // the last task may have been over before the engine ended
            if (cutOff != null) {
                throw cutOff;
            }
            if (!forgotten.isEmpty()) {
                throw new IllegalStateException(
                        "the session was closed with " + forgotten + " still open: close user views first");
            }
            List<String> unfinished = domain.unfinished();
            if (!unfinished.isEmpty()) {
                throw new IllegalStateException("these tasks were declared and never ran: "
                        + String.join("; ", unfinished) + ": end a declaration with run, call, start or open");
            }
        }
    }

    /** A part of the close, also when a task failed: a transfer to the users' arrays after all tasks, or a wait. */
    private interface Part extends AutoCloseable {
        @Override
        void close();
    }

    DependencyDomain domain() {
        return domain;
    }
}

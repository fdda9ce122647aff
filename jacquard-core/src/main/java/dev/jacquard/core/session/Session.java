package dev.jacquard.core.session;

import dev.jacquard.core.clock.Clock;
import dev.jacquard.core.data.Handle;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.engine.Engine;
import dev.jacquard.core.engine.EngineOptions;
import dev.jacquard.core.engine.Workers;
import dev.jacquard.core.graph.Edges;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Node;
import dev.jacquard.core.graph.ReadyTask;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.Timer;
import dev.jacquard.core.machine.Target;
import dev.jacquard.core.schedule.Placement;
import dev.jacquard.core.schedule.Policies;
import dev.jacquard.core.schedule.Policy;
import dev.jacquard.core.schedule.ReadyOrder;
import dev.jacquard.core.schedule.Stealing;
import dev.jacquard.core.trace.Trace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The front door: workers, handles and graphs of one program.
 *
 * {@snippet :
 * try (Session session = Session.open()) {
 *     Handle<double[]> x = session.wrap("x", new double[1_000_000]);
 *     session.graph().task("fill").writes(x).run(ctx -> Arrays.fill(ctx.get(x), 1.0));
 *     session.graph().await();
 * }
 * }
 *
 * <p>The thread that opens a session is one of its workers: it runs tasks while it waits for them. With one worker, nothing
 * runs before it waits.
 *
 * <p>Threads: graphs and handles are made, and tasks submitted, by the thread that opened the session; the methods of
 * {@link Workers} may be called by any thread.
 */
public final class Session implements Workers, AutoCloseable {
    private final Engine engine;
    private final Thread opener = Thread.currentThread();
    private final List<TaskGraph> graphs = new ArrayList<>();
    private @Nullable TaskGraph main;
    private boolean closed;

    private Session(Engine engine) {
        this.engine = engine;
    }

    /** A session with a worker per processor, as the Java runtime counts them. */
    public static Session open() {
        return builder().open();
    }

    /** Choices before a session is opened. */
    public static Builder builder() {
        return new Builder();
    }

    /** The session's own graph. */
    public TaskGraph graph() {
        TaskGraph graph = main;
        if (graph == null) {
            graph = graph("main", FailurePolicy.CONTINUE);
            main = graph;
        }
        return graph;
    }

    /** Another graph. Tasks of all graphs of a session order themselves by their accesses. */
    public TaskGraph graph(String name, FailurePolicy policy) {
        requireOpener("make a graph");
        TaskGraph graph = new TaskGraph(name, this, opener, engine, policy);
        graphs.add(graph);
        return graph;
    }

    /** A handle on the user's own object, which is not copied. */
    public <T> Handle<T> wrap(String name, T value) {
        return new Handle<>(name, this, value);
    }

    /** A resource without a value: a communicator, a file, anything that tasks must not touch at the same time. */
    public Resource resource(String name) {
        return new Resource(name, this);
    }

    @Override
    public int workers() {
        return engine.workers();
    }

    @Override
    public boolean hasMain() {
        return engine.hasMain();
    }

    @Override
    public int placeOf(Target target) {
        return engine.placeOf(target);
    }

    @Override
    public Set<Target> targets() {
        return engine.targets();
    }

    /**
     * Runs the tasks that only the main thread may run, until {@code done} answers true or the session is closed. The main
     * thread does so too while it waits in any other way.
     *
     * @param done asked like that of {@link #awaitUntil}; {@link #signal} makes it be asked again
     * @throws IllegalStateException when called by another thread than the main thread, or from inside a task
     */
    public void runMain(BooleanSupplier done) throws InterruptedException {
        engine.runMain(done);
    }

    /**
     * Runs the tasks that only the main thread may run, until the session is closed.
     *
     * @throws IllegalStateException when called by another thread than the main thread, from inside a task, or by the thread
     *     that opened the session, since nobody else closes it
     */
    public void runMain() throws InterruptedException {
        if (Thread.currentThread() == opener) {
            throw new IllegalStateException(
                    "the thread that opened the session would wait for itself to close it: say until when, or await a graph");
        }
        engine.runMain(() -> false);
    }

    @Override
    public boolean wantsSubmissions() {
        return engine.wantsSubmissions();
    }

    @Override
    public void submitted(ReadyTask task, Edges edges) {
        engine.submitted(task, edges);
    }

    @Override
    public void ready(Node node) {
        engine.ready(node);
    }

    @Override
    public void awaitUntil(BooleanSupplier done) throws InterruptedException {
        engine.awaitUntil(done);
    }

    @Override
    public void signal() {
        engine.signal();
    }

    @Override
    public Timer schedule(long nanosFromNow, Runnable action) {
        return engine.schedule(nanosFromNow, action);
    }

    @Override
    public void background(Runnable action) {
        engine.background(action);
    }

    @Override
    public Thread dedicated(String name, Runnable body) {
        return engine.dedicated(name, body);
    }

    @Override
    public Trace trace() {
        return engine.trace();
    }

    /**
     * Waits for every submitted task, then ends the workers. A failure that nobody waited for is thrown here; an interrupt
     * cancels what has not started.
     *
     * @throws dev.jacquard.core.graph.TaskFailedException when a task failed and no await has reported it
     * @throws IllegalStateException when called by another thread than the one that opened the session, or inside a task
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        requireOpener("close the session");
        if (engine.isInsideNode()) {
            throw new IllegalStateException("a task must not close its session: it would wait for itself");
        }
        closed = true;
        try (engine) {
            new GraphsEnd(graphs).await();
        }
    }

    private void requireOpener(String what) {
        if (Thread.currentThread() != opener) {
            throw new IllegalStateException("only the thread that opened the session, " + opener.getName() + ", may "
                    + what + "; this is " + Thread.currentThread().getName());
        }
    }

    /** Choices before a session is opened. */
    public static final class Builder {
        private int workers = Runtime.getRuntime().availableProcessors();
        private int spans;
        private Clock clock = Clock.system();
        private boolean opensAsMain = true;
        private @Nullable Thread main;
        private final Map<Target, Integer> targets = new LinkedHashMap<>();

        private Policy policy = new Stealing();
        private @Nullable Supplier<? extends ReadyOrder> order;
        private @Nullable Placement placement;

        private Builder() {}

        /** How many threads run tasks of the host, the opening one included; by default one per processor. */
        public Builder workers(int count) {
            workers = count;
            return this;
        }

        /** Traces: each worker keeps its newest {@code spansPerWorker} spans. 0, the default, switches tracing off. */
        public Builder trace(int spansPerWorker) {
            spans = spansPerWorker;
            return this;
        }

        /** Where time comes from. */
        public Builder clock(Clock source) {
            clock = source;
            return this;
        }

        /**
         * Another main thread than the one that opens the session. It runs main tasks, and what these make ready, while it
         * waits for results or is in {@link Session#runMain()}.
         */
        public Builder mainThread(Thread thread) {
            opensAsMain = false;
            main = thread;
            return this;
        }

        /** No main thread: tasks for it are refused. */
        public Builder noMainThread() {
            opensAsMain = false;
            main = null;
            return this;
        }

        /** Threads that serve {@code target} alone, besides the workers of the host. */
        public Builder workersFor(Target target, int count) {
            targets.put(target, count);
            return this;
        }

        /** How ready tasks are scheduled: which next, and where. By default by {@link Stealing}; see {@link Policies}. */
        public Builder policy(Policy choice) {
            policy = choice;
            return this;
        }

        /**
         * Another order than the policy's, made anew for the session: one for all workers, or one for each with a {@link
         * #placement}. Every ready task then passes through it.
         */
        public Builder order(Supplier<? extends ReadyOrder> makes) {
            order = makes;
            return this;
        }

        /** Another placement than the policy's; without an {@link #order} tasks of one worker run first in, first out. */
        public Builder placement(Placement choice) {
            placement = choice;
            return this;
        }

        /** Opens the session; the calling thread is its first worker. */
        public Session open() {
            EngineOptions options =
                    EngineOptions.of(workers).withTargets(targets).withPolicy(Policies.with(policy, order, placement));
            EngineOptions mains = opensAsMain ? options : options.withMain(main);
            return new Session(new Engine(mains, new Trace(clock, spans)).start());
        }
    }
}

package dev.jacquard.core.session;

import dev.jacquard.core.clock.Clock;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.data.Handle;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.engine.Engine;
import dev.jacquard.core.engine.EngineOptions;
import dev.jacquard.core.engine.Workers;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Node;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
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
    private final List<CompiledGraph> compiled = new ArrayList<>();
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

    /** A builder of a graph that is frozen, and run again and again. Tasks of other graphs do not order themselves against its runs. */
    public CompiledGraphBuilder compile(String name) {
        requireOpener("compile a graph");
        return new CompiledGraphBuilder(name, this, engine, compiled::add);
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
    public Thread dedicated(String name, Runnable body) {
        return engine.dedicated(name, body);
    }

    @Override
    public Trace trace() {
        return engine.trace();
    }

    /**
     * Waits for every submitted task and every run in flight, then ends the workers. A failure that nobody waited for is thrown here; an interrupt
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
            GraphsEnd.of(graphs, compiled).await();
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

        private Builder() {}

        /** How many threads run tasks, the opening one included; by default one per processor. */
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

        /** Opens the session; the calling thread is its first worker. */
        public Session open() {
            return new Session(new Engine(EngineOptions.of(workers), new Trace(clock, spans)).start());
        }
    }
}

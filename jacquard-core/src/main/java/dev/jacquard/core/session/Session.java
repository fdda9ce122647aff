package dev.jacquard.core.session;

import dev.jacquard.core.access.Mode;
import dev.jacquard.core.cache.CachePolicy;
import dev.jacquard.core.cache.LeastRecentlyUsed;
import dev.jacquard.core.clock.Clock;
import dev.jacquard.core.coherence.Coherence;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.compiled.Recorder;
import dev.jacquard.core.data.Copier;
import dev.jacquard.core.data.Handle;
import dev.jacquard.core.data.HandleGuard;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.device.DeviceOffer;
import dev.jacquard.core.device.link.LinkTable;
import dev.jacquard.core.engine.Engine;
import dev.jacquard.core.engine.EngineOptions;
import dev.jacquard.core.engine.Workers;
import dev.jacquard.core.graph.Checking;
import dev.jacquard.core.graph.Domain;
import dev.jacquard.core.graph.DomainOptions;
import dev.jacquard.core.graph.Edges;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Node;
import dev.jacquard.core.graph.NodeVisitor;
import dev.jacquard.core.graph.RangeBody;
import dev.jacquard.core.graph.ReadyTask;
import dev.jacquard.core.graph.RunSnapshot;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskListener;
import dev.jacquard.core.graph.Timer;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.machine.Target;
import dev.jacquard.core.schedule.Placement;
import dev.jacquard.core.schedule.Policies;
import dev.jacquard.core.schedule.Policy;
import dev.jacquard.core.schedule.ReadyOrder;
import dev.jacquard.core.schedule.Stealing;
import dev.jacquard.core.trace.Trace;
import dev.jacquard.core.trace.TraceMode;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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
 * runs before it waits, but in graphs with a window.
 *
 * <p>Threads: any may make graphs and handles and submit tasks, from inside tasks too; only the thread that opened the session
 * closes it.
 */
public final class Session implements Workers, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Session.class.getName());

    private final Engine engine;
    private final Domain domain;
    private final Coherence coherence;
    private final DataManager data;
    /** In checking mode only. */
    private final @Nullable HandleGuard guard;

    private final Thread opener = Thread.currentThread();
    /** Guarded by itself. */
    private final List<CompiledGraph> compiled = new ArrayList<>();
    /** Guarded by the domain's monitor. */
    private @Nullable TaskGraph main;
    /** Likewise: of user views. */
    private @Nullable TaskGraph views;
    /** Written by the opener, under the monitor of {@link #compiled}; read under it, or by the opener. */
    private boolean closed;

    private Session(Engine engine, DomainOptions options, Coherence coherence) {
        this.engine = engine;
        this.domain = new Domain(this, engine, options);
        this.guard = domain.guard();
        this.coherence = coherence;
        this.data = new DataManager(this, coherence);
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
        return new TaskGraph(name, domain, policy);
    }

    /** A builder of a graph that is frozen, and run again and again. Tasks of other graphs do not order themselves against its runs. */
    public CompiledGraphBuilder compile(String name) {
        return new CompiledGraphBuilder(name, this, engine, coherence, this::keep);
    }

    private void keep(CompiledGraph graph) {
        synchronized (compiled) {
            if (closed) {
                throw new IllegalStateException(
                        "graph \"" + graph.name() + "\" was compiled after its session was closed");
            }
            compiled.add(graph);
        }
    }

    /** From now on there are no others. */
    private List<CompiledGraph> lastCompiled() {
        synchronized (compiled) {
            closed = true;
            return List.copyOf(compiled);
        }
    }

    /**
     * Records what {@code tasks} submits, once, and freezes it, so that it runs again and again without inference and without
     * allocation. The tasks order themselves by their accesses, among themselves.
     *
     * @throws UnsupportedOperationException when a task needs what compiled graphs cannot do; see {@link Recorder}
     */
    public CompiledGraph record(String name, Consumer<? super Recorder> tasks) {
        return Recorder.record(compile(name), domain, tasks);
    }

    /** Likewise, under a name that says nothing. */
    public CompiledGraph record(Consumer<? super Recorder> tasks) {
        return record("recorded", tasks);
    }

    /** A handle on the user's own object, which is not copied. */
    public <T> Handle<T> wrap(String name, T value) {
        return handle(name, value, null, Copier.of(value));
    }

    /**
     * A handle on a part of {@code whole}: an access to it conflicts with accesses to the whole, and not with those to other parts.
     *
     * @throws IllegalArgumentException when {@code whole} belongs to another session
     */
    public <T> Handle<T> wrap(String name, T value, Resource whole) {
        return handle(name, value, whole, Copier.of(value));
    }

    /** A handle on the user's own object, with a way to keep and restore what that holds, so that tasks can be tried again. */
    public <T> Handle<T> wrap(String name, T value, Copier<T> copier) {
        return handle(name, value, null, copier);
    }

    private <T> Handle<T> handle(String name, T value, @Nullable Resource whole, @Nullable Copier<T> copier) {
        return new Handle<>(name, this, value, whole, copier, guard);
    }

    /** Data that tasks find wherever they run. */
    public DataManager data() {
        return data;
    }

    /**
     * Locks the value of a handle for code outside of tasks: waits for earlier tasks that conflict, and lets later ones wait until the view is
     * closed. Several resources at once: {@code session.graph().task("name").reads(x).updates(y).open()}.
     *
     * @param how {@link Mode#READ}, {@link Mode#WRITE} to read and write, {@link Mode#OVERWRITE} to write only
     * @throws IllegalArgumentException when {@code how} is none of these, or the handle belongs to another session
     * @throws IllegalStateException from inside a task, or when the calling thread has a view that this one would wait for
     * @throws dev.jacquard.core.graph.TaskFailedException when what is to be read is poisoned
     */
    public UserView lock(Handle<?> handle, Mode how) {
        return view(handle.name(), how).accesses(handle, how).open();
    }

    /** The beginning of a user view, which is in a graph of its own: who holds it can wait for what does not wait for it. */
    TaskBuilder view(String of, Mode how) {
        if (how != Mode.READ && how != Mode.WRITE && how != Mode.OVERWRITE) {
            throw new IllegalArgumentException(
                    "user code can READ, WRITE or OVERWRITE \"" + of + "\", not " + how + " it");
        }
        synchronized (domain) {
            TaskGraph graph = views;
            if (graph == null) {
                graph = graph("user views", FailurePolicy.CONTINUE);
                views = graph;
            }
            return graph.task("view of " + of);
        }
    }

    /** The user views that are open. */
    public List<UserView> views() {
        return domain.views().open();
    }

    /** The user views that are open for {@code resource}, a part of it, or what it is a part of. */
    public List<UserView> views(Resource resource) {
        return domain.views().open(resource);
    }

    /** Waits for what is left to be done for views of {@code resource} that were closed. */
    void settle(Resource resource) {
        domain.views().settle(resource);
    }

    /** A resource without a value: a communicator, a file, anything that tasks must not touch at the same time. */
    public Resource resource(String name) {
        return new Resource(name, this);
    }

    /**
     * A part of {@code whole}: an access to it conflicts with accesses to the whole, and not with those to other parts.
     *
     * @throws IllegalArgumentException when {@code whole} belongs to another session
     */
    public Resource resource(String name, Resource whole) {
        return new Resource(name, this, whole, false);
    }

    /** A resource whose conflicting tasks exclude each other in any order. Its parts are unordered too. */
    public Resource unordered(String name) {
        return new Resource(name, this, null, true);
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

    /**
     * The session's devices of {@code kind}, or the one of that name: each as a target of its own, in the order in which they were
     * given to the builder.
     */
    public List<Target> devices(Target kind) {
        return coherence.devices(kind);
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
    public boolean hasPolicy() {
        return engine.hasPolicy();
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
    public void loop(long from, long to, long grain, RangeBody body) throws Exception {
        engine.loop(from, to, grain, body);
    }

    @Override
    public boolean isInsideNode() {
        return engine.isInsideNode();
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

    /**
     * What workers and tasks do right now, and who waits for what; as text like a thread dump. Any thread, at any time; holds no
     * worker up. Takes as long as there are tasks that are not over.
     */
    public RunSnapshot snapshot() {
        return domain.snapshot();
    }

    @Override
    public void visit(NodeVisitor visitor) {
        engine.visit(visitor);
    }

    @Override
    public Clock clock() {
        return engine.clock();
    }

    @Override
    public Trace trace() {
        return engine.trace();
    }

    /**
     * Waits for every submitted task, every run in flight and every user view of other threads, then ends the workers. A failure that nobody waited for
     * is thrown here; an interrupt cancels what has not started. User views that this thread has left open are closed, and then that is an error.
     *
     * @throws dev.jacquard.core.graph.TaskFailedException when a task failed and no await has reported it
     * @throws IllegalStateException when called by another thread than the one that opened the session, or inside a task; when user views
     *     were left open: then the session is closed all the same
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
        List<UserView> forgotten = domain.views().forgotten();
        forgotten.forEach(UserView::close);
        try (coherence;
                engine) {
            GraphsEnd.of(domain.close(), lastCompiled()).await();
            if (!forgotten.isEmpty()) {
                throw new IllegalStateException(
                        "the session was closed with " + forgotten + " still open: close user views first");
            }
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
        private TraceMode traceMode = TraceMode.OFF;
        private int spans;
        private boolean graphsKept;
        private final List<TaskListener> listeners = new ArrayList<>();
        private @Nullable Checking checking;
        private Duration stallTime = Duration.ofSeconds(10);
        private Consumer<? super String> stallConsumer = text -> LOG.log(Level.WARNING, text);
        private @Nullable Clock clock;
        private boolean opensAsMain = true;
        private @Nullable Thread main;
        private final Map<Target, Integer> targets = new LinkedHashMap<>();

        private Policy policy = new Stealing();
        private @Nullable Supplier<? extends ReadyOrder> order;
        private @Nullable Placement placement;
        private long shortNanos = EngineOptions.SHORT_NANOS;
        private final Memories memories = new Memories();

        private Builder() {}

        /** How many threads run tasks of the host, the opening one included; by default one per processor. */
        public Builder workers(int count) {
            workers = count;
            return this;
        }

        /** Traces: each worker keeps its newest {@code spansPerWorker} spans. 0, the default, switches tracing off. */
        public Builder trace(int spansPerWorker) {
            return trace(spansPerWorker == 0 ? TraceMode.OFF : TraceMode.BASIC, spansPerWorker);
        }

        /** Traces as {@code mode} says: each worker keeps its newest {@code entriesPerWorker} spans and events. */
        public Builder trace(TraceMode mode, int entriesPerWorker) {
            traceMode = mode;
            spans = entriesPerWorker;
            return this;
        }

        /**
         * Explains to {@code told} when nothing has moved for {@code time} although somebody waits and tasks are not over: who waits for
         * whom, and what for in the end. Once per stall. By default after 10 seconds, as a warning to this class's system logger.
         *
         * @param time {@link Duration#ZERO} switches the watch off
         * @param told is called by a thread that waits; what it throws comes out of that wait
         */
        public Builder stallWatch(Duration time, Consumer<? super String> told) {
            if (time.isNegative()) {
                throw new IllegalArgumentException("nothing moves for more than 0 before it is a stall, not for " + time
                        + "; Duration.ZERO for no watch");
            }
            stallTime = time;
            stallConsumer = told;
            return this;
        }

        /**
         * Watches bodies, at a price: one that takes the value of a handle which its task did not declare, or has handed on to sub-tasks, and
         * one that changes what its task declared as read, fails its task, and the message says where that was submitted. Knows what arrays
         * hold, and what has a copier and an equality. A user's array that code in no task has changed while it is the home of data fails the next
         * task that has to do with it. Copies to and from devices are compared by checksums, and made again when they differ.
         */
        public Builder checking() {
            return checking(Checking.basic());
        }

        /** Watches bodies like {@link #checking()}, with more knowledge of what objects hold. */
        public Builder checking(Checking how) {
            checking = how;
            return this;
        }

        /** Tells {@code listener} too of every change of a task's state. */
        public Builder listener(TaskListener listener) {
            listeners.add(listener);
            return this;
        }

        /**
         * Where time comes from, also for the trace. By default the {@linkplain Clock#system system's}, and for the trace {@linkplain
         * Clock#cycles cycles}, by which nothing is decided.
         */
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

        /** Uses a device, and most of its memory. */
        public Builder device(DeviceOffer offer) {
            return device(offer, offer.properties().memoryBytes() / 10 * 9);
        }

        /**
         * Uses a device.
         *
         * @param bytes how much of its memory replicas of data may take
         * @throws IllegalArgumentException when it has not that much
         */
        public Builder device(DeviceOffer offer, long bytes) {
            memories.device(offer, bytes);
            return this;
        }

        /**
         * Uses devices of this machine by name, and most of their memory; see {@link #devices}.
         *
         * @throws IllegalArgumentException when there is none of that name
         */
        public Builder device(String name) {
            return devices(name);
        }

        /**
         * Uses devices of this machine by name, and most of their memory. Looks for them now, which may take some time.
         *
         * @param names as {@code ./jacquard machine} shows them: {@code opencl0}; or a kind of devices, or {@code all}; besides, {@code
         *     emulated0}, {@code emulated1} and so on are emulated devices, which need no hardware
         * @throws IllegalArgumentException when there is none of a name: says which there are, and why others are absent
         */
        public Builder devices(String... names) {
            Memories.named(names).forEach(this::device);
            return this;
        }

        /** How many bytes of host memory replicas of data may take, besides the user's own arrays; by default as many as there are. */
        public Builder hostMemory(long bytes) {
            memories.hostBytes = bytes;
            return this;
        }

        /**
         * Lets replicas for which host memory has no room go to a file.
         *
         * @param in a folder
         * @param bytes how large the file may become
         * @param direct whether it is to bypass the system's cache of pages, which else takes memory too
         */
        public Builder disk(Path in, long bytes, boolean direct) {
            memories.disk(in, bytes, direct);
            return this;
        }

        /** Which replicas leave a memory that is full; by default those that were {@linkplain LeastRecentlyUsed used longest ago}. */
        public Builder cachePolicy(CachePolicy choice) {
            memories.cachePolicy = choice;
            return this;
        }

        /**
         * How fast copies between memories are, by which the engine chooses devices and where to copy from. By default what devices know
         * themselves and what {@code jacquard machine --measure} has kept for this machine.
         */
        public Builder links(LinkTable known) {
            memories.links = known;
            return this;
        }

        /** Graphs remember all of their tasks and edges, for {@link TaskGraph#history}: to look at, not for long loops. */
        public Builder keepGraphs() {
            graphsKept = true;
            return this;
        }

        /**
         * Who submits within a window runs tasks itself that take less than this, however many workers there are, once a few have shown that
         * they do. By default so much that handing a task over takes longer.
         *
         * @param time one reading of the clock included; zero: all tasks are handed over
         */
        public Builder keepShorterThan(Duration time) {
            if (time.isNegative()) {
                throw new IllegalArgumentException("tasks cannot be shorter than " + time);
            }
            shortNanos = time.toNanos();
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
            Map<Target, Integer> served = new LinkedHashMap<>(targets);
            memories.devices().forEach(device -> served.put(Target.named(device.name()), 1));
            EngineOptions options = EngineOptions.of(workers)
                    .withTargets(served)
                    .withPolicy(Policies.with(policy, order, placement))
                    .withShort(shortNanos);
            EngineOptions mains = opensAsMain ? options : options.withMain(main);
            Clock time = clock == null ? Clock.system() : clock;
            Clock stamps = clock == null && traceMode != TraceMode.OFF ? Clock.cycles() : time;
            Engine engine = new Engine(mains, time, new Trace(stamps, traceMode, spans)).start();
            Coherence coherence = memories.open(engine, time, checking != null);
            Session session =
                    new Session(engine, new DomainOptions(graphsKept, listeners, checking, coherence), coherence);
            if (!stallTime.isZero()) {
                Duration limit = stallTime;
                Consumer<? super String> told = stallConsumer;
                engine.watchStalls(limit.toNanos(), () -> session.domain.explainStall(limit, told));
            }
            return session;
        }
    }
}

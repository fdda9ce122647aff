package dev.jacquard.core.session;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.base.trace.TraceMode;
import dev.jacquard.core.graph.Checking;
import dev.jacquard.core.graph.DependencyDomain;
import dev.jacquard.core.graph.Durations;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskListener;
import dev.jacquard.engine.Engine;
import dev.jacquard.engine.EngineOptions;
import dev.jacquard.engine.model.TimeFile;
import dev.jacquard.engine.schedule.Placement;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.schedule.Stealing;
import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.coherence.Coherence;
import dev.jacquard.memory.coherence.Limits;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.link.LinkTable;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Choices before a session is opened: {@link Session#builder}. Confined to one thread. */
public final class SessionBuilder {
    private static final System.Logger LOG = System.getLogger(Session.class.getName());
    private int workers = Machine.availableProcessors();
    private TraceMode traceMode = TraceMode.OFF;
    private int spans;
    private boolean graphsKept;
    private final List<TaskListener> listeners = new ArrayList<>();
    private @Nullable Checking checking = Checking.byDefault();
    private Duration stallTime = Duration.ofSeconds(10);
    private Consumer<? super String> stallConsumer = text -> LOG.log(Level.WARNING, text);
    private @Nullable Clock clock;
    private boolean opensAsMain = true;
    private @Nullable Thread main;
    private final Map<ExecutionTarget, Integer> targets = new LinkedHashMap<>();

    private Policy policy = new Stealing();
    private @Nullable Supplier<? extends ReadyOrder> order;
    private @Nullable Placement placement;
    private final Memories memories = new Memories();
    private boolean leavesResults;
    private Supplier<@Nullable TimeFile> times = TimeFile::ofUser;

    SessionBuilder() {}

    /**
     * Sets the number of threads that run tasks of the host, the opening one included; by default one per processor.
     */
    public SessionBuilder workers(int count) {
        workers = count;
        return this;
    }

    /** Traces: each worker keeps its newest {@code spansPerWorker} spans. 0, the default, switches tracing off. */
    public SessionBuilder trace(int spansPerWorker) {
        return trace(spansPerWorker == 0 ? TraceMode.OFF : TraceMode.BASIC, spansPerWorker);
    }

    /** Traces as {@code mode} says: each worker keeps its newest {@code entriesPerWorker} spans and events. */
    public SessionBuilder trace(TraceMode mode, int entriesPerWorker) {
        Objects.requireNonNull(mode, "mode");
        traceMode = mode;
        spans = entriesPerWorker;
        return this;
    }

    /**
     * Explains to {@code told} when nothing has moved for {@code time} although a thread waits and tasks are not over:
     * which task waits for which, and the cause at the end of the chain. Once per stall. By default after 10 seconds,
     * as a warning to this class's system logger.
     *
     * @param time {@link Duration#ZERO} switches the watch off
     * @param told is called by a thread that waits, or by a background thread while such threads run tasks; its
     *     exceptions come out of a wait. Also called, on background threads, for bodies and functions that go on long
     *     after their time limit
     */
    public SessionBuilder stallWatch(Duration time, Consumer<? super String> told) {
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(told, "told");
        if (time.isNegative()) {
            throw new IllegalArgumentException("nothing moves for more than 0 before it is a stall, not for " + time
                    + "; Duration.ZERO for no watch");
        }
        Durations.nanos(time, "the time of the stall watch");
        stallTime = time;
        stallConsumer = told;
        return this;
    }

    /**
     * Watches bodies, at a price: one that takes the value of a handle which its task did not declare, or has handed on
     * to sub-tasks, and one that changes a value that its task declared as read, fails its task, and the message says
     * where the task was submitted. Knows the contents of arrays, and of values that have a copier and an equality. A
     * user's array that code in no task has changed while it is the home of data fails the next task that has to do
     * with it. Copies to and from devices are compared by checksums, and made again when they differ. A task that was
     * begun and never submitted is an error when the session is closed.
     *
     * <p>The default under {@code java -ea}, unless the system property {@code jacquard.checking} is {@code false};
     * without {@code -ea} if it is {@code true}.
     */
    public SessionBuilder checking() {
        return checking(Checking.basic());
    }

    /** Watches bodies like {@link #checking()}, with more knowledge of the contents of objects. */
    public SessionBuilder checking(Checking how) {
        Objects.requireNonNull(how, "how");
        checking = how;
        return this;
    }

    /** Does not watch bodies, whatever the default is: see {@link #checking()}. */
    public SessionBuilder noChecking() {
        checking = null;
        return this;
    }

    /** Notifies {@code listener} too of every change of a task's state. */
    public SessionBuilder listener(TaskListener listener) {
        Objects.requireNonNull(listener, "listener");
        listeners.add(listener);
        return this;
    }

    /** Sets the source of time, also for the trace. By default the {@linkplain Clock#system system's}. */
    public SessionBuilder clock(Clock source) {
        Objects.requireNonNull(source, "source");
        clock = source;
        return this;
    }

    /**
     * Another main thread than the one that opens the session. It runs main tasks, and tasks that these make ready,
     * while it waits for results or is in {@link Session#runMain()}.
     */
    public SessionBuilder mainThread(Thread thread) {
        Objects.requireNonNull(thread, "thread");
        opensAsMain = false;
        main = thread;
        return this;
    }

    /** No main thread: tasks for it are refused. */
    public SessionBuilder noMainThread() {
        opensAsMain = false;
        main = null;
        return this;
    }

    /** Threads that serve {@code target} alone, besides the workers of the host. */
    public SessionBuilder workersFor(ExecutionTarget target, int count) {
        Objects.requireNonNull(target, "target");
        targets.put(target, count);
        return this;
    }

    /** Uses a device, and most of its memory. */
    public SessionBuilder device(DeviceOffer offer) {
        Objects.requireNonNull(offer, "offer");
        return device(offer, offer.properties().memoryBytes() / 10 * 9);
    }

    /**
     * Uses a device.
     *
     * @param bytes how much of its memory replicas of data may take
     * @throws IllegalArgumentException when that is less than 1, or more than it has
     */
    public SessionBuilder device(DeviceOffer offer, long bytes) {
        Objects.requireNonNull(offer, "offer");
        memories.device(offer, bytes);
        return this;
    }

    /**
     * Uses devices of this machine by name, and most of their memory; see {@link #devices}.
     *
     * @throws IllegalArgumentException when there is none of that name
     */
    public SessionBuilder device(String name) {
        Objects.requireNonNull(name, "name");
        return devices(name);
    }

    /**
     * Uses devices of this machine by name, and most of their memory. Looks for them now, which may take some time.
     *
     * @param names as {@code ./jacquard machine} shows them: {@code opencl0}; or a kind of devices, or {@code all};
     *     besides, {@code emulated0}, {@code emulated1} and so on are emulated devices, which need no hardware
     * @throws IllegalArgumentException when there is none of a name: says which there are, and why others are absent
     */
    public SessionBuilder devices(String... names) {
        Objects.requireNonNull(names, "names");
        for (String name : names) {
            Objects.requireNonNull(name, "one of the names");
        }
        Memories.named(names).forEach(this::device);
        return this;
    }

    /**
     * Sets the number of bytes of host memory that replicas of data may take, besides the user's own arrays; by default
     * as many as there are.
     */
    public SessionBuilder hostMemory(long bytes) {
        memories.hostBytes = requireBytes("host memory", bytes);
        return this;
    }

    /**
     * Lets replicas for which host memory has no room go to a file. Several calls give several files, on several disks:
     * replicas go to the first one that has room. The disks are named {@code disk}, {@code disk1}, {@code disk2}.
     *
     * @param in a folder
     * @param bytes how large the file may become
     * @param direct whether it is to bypass the system's cache of pages, which else takes memory too
     */
    public SessionBuilder disk(Path in, long bytes, boolean direct) {
        Objects.requireNonNull(in, "in");
        memories.disk(new Limits.Disk(in, requireBytes("the disk", bytes), direct));
        return this;
    }

    private static long requireBytes(String where, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("replicas may take 0 bytes or more of " + where + ", not " + bytes);
        }
        return bytes;
    }

    /**
     * Drops contents that only devices have when the session is closed, instead of bringing them to the users' arrays:
     * for programs that fetch their results.
     */
    public SessionBuilder leaveResultsOnDevices() {
        leavesResults = true;
        return this;
    }

    /**
     * Sets which replicas leave a memory that is full; by default the replicas
     * {@linkplain CachePolicy#leastRecentlyUsed used longest ago}.
     */
    public SessionBuilder cachePolicy(CachePolicy choice) {
        Objects.requireNonNull(choice, "choice");
        memories.cachePolicy = choice;
        return this;
    }

    /**
     * Sets how fast copies between memories are, by which the engine chooses devices and sources. By default the
     * figures of the devices themselves and the measurements that {@code jacquard machine --measure} has kept for this
     * machine.
     */
    public SessionBuilder links(LinkTable known) {
        Objects.requireNonNull(known, "known");
        memories.links = known;
        return this;
    }

    /**
     * Sets the file of learned times: how long tasks and kernels run is read from it when one is used for the first
     * time, and merged into it when the session is closed. By default the {@linkplain TimeFile#ofUser user's file} of
     * this machine.
     *
     * @param file null to begin without learned times and to keep none
     */
    public SessionBuilder learnedTimes(@Nullable TimeFile file) {
        times = () -> file;
        return this;
    }

    /** Graphs remember all of their tasks and edges, for {@link TaskGraph#history}: to look at, not for long loops. */
    public SessionBuilder keepGraphs() {
        graphsKept = true;
        return this;
    }

    /**
     * Sets how ready tasks are scheduled: which next, and where. By default by {@link Stealing}; see {@link Policies}.
     */
    public SessionBuilder policy(Policy choice) {
        Objects.requireNonNull(choice, "choice");
        policy = choice;
        return this;
    }

    /**
     * Another order than the policy's, made separately for the session: one for all workers, or one for each with a
     * {@link #placement}. Every ready task then passes through it.
     */
    public SessionBuilder order(Supplier<? extends ReadyOrder> makes) {
        Objects.requireNonNull(makes, "makes");
        order = makes;
        return this;
    }

    /** Another placement than the policy's; without an {@link #order} tasks of one worker run first in, first out. */
    public SessionBuilder placement(Placement choice) {
        Objects.requireNonNull(choice, "choice");
        placement = choice;
        return this;
    }

    /** Opens the session; the calling thread is its first worker. */
    public Session open() {
        return open((options, trace) -> new Engine(options, trace).start());
    }

    /** The making of a session's engine. */
    interface EngineMaker {
        Engine make(EngineOptions options, Trace trace);
    }

    /** Opens the session on an engine that may have no threads: then its maker takes the steps of its workers. */
    Session open(EngineMaker engines) {
        EngineOptions options = EngineOptions.of(workers)
                .withPlaces(memories.places(targets))
                .withPolicy(Policies.with(policy, order, placement));
        EngineOptions mains = opensAsMain ? options : options.withMain(main);
        Clock time = clock == null ? Clock.system() : clock;
        Engine engine = engines.make(mains, new Trace(time, traceMode, spans));
        Coherence coherence = memories.open(engine, checking != null);
        TimeFile kept = times.get();
        if (kept != null) {
            engine.times().keepIn(kept, memories.models(engine.places()));
            if (memories.hasDevices() || engine.asksTimes()) {
                engine.times().load(); // now, since placements look times up under locks
            }
        }
        Consumer<? super String> told = stallConsumer;
        Session session = new Session(
                engine,
                new DependencyDomain.Options(graphsKept, listeners, checking, coherence, told),
                coherence,
                leavesResults);
        if (!stallTime.isZero()) {
            Duration limit = stallTime;
            engine.watchStalls(
                    limit.toNanos(),
                    session.openRuns()::progress,
                    () -> session.domain().explainStall(limit, told));
        }
        return session;
    }
}

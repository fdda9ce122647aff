package dev.jacquard.core.session;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.coherence.Coherence;
import dev.jacquard.memory.coherence.Faults;
import dev.jacquard.memory.coherence.ReplicaLocations;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.residency.Parts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A session's data: elements in memory that tasks find wherever they run.
 *
 * <pre>{@code
 * Data x = session.data().vector("x", new double[1_000_000]);     // the array stays where it is, and is its home
 * Data y = session.data().vector("y", DataType.FLOAT64, 1_000_000); // memory of the engine's
 * graph.task("axpy").reads(x).updates(y).run(axpy, 2.0);           // no transfer is written
 * session.data().fetch(x);                                         // the array has the tasks' output
 * }</pre>
 *
 * <p>Threads: any.
 *
 * <p>Source: the abstract-runtime-system document, section II-C3.
 */
public final class DataManager {
    private final Session session;
    final Coherence coherence;
    /** Data that a thread frees right now. */
    private final Set<Data> freeing = ConcurrentHashMap.newKeySet();

    DataManager(Session session, Coherence coherence) {
        this.session = session;
        this.coherence = coherence;
    }

    /** The user's array as a vector, used as it is. */
    public Data vector(String name, double[] home) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(DataType.FLOAT64, home.length), MemorySegment.ofArray(home));
    }

    /** The user's array as a vector, used as it is. */
    public Data vector(String name, float[] home) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(DataType.FLOAT32, home.length), MemorySegment.ofArray(home));
    }

    /** The user's array as a vector, used as it is. */
    public Data vector(String name, long[] home) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(DataType.INT64, home.length), MemorySegment.ofArray(home));
    }

    /** The user's array as a vector, used as it is. */
    public Data vector(String name, int[] home) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(DataType.INT32, home.length), MemorySegment.ofArray(home));
    }

    /** A vector in memory of the engine's, which a task has to write first. */
    public Data vector(String name, DataType type, long length) {
        return of(name, Layout.of(type, length));
    }

    /**
     * The user's array as a matrix, row by row, used as it is.
     *
     * @throws IllegalArgumentException when it is too small
     */
    public Data matrix(String name, double[] home, long rows, long columns) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(DataType.FLOAT64, rows, columns), MemorySegment.ofArray(home));
    }

    /** The user's array as a matrix, used as it is. */
    public Data matrix(String name, float[] home, long rows, long columns) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(DataType.FLOAT32, rows, columns), MemorySegment.ofArray(home));
    }

    /** The user's array as a matrix, used as it is. */
    public Data matrix(String name, long[] home, long rows, long columns) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(DataType.INT64, rows, columns), MemorySegment.ofArray(home));
    }

    /** The user's array as a matrix, used as it is. */
    public Data matrix(String name, int[] home, long rows, long columns) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(DataType.INT32, rows, columns), MemorySegment.ofArray(home));
    }

    /** A matrix in memory of the engine's, which a task has to write first. */
    public Data matrix(String name, DataType type, long rows, long columns) {
        return of(name, Layout.of(type, rows, columns));
    }

    /** Data of any layout in memory of the engine's, which a task has to write first. */
    public Data of(String name, Layout layout) {
        Objects.requireNonNull(layout, "layout");
        return home(name, layout, null);
    }

    /**
     * The user's memory as data of any layout, used as it is.
     *
     * @param home on the heap or off it; its life must be longer than the session's, and any thread may access it
     * @throws IllegalArgumentException when it is too small, or in an arena that is confined to one thread, or closed
     */
    public Data home(String name, Layout layout, @Nullable MemorySegment home) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(layout, "layout");
        Threads.requireForAll("data \"" + name + '"', home);
        return session.domain().made(new Data(name, session, layout, home));
    }

    /**
     * Waits for all tasks that write {@code data}, and brings the newest to host memory: to its home, where it has one.
     *
     * @throws dev.jacquard.core.graph.TaskFailedException when a task that was to write it failed
     * @throws IllegalStateException when the calling thread itself has it open to write; from inside a task, and from a
     *     function ({@link TaskBuilder#startOn}) of a task that is to write it
     */
    public void fetch(Data data) {
        Objects.requireNonNull(data, "data");
        requireMayFetch(data.name(), data, Mode.READ);
        session.outside("fetch ", data.name(), Mode.READ)
                .reads(data)
                .run(context -> {})
                .join();
    }

    /** Fetches a part: the rest of the home stays as it is. Throws like {@link #fetch(Data)}. */
    public void fetch(View part) {
        Objects.requireNonNull(part, "part");
        requireMayFetch(part.toString(), part.data(), Access.read(Parts.area(part.box())));
        session.outside("fetch ", part.toString(), Mode.READ)
                .reads(part)
                .run(context -> {})
                .join();
    }

    /**
     * Opens all of some data to code outside of tasks: waits for earlier tasks that conflict, brings the newest to host
     * memory, and lets later tasks wait until the view is closed; {@code view.memory()} are the elements. Several at
     * once: {@code session.graph().task("name").reads(x).updates(y).open()}.
     *
     * @param how {@link Mode#READ}, {@link Mode#UPDATE} to read and write, {@link Mode#WRITE} to write without reading:
     *     all of it
     * @throws IllegalArgumentException when {@code how} is none of these, or the data belongs to another session
     * @throws IllegalStateException from inside a task, or when the calling thread has a view that this one would wait
     *     for
     * @throws dev.jacquard.core.graph.TaskFailedException when data to be read was not written, or is poisoned
     */
    public UserView open(Data data, Mode how) {
        Objects.requireNonNull(data, "data");
        Objects.requireNonNull(how, "how");
        return session.outside("view of ", data.name(), how).accesses(data, how).open();
    }

    /** Opens a part of some data; like {@link #open(Data, Mode)}. Tasks may use the rest concurrently. */
    public UserView open(View part, Mode how) {
        Objects.requireNonNull(part, "part");
        Objects.requireNonNull(how, "how");
        TaskBuilder builder = session.outside("view of ", part.toString(), how);
        return switch (how) {
            case READ -> builder.reads(part).open();
            case UPDATE -> builder.updates(part).open();
            default -> builder.writes(part).open();
        };
    }

    /** Returns where {@code data} is right now, and which tasks and views hold it. Tasks go on concurrently. */
    public State query(Data data) {
        Objects.requireNonNull(data, "data");
        requireOwn(data);
        return new State(data.name(), coherence.whereabouts(data), session.views(data), data.isFreed());
    }

    /**
     * Waits for all tasks that access {@code data}, brings the newest to its home, where it has one, and gives back all
     * other memory that it takes. From then on a submission that accesses it is refused. A second call does nothing.
     * Output of a task that failed or was cancelled is not brought: the home keeps its former contents there.
     *
     * <p>It is freed, or all is as before, but for the last of the exceptions below; submissions may be refused until
     * then.
     *
     * @throws IllegalStateException from inside a task, where {@code graph.release} gives memory back; when a user view
     *     is open for it, or an unordered run of a compiled graph is using it; when it was freed, but the newest could
     *     not be brought home
     * @throws dev.jacquard.core.graph.WaitInterruptedException when the waiting thread is interrupted: nothing is freed
     */
    public void free(Data data) {
        Objects.requireNonNull(data, "data");
        requireOwn(data);
        if (session.executor().isInsideNode()) {
            throw new IllegalStateException("data \"" + data.name()
                    + "\" cannot be freed inside a task, which would wait for others: free it after the task, or let"
                    + " graph.release(data) give back the engine's memory");
        }
        session.domain().requireMayAwait("data \"" + data.name() + '"', data, Behind.ALL);
        List<UserView> views = session.views(data);
        if (!views.isEmpty()) {
            throw new IllegalStateException(
                    "data \"" + data.name() + "\" cannot be freed while " + views + " is open: close that first");
        }
        awaitTurn(data);
        try {
            if (!data.isFreed()) {
                freeNow(data);
            }
        } finally {
            freeing.remove(data);
            session.signal();
        }
    }

    /** Waits until no other thread frees the data. */
    private void awaitTurn(Data data) {
        try {
            while (!freeing.add(data)) {
                session.awaitUntil(() -> !freeing.contains(data));
            }
        } catch (InterruptedException e) {
            throw new WaitInterruptedException("the thread that frees data \"" + data.name() + '"', e);
        }
    }

    private void freeNow(Data data) {
        Closing closing = new Closing(data);
        try {
            awaitLast(data, closing);
            coherence.retire(data);
        } catch (RuntimeException | Error e) {
            closing.undo();
            throw e;
        }
        List<Throwable> failures = coherence.bringHome(data);
        coherence.free(data);
        if (!failures.isEmpty()) {
            throw notHome("data \"" + data.name() + "\" was freed, and", failures);
        }
    }

    /**
     * Refuses submissions that access some data, unless that was undone before. Threads: a task, and the thread that
     * waits.
     */
    private static final class Closing {
        private final Data data;
        private boolean undone;

        Closing(Data data) {
            this.data = data;
        }

        synchronized void close() {
            data.setFreed(!undone);
        }

        synchronized void undo() {
            undone = true;
            data.setFreed(false);
        }
    }

    /** Waits until no task accesses the data, and none can be submitted that does. */
    private void awaitLast(Data data, Closing closing) {
        TaskGraph graph = session.graph("free " + data.name(), FailurePolicy.CONTINUE);
        // Declared while that is allowed, submitted when it is no more: after all submissions in between.
        TaskBuilder last = new TaskBuilder(graph, "after the last of " + data.name())
                .accesses(data, Behind.ALL)
                .unstaged()
                .evenIfFreed();
        Task<?> first = new TaskBuilder(graph, "free " + data.name())
                .accesses(data, Behind.ALL)
                .unstaged()
                .run(context -> closing.close());
        Task<?> second;
        try {
            first.join();
        } finally {
            second = last.run(context -> {}); // also when no thread waits for it: a declaration must be submitted
        }
        second.join();
    }

    /** No task is live any more: brings the newest contents to the users' arrays. Throws when it cannot. */
    void bringHome() {
        List<Throwable> failures = coherence.bringHome(null);
        if (!failures.isEmpty()) {
            throw notHome("the session was closed, and", failures);
        }
    }

    private static IllegalStateException notHome(String what, List<Throwable> failures) {
        IllegalStateException told = new IllegalStateException(
                what
                        + " not all that tasks wrote could be brought to the user's arrays, which hold older"
                        + " values, or what"
                        + " a copy that failed has left: "
                        + failures.getFirst().getMessage(),
                failures.getFirst());
        Suppressed.addAll(told, failures.subList(1, failures.size()));
        return told;
    }

    private void requireMayFetch(String what, Data data, Access access) {
        if (session.executor().isInsideNode()) {
            throw new IllegalStateException("the code of a task must not fetch \"" + what
                    + "\": let the task read it, and take ctx.memory(...), or submit a task that does");
        }
        session.domain().requireMayAwait(what, data, access);
    }

    private void requireOwn(Data data) {
        if (data.owner() != session) {
            throw new IllegalArgumentException("data \"" + data.name() + "\" belongs to another session");
        }
    }

    /** Returns the failures of devices so far, and their effects on tasks and data. */
    public Faults faults() {
        return coherence.faults();
    }

    /**
     * Returns the time that a copy from one memory to another is expected to take, in nanoseconds, by the known speed
     * of the links; 0 within one, infinity if one of them was lost.
     *
     * @param from {@code host} or the name of a device
     * @param to the same
     * @throws IllegalArgumentException if the session has no such memory
     */
    public double copyNanos(String from, String to, long bytes) {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        return coherence.copyNanos(from, to, bytes);
    }

    /** Returns the copies so far, and the contents of each memory. */
    public Transfers transfers() {
        return coherence.transfers();
    }

    /**
     * The places of some data at one moment, and the tasks and views that held it. Immutable.
     *
     * @param name of the data
     * @param where its versions and replicas
     * @param views the user views that were open for it
     * @param freed whether its memory was given back
     */
    public record State(String name, ReplicaLocations where, List<UserView> views, boolean freed) {
        public State {
            views = List.copyOf(views);
        }

        /** Returns true if a task, a copy or a user view uses it. */
        public boolean isInUse() {
            return !views.isEmpty() || where.replicas().stream().anyMatch(replica -> replica.users() > 0);
        }

        @Override
        public String toString() {
            StringBuilder text =
                    new StringBuilder("data \"").append(name).append("\": ").append(freed ? "freed, " : "");
            views.forEach(view -> text.append("\n  ").append(view));
            return text.append(where).toString();
        }
    }
}

package dev.jacquard.core.session;

import dev.jacquard.core.access.Mode;
import dev.jacquard.core.coherence.Choice;
import dev.jacquard.core.coherence.Coherence;
import dev.jacquard.core.coherence.Faults;
import dev.jacquard.core.coherence.Transfers;
import dev.jacquard.core.data.Data;
import dev.jacquard.core.data.ElementType;
import dev.jacquard.core.data.Layout;
import dev.jacquard.core.data.View;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.UserView;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A session's data: elements in memory that tasks find wherever they run.
 *
 * {@snippet :
 * Data x = session.data().vector("x", new double[1_000_000]);     // the array stays where it is, and is its home
 * Data y = session.data().vector("y", ElementType.FLOAT64, 1_000_000); // memory of the engine's
 * graph.task("axpy").reads(x).updates(y).run(axpy, 2.0);           // no transfer is written
 * session.data().fetch(x);                                         // the array has what tasks wrote
 * }
 *
 * <p>Threads: any.
 *
 * <p>Source: the abstract-runtime-system document, section II-C3.
 */
public final class DataManager {
    private final Session session;
    private final Coherence coherence;

    DataManager(Session session, Coherence coherence) {
        this.session = session;
        this.coherence = coherence;
    }

    /** The user's array as a vector, used as it is. */
    public Data vector(String name, double[] home) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(ElementType.FLOAT64, home.length), MemorySegment.ofArray(home));
    }

    /** The user's array as a vector, used as it is. */
    public Data vector(String name, float[] home) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(ElementType.FLOAT32, home.length), MemorySegment.ofArray(home));
    }

    /** The user's array as a vector, used as it is. */
    public Data vector(String name, long[] home) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(ElementType.INT64, home.length), MemorySegment.ofArray(home));
    }

    /** The user's array as a vector, used as it is. */
    public Data vector(String name, int[] home) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(ElementType.INT32, home.length), MemorySegment.ofArray(home));
    }

    /** A vector in memory of the engine's, which somebody has to write first. */
    public Data vector(String name, ElementType type, long length) {
        return of(name, Layout.of(type, length));
    }

    /**
     * The user's array as a matrix, row by row, used as it is.
     *
     * @throws IllegalArgumentException when it is too small
     */
    public Data matrix(String name, double[] home, long rows, long columns) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(ElementType.FLOAT64, rows, columns), MemorySegment.ofArray(home));
    }

    /** Likewise. */
    public Data matrix(String name, float[] home, long rows, long columns) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(ElementType.FLOAT32, rows, columns), MemorySegment.ofArray(home));
    }

    /** Likewise. */
    public Data matrix(String name, long[] home, long rows, long columns) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(ElementType.INT64, rows, columns), MemorySegment.ofArray(home));
    }

    /** Likewise. */
    public Data matrix(String name, int[] home, long rows, long columns) {
        Objects.requireNonNull(home, "home");
        return home(name, Layout.of(ElementType.INT32, rows, columns), MemorySegment.ofArray(home));
    }

    /** A matrix in memory of the engine's, which somebody has to write first. */
    public Data matrix(String name, ElementType type, long rows, long columns) {
        return of(name, Layout.of(type, rows, columns));
    }

    /** Data of any layout in memory of the engine's, which somebody has to write first. */
    public Data of(String name, Layout layout) {
        Objects.requireNonNull(layout, "layout");
        return home(name, layout, null);
    }

    /**
     * The user's memory as data of any layout, used as it is.
     *
     * @param home on the heap or off it; its life must be longer than the session's
     * @throws IllegalArgumentException when it is too small
     */
    public Data home(String name, Layout layout, @Nullable MemorySegment home) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(layout, "layout");
        return new Data(name, session, layout, home);
    }

    /**
     * Waits for all tasks that write {@code data}, and brings the newest to host memory: to its home, where it has one.
     *
     * @throws dev.jacquard.core.graph.TaskFailedException when a task that was to write it failed
     * @throws IllegalStateException when the calling thread itself has it open to write
     */
    public void fetch(Data data) {
        Objects.requireNonNull(data, "data");
        session.graph()
                .task("fetch " + data.name())
                .reads(data)
                .run(context -> {})
                .join();
    }

    /** Likewise for a part: the rest of the home stays as it is. Throws like {@link #fetch(Data)}. */
    public void fetch(View part) {
        Objects.requireNonNull(part, "part");
        session.graph().task("fetch " + part).reads(part).run(context -> {}).join();
    }

    /**
     * Opens all of some data to code outside of tasks: waits for earlier tasks that conflict, brings the newest to host memory, and lets later tasks wait
     * until the view is closed; {@code view.memory()} are the elements. Several at once: {@code
     * session.graph().task("name").reads(x).updates(y).open()}.
     *
     * @param how {@link Mode#READ}, {@link Mode#WRITE} to read and write, {@link Mode#OVERWRITE} to write without reading: all of it
     * @throws IllegalArgumentException when {@code how} is none of these, or the data belongs to another session
     * @throws IllegalStateException from inside a task, or when the calling thread has a view that this one would wait for
     * @throws dev.jacquard.core.graph.TaskFailedException when what is to be read was not written, or is poisoned
     */
    public UserView open(Data data, Mode how) {
        Objects.requireNonNull(data, "data");
        Objects.requireNonNull(how, "how");
        return session.view(data.name(), how).accesses(data, how).open();
    }

    /** Opens a part of some data; like {@link #open(Data, Mode)}. Tasks may use the rest meanwhile. */
    public UserView open(View part, Mode how) {
        Objects.requireNonNull(part, "part");
        Objects.requireNonNull(how, "how");
        TaskBuilder builder = session.view(part.toString(), how);
        return switch (how) {
            case READ -> builder.reads(part).open();
            case WRITE -> builder.updates(part).open();
            default -> builder.writes(part).open();
        };
    }

    /** Where {@code data} is right now, and who holds it. Tasks go on meanwhile. */
    public DataState query(Data data) {
        Objects.requireNonNull(data, "data");
        requireOwn(data);
        return new DataState(data.name(), coherence.whereabouts(data), session.views(data), data.isFreed());
    }

    /**
     * Gives back all memory that {@code data} takes, but for its home; no task may access it any more. A second call does nothing.
     *
     * @throws IllegalStateException when a task does, or a user view is open for it
     */
    public void free(Data data) {
        Objects.requireNonNull(data, "data");
        requireOwn(data);
        List<UserView> views = session.views(data);
        if (!views.isEmpty()) {
            throw new IllegalStateException(
                    "data \"" + data.name() + "\" cannot be freed while " + views + " is open: close that first");
        }
        session.settle(data);
        coherence.free(data);
        data.setFreed();
    }

    private void requireOwn(Data data) {
        if (data.owner() != session) {
            throw new IllegalArgumentException("data \"" + data.name() + "\" belongs to another session");
        }
    }

    /** Why the newest tasks that could run on several devices run where they do; the last submitted last. */
    public List<Choice> choices() {
        return coherence.choices();
    }

    /** What went wrong with devices so far, and what became of it. */
    public Faults faults() {
        return coherence.faults();
    }

    /** What was moved so far, and what each memory holds. */
    public Transfers transfers() {
        return coherence.transfers();
    }
}

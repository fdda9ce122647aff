package dev.jacquard.components.run;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.CheckpointWriter;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.Output;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.mesh.Plan.Part;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.run.Program.Surroundings;
import dev.jacquard.core.session.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The program as one part sees it.
 *
 * <p>Threads: findings are reported by the part's executions and read when the program is over.
 */
final class PartContext implements ComponentContext {
    /** The files that a program itself leaves among its results. */
    static final Set<String> OF_PROGRAMS = Set.of(
            "report.json",
            ComposedProgram.PICTURE,
            ComposedProgram.CHECKPOINT,
            ComposedProgram.CHECKPOINT + CheckpointPlace.FILES,
            ComposedProgram.CHECKPOINT + RankCheckpoint.RANKS);

    private final CheckedPart checked;
    private final Session session;
    private final Communicator comm;
    private final Surroundings surroundings;
    private final OutputFolder output;
    private final Progress progress;
    /** True once the instance has asked for its progress: then its stages end with its executions. */
    private boolean tellsProgress;
    /** By the name of a sink; sinks that are plugged to nothing are missing. */
    private final Map<String, Cell<?>> sinks;
    /** By the name of a source. */
    private final Map<String, Cell<?>> sources;

    private final List<Kept<?>> kept = new ArrayList<>();
    /** True from when the instance is there; before any execution. */
    private boolean isOpened;

    private @Nullable Object result;
    private List<String> lines = List.of();

    PartContext(
            CheckedPart checked,
            Session session,
            Communicator comm,
            Surroundings surroundings,
            OutputFolder output,
            Map<String, Cell<?>> sinks,
            Map<String, Cell<?>> sources) {
        this.checked = checked;
        this.session = session;
        this.comm = comm;
        this.surroundings = surroundings;
        this.output = output;
        this.progress = surroundings.progress().part(checked.part().name());
        this.sinks = sinks;
        this.sources = sources;
    }

    @Override
    public String name() {
        return checked.part().name();
    }

    @Override
    public Settings settings() {
        return checked.settings();
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public Communicator comm() {
        return comm;
    }

    @Override
    public OutputFolder output() {
        return output;
    }

    @Override
    public Progress progress() {
        tellsProgress = true;
        return progress;
    }

    CheckedPart checked() {
        return checked;
    }

    /** An execution is over. */
    void ends() {
        if (tellsProgress) {
            progress.end();
        }
    }

    @Override
    public Cancellation cancellation() {
        return surroundings.cancellation();
    }

    @Override
    @SuppressWarnings("unchecked") // the mesh has compared the types
    public <T> Input<T> input(Sink<T> sink) {
        Part part = checked.part();
        if (!part.sinks().contains(sink)) {
            throw undeclared("sink", sink, part.sinks());
        }
        Cell<T> cell = (Cell<T>) sinks.get(sink.name());
        return cell == null ? new Cell.Unplugged<>(part.name(sink)) : cell.input(part.name(sink));
    }

    @Override
    @SuppressWarnings("unchecked") // made with the source's type
    public <T> Output<T> output(Source<T> source) {
        Part part = checked.part();
        if (!part.sources().contains(source)) {
            throw undeclared("source", source, part.sources());
        }
        return ((Cell<T>) Objects.requireNonNull(sources.get(source.name()))).output();
    }

    private IllegalArgumentException undeclared(
            String kind, ComponentSocket<?> asked, List<? extends ComponentSocket<?>> declared) {
        String component = "component '" + checked.part().component() + "' has ";
        for (ComponentSocket<?> its : declared) {
            if (its.name().equals(asked.name())) {
                return new IllegalArgumentException(component + "declared another " + kind + " '" + its.name()
                        + "', of " + its.type() + ", than it asks for, of " + asked.type()
                        + ": take one constant for both");
            }
        }
        return new IllegalArgumentException(component + "not declared the " + kind + " '" + asked.name() + "'");
    }

    @Override
    public <T> void keep(String name, SocketType<T> type, Supplier<T> get, Consumer<T> set) {
        if (isOpened) {
            throw new IllegalStateException("component '" + checked.part().component() + "' keeps '" + name
                    + "' when it is open already; expected that within open()");
        }
        String missing = SocketCodecs.missing(type);
        if (missing != null) {
            throw new IllegalArgumentException(
                    "component '" + checked.part().component() + "' keeps '" + name + "': " + missing);
        }
        if (kept.stream().anyMatch(other -> other.name.equals(name))) {
            throw new IllegalArgumentException(
                    "component '" + checked.part().component() + "' keeps two values of the name '" + name + "'");
        }
        kept.add(new Kept<>(name, type, get, set));
    }

    /** The instance is there: nothing more is declared. */
    void opened() {
        isOpened = true;
    }

    /** Returns the values that checkpoints keep. */
    List<Kept<?>> kept() {
        return kept;
    }

    /**
     * A value of the instance's own.
     *
     * @param name unique among the names of the component
     * @param type of the value
     * @param get returns it
     * @param set takes it again
     */
    record Kept<T>(String name, SocketType<T> type, Supplier<T> get, Consumer<T> set) {
        /**
         * Writes it.
         *
         * @param of the part, for messages
         */
        void save(String of, String entry, Codecs codecs, CheckpointWriter out) throws IOException {
            try {
                T value = get.get();
                if (value == null) {
                    throw new IOException("the state '" + of + "." + name
                            + "' cannot be saved in a checkpoint: it is null; expected a value of " + type);
                }
                out.writeValue(entry, SocketCodecs.of(type, codecs), value);
            } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
                throw new IOException(
                        "the state '" + of + "." + name + "' cannot be saved in a checkpoint: " + Reasons.of(e), e);
            }
        }

        void restore(String of, String entry, Codecs codecs, CheckpointReader in) throws IOException {
            T value = SocketCodecs.read(entry, type, codecs, in);
            try {
                set.accept(value);
            } catch (RuntimeException | Error e) {
                throw new IOException("component '" + of + "' does not take its state '" + name + "' again: " + e, e);
            }
        }
    }

    /** Takes the saved findings. */
    void restore(@Nullable Object toldResult, @Nullable Object toldLines) {
        result = toldResult;
        lines = toldLines instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    @Override
    public void result(Object value) {
        Objects.requireNonNull(
                value, "a result is null: report a text, number, boolean, list or map, or nothing at all");
        Report.require(value);
        result = value;
    }

    @Override
    public void report(Report report) {
        Report.require(report.values());
        result = report.values();
        lines = report.lines();
    }

    /** Returns the finding that was reported last; null if there was none. */
    @Nullable
    Object result() {
        return result;
    }

    /** Returns the lines for a reader that were reported last. */
    List<String> lines() {
        return lines;
    }
}

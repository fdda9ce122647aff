package dev.jacquard.components.run;

import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.ProgramFile;
import dev.jacquard.components.program.ProgramText;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Settings;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Components that are plugged together. */
final class ComposedProgram extends Program {
    /** The picture of a run among its results. */
    static final String PICTURE = "graph.svg";

    static final String CHECKPOINT = "checkpoint";

    /** A program of more components is drawn on request only: that of a thousand takes a second. */
    private static final int MOST_DRAWN = 200;

    private final String name;
    private final RunMode mode;
    private final int workers;
    private final int ranks;
    /** Null unless each part runs on one of several ranks. */
    private final @Nullable Placement placement;

    private final Plan plan;
    private final List<CheckedPart> parts;
    /** Null if it keeps no checkpoints. */
    private final @Nullable Saving saving;

    /**
     * A checked program.
     *
     * @param workers of its session; over ranks inside a process, of all their sessions
     * @param ranks the number of ranks; 0 for none
     * @param placement the rank of each part; null unless each part runs on one
     * @param parts by their numbers in the plan
     * @param saving null if it keeps no checkpoints
     */
    ComposedProgram(
            String name,
            RunMode mode,
            int workers,
            int ranks,
            @Nullable Placement placement,
            Plan plan,
            List<CheckedPart> parts,
            @Nullable Saving saving) {
        this.name = name;
        this.mode = mode;
        this.workers = workers;
        this.ranks = ranks;
        this.placement = placement;
        this.plan = plan;
        this.parts = List.copyOf(parts);
        this.saving = saving;
    }

    /** Checks a file of several components. */
    static ComposedProgram of(ProgramText text, Choices choices) {
        return new ProgramCheck(text.file(), choices).several(text);
    }

    /** Checks a file of one component that is no application, or runs in its own mode. */
    static ComposedProgram ofOne(ProgramFile file, Component component, Settings settings, Choices choices) {
        return new ProgramCheck(file.file(), choices).one(file, component, settings);
    }

    String name() {
        return name;
    }

    RunMode mode() {
        return mode;
    }

    Plan plan() {
        return plan;
    }

    List<CheckedPart> parts() {
        return parts;
    }

    @Override
    public int size() {
        return parts.size();
    }

    @Override
    public int ranks() {
        return ranks;
    }

    @Override
    public Map<String, Object> placement() {
        return placement == null ? Map.of() : placement.toReport();
    }

    @Override
    public List<String> placementLines() {
        return placement == null ? List.of() : placement.toLines();
    }

    @Override
    public boolean isTraced() {
        return true;
    }

    @Override
    public boolean resumes() {
        return saving != null;
    }

    /** Returns when it saves its state; null if it keeps no checkpoints. */
    @Nullable
    Saving saving() {
        return saving;
    }

    /** Returns the placement of the parts as this process has computed it; null unless each runs on one rank. */
    @Nullable
    Placement placed() {
        return placement;
    }

    /** Returns the place of the checkpoint. */
    Path checkpointFile(Saving its, OutputFolder output) {
        Path folder = its.folder();
        return folder == null
                ? output.folder().resolve(CHECKPOINT)
                : folder.resolve(asFileName(name) + "." + CHECKPOINT);
    }

    private @Nullable ProgramCheckpoint checkpoint(OutputFolder output, Session session) {
        return saving == null
                ? null
                : new ProgramCheckpoint(checkpointFile(saving, output), output, new ProgramState(plan, parts, session));
    }

    /** Returns a name in which all that may mean something in a path is written as in a URL; others stay different. */
    static String asFileName(String name) {
        StringBuilder safe = new StringBuilder();
        for (byte unit : name.getBytes(StandardCharsets.UTF_8)) {
            char its = (char) (unit & 0xff);
            boolean isSafe = its < 0x80 && (Character.isLetterOrDigit(its) || " ._-".indexOf(its) >= 0);
            safe.append(isSafe ? String.valueOf(its) : String.format(Locale.ROOT, "%%%02X", unit));
        }
        return safe.toString();
    }

    /** Returns where the run begins, and when it saves its state. */
    private Savepoints savepoints(
            ProgramCheckpoint checkpoint, Session session, OpenedParts opened, Passes passes, boolean resumes) {
        TopState top = new TopState(plan);
        @Nullable ResumePoint resumed = null;
        if (resumes) {
            checkpoint.restore(top, opened, passes);
            resumed = ResumePoint.of(plan, top, passes, opened::isHere);
        }
        return new Savepoints(
                () -> checkpoint.save(top, opened, passes),
                null,
                session.graph(),
                plan,
                passes,
                top,
                Objects.requireNonNull(saving).every(),
                resumed);
    }

    @Override
    public String toSvg() {
        return new ProgramPicture(name, plan, null, new Passes(plan)).text();
    }

    @Override
    public Report run(Surroundings its) throws Exception {
        return ranks == 0 ? Objects.requireNonNull(run(its, workers, null)) : new ProcessRanks(this, ranks).run(its);
    }

    @Override
    public @Nullable Report run(Surroundings its, Communicator world) throws Exception {
        if (world.size() != ranks) {
            throw new InputException(
                    "the program has " + ranks + " ranks, and " + world.size() + " run: expected the same number");
        }
        RankScope.requireSame(world, Fingerprints.of(this));
        return run(its, workers, new RankRun(this, world, false));
    }

    /** Runs it as one of the ranks of this process, which share the workers and the output folder. */
    @Nullable
    Report runInProcess(Surroundings its, Communicator world) throws Exception {
        return run(its, Math.max(1, workers / ranks), new RankRun(this, world, true));
    }

    /**
     * Runs it in its own session.
     *
     * @param threads the workers of the session
     * @param rank runs it as one of several ranks; null if it runs without ranks
     * @return null on ranks that do not report
     */
    private @Nullable Report run(Surroundings its, int threads, @Nullable RankRun rank) throws Exception {
        SessionBuilder builder = Session.builder().workers(threads);
        if (its.trace() != null) {
            builder.trace(RunTrace.SPANS);
        }
        Cancellation parts = new Cancellation();
        // also of tasks that components leave to the session, which waits for them when it is closed
        Session session = builder.open();
        try (Cancellation.Registration _ = its.cancellation().onCancel(parts::cancel);
                Closing _ = () -> close(session)) {
            if (rank != null) {
                return rank.run(its, session, parts);
            }
            try (ProgramCheckpoint checkpoint = checkpoint(its.output(), session)) {
                if (checkpoint != null) {
                    checkpoint.requirePlace();
                }
                return run(its, session, checkpoint, parts);
            }
        } catch (TaskFailedException e) {
            throw unheard(e);
        }
    }

    /** The end of a session. */
    private interface Closing extends AutoCloseable {
        @Override
        void close() throws ComponentFailedException;
    }

    /** Closes a session; tasks that components have left open are their mistake. */
    private static void close(Session session) throws ComponentFailedException {
        try {
            session.close();
        } catch (IllegalStateException e) {
            if (e.getClass() != IllegalStateException.class) {
                throw e;
            }
            throw new ComponentFailedException("a component has left something open: " + e.getMessage(), e);
        }
    }

    /** Returns the failure of a task that no component has waited for. */
    static ComponentFailedException unheard(TaskFailedException failure) {
        return new ComponentFailedException(
                "a task of a component, which did not wait for it, failed: " + failure.getMessage(), failure);
    }

    /**
     * Runs it in a session that is open, and stays so.
     *
     * @param checkpoint null if it keeps none
     * @param parts asks the parts to stop
     */
    Report run(Surroundings its, Session session, @Nullable ProgramCheckpoint checkpoint, Cancellation parts)
            throws Exception {
        Passes passes = passes(its, session);
        if (checkpoint != null && !its.resumes() && checkpoint.isThere()) {
            its.progress().note(checkpoint.replaced());
        }
        try (Stops stops = new Stops(session.executor(), passes, its.cancellation(), parts)) {
            Ended ended = execute(
                    its,
                    session,
                    passes,
                    stops,
                    RankScope.none(),
                    opened ->
                            checkpoint == null ? null : savepoints(checkpoint, session, opened, passes, its.resumes()));
            if (checkpoint != null) {
                its.output().whenCommitted(checkpoint::delete);
            }
            return report(ended, its, null);
        }
    }

    /** A run that has ended well, on this rank if there are several. */
    record Ended(
            OpenedParts opened,
            Passes passes,
            @Nullable RunTrace traces,
            long nanos,
            @Nullable ResumePoint resumed) {}

    /** Returns the passes of a run, which a user may see. */
    Passes passes(Surroundings its, Session session) {
        return new Passes(plan, PassProgress.of(plan, parts, its.progress(), session.clock()));
    }

    /** Where a run begins, and when it saves its state. */
    @FunctionalInterface
    interface Begin {
        /**
         * Returns the savepoints of parts that were opened, and restored if the run goes on from an earlier one; null
         * if it keeps no checkpoints.
         */
        @Nullable
        Savepoints of(OpenedParts opened) throws Exception;
    }

    Ended execute(Surroundings its, Session session, Passes passes, Stops stops, RankScope ranked, Begin beginning)
            throws Exception {
        long begun = session.clock().nanoTime();
        RunTrace traces = session.trace().on() ? new RunTrace(session.trace(), plan, passes) : null;
        OpenedParts opened = OpenedParts.open(
                plan,
                parts,
                session,
                new Surroundings(its.output(), its.progress(), stops.cancellation(), its.resumes()),
                ranked,
                traces);
        @Nullable Throwable failure = null;
        @Nullable ResumePoint resumed = null;
        try (StallTeller _ = new StallTeller(plan, opened, passes, session, ranked)) {
            Savepoints savepoints = beginning.of(opened);
            resumed = savepoints == null ? null : savepoints.resumed();
            if (resumed != null) {
                its.progress().note(resumed.line());
            }
            Runner runner = mode == RunMode.SERIAL || mode == RunMode.DATA_PARALLEL
                    ? new SerialRun(plan, opened, passes, stops, session.clock(), savepoints)
                    : new ParallelRun(plan, opened, passes, stops, session.executor(), savepoints);
            runner.run();
            stops.check();
            RankLinks links = ranked.links();
            if (links != null) {
                links.flush();
            }
        } catch (Exception | Error e) {
            failure = e;
            throw e;
        } finally {
            RunEnd.end(name, opened, traces, its, failure);
        }
        return new Ended(opened, passes, traces, session.clock().nanoTime() - begun, resumed);
    }

    /** @param on the rank of each part; null unless each ran on one of several */
    Report report(Ended ended, Surroundings its, @Nullable Placement on) throws IOException {
        if (parts.size() <= MOST_DRAWN) {
            String picture = new ProgramPicture(name, plan, ended.opened, ended.passes).text();
            Files.writeString(its.output().file(PICTURE), picture);
        }
        return new RunReport(this, ended, on).report();
    }
}

package dev.jacquard.tools;

import dev.jacquard.base.machine.Machine;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.run.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a program file. */
@Command(
        name = "run",
        description =
                "Run a program, a YAML file that names components, gives their settings, and plugs them together.",
        footer = {
            "",
            "Relative input folders are looked for in the current directory, next to FILE, and in the folder",
            "that JACQUARD_DATA names. 'jacquard components' lists all settings."
        })
final class RunCommand extends Subcommand {
    private static final String REPORT = "report.json";
    private static final int MOST_RANKS = 1 << 20;
    static final String STOPPED = "stopped before the end; nothing was written";
    private static final String KEPT = "stopped before the end; the checkpoint is kept, and --resume goes on from it";
    /** A run has failed, and its checkpoint is there. */
    private boolean hasCheckpoint;
    /** Null unless this process is one of several ranks. */
    private @Nullable RankProcess here;

    @Parameters(paramLabel = "FILE", description = "The program, like examples/stitching.yaml.")
    @SuppressWarnings("NullAway.Init") // required: the command line refuses to run without it
    private Path file;

    /** The beginnings of the system's messages about a write that fails, without the name of the file. */
    private static final List<String> NAMELESS =
            List.of("No space left on device", "Disk quota exceeded", "File too large", "Input/output error");

    @Option(
            names = "--set",
            paramLabel = "key=value",
            description = "Override a value of the file, like --set workers=2. May be repeated.")
    private final List<String> overrides = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "result",
            description = "The folder for the results, made if it is missing (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    private Path out;

    @Option(
            names = "--resume",
            description = "Go on from the checkpoint that a run of the same file has left in --out.")
    private boolean resume;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "How the components run, instead of the mode in the file: serial, one at a time; parallel;"
                    + " task-parallel, each on one of several ranks; or data-parallel, each on all ranks.")
    private @Nullable String mode;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            description = "The number of ranks, instead of the number in the file, for the last two modes.")
    private @Nullable String ranks;

    @Option(
            names = "--mpi",
            paramLabel = "openmpi|mpich",
            description = "Start the ranks as processes, by the launcher of that MPI. Without this they are threads of"
                    + " one process, unless mpirun or srun has started this command.")
    private @Nullable String mpi;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Write what each component and each worker did when, for Perfetto.")
    private @Nullable Path trace;

    @Option(names = "--check", description = "Do all but run: report the errors of the program.")
    private boolean check;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by the command line
    private CommandSpec spec;

    @Mixin
    private final JarOption jars = new JarOption();

    RunCommand(Environment environment) {
        super(environment);
    }

    @Override
    public Integer call() throws Exception {
        if (out.toString().isBlank()) {
            throw new InputException("--out is empty; expected a folder for the results, like --out result");
        }
        if (mpi != null && !RankProcess.isLaunched()) {
            Program checked = load(null);
            MpiLauncher launcher = new MpiLauncher(environment, mpi, checked.ranks());
            int exitCode = launcher.run(spec.commandLine().getParseResult().originalArgs());
            if (launcher.endedBadly()) {
                OutputFolder.open(out).close(); // takes away the unfinished output of the ranks
            }
            return exitCode;
        }
        RankProcess process = RankProcess.ofEnvironment(environment);
        here = process;
        Program program = process == null ? load(null) : process.named(() -> load(process));
        if (resume && !program.resumes()) {
            throw new InputException("--resume: the program " + file + " keeps no checkpoints");
        }
        requirePlace("--trace", trace);
        requireOther("--trace", trace, "the program", file);
        requireOther("--trace", trace, "the folder of the results", out);
        requireOther("--trace", trace, "the report of the run", out.resolve(REPORT));
        if (trace != null && !program.isTraced()) {
            throw new InputException("--trace: the program " + file + " is an application alone; give --mode serial,"
                    + " too, to run it as a component that is traced");
        }
        if (check) {
            print(() -> Report.json(checked(program)), () -> checkedLines(program));
            return 0;
        }
        List<String> lost = new ArrayList<>();
        if (process != null && program.ranks() > 0) {
            Report report = runOnRank(process, program, lost);
            if (report == null) {
                return process.exitCode();
            }
            print(report::toJson, report::lines);
            return told(lost);
        }
        Cancellation cancellation = new Cancellation();
        Report report;
        try (Interrupts interrupts = Interrupts.cancelling(cancellation, environment.err())) {
            report = Objects.requireNonNull(run(program, null, cancellation, interrupts, lost));
        }
        print(report::toJson, report::lines);
        return told(lost);
    }

    @Override
    @Nullable
    String resumeLine() {
        return hasCheckpoint
                ? ResumeLine.of(
                        here == null ? List.of() : here.launcher(),
                        spec.commandLine().getParseResult().originalArgs())
                : null;
    }

    /** Signals cancel the run also while communication starts and ends. One rank reports them. */
    private @Nullable Report runOnRank(RankProcess process, Program program, List<String> lost) throws Exception {
        Cancellation cancellation = new Cancellation();
        PrintWriter err = process.isFirst() ? environment.err() : new PrintWriter(Writer.nullWriter());
        try (Interrupts interrupts = Interrupts.cancelling(cancellation, err)) {
            return process.run(world -> run(program, world, cancellation, interrupts, lost));
        }
    }

    /** @param process this process as one of several ranks; null if it is none */
    private Program load(@Nullable RankProcess process) {
        int given = ranks();
        RunMode its = mode();
        int wanted = process == null ? given : process.ranks(given, its);
        int processors = process == null ? Machine.availableProcessors() : process.processors();
        Program program = Program.load(
                file,
                new Program.Choices(overrides, environment.data(), jars.catalog(environment), its, wanted, processors));
        if (process != null) {
            process.require(program);
        }
        return program;
    }

    private Map<String, Object> checked(Program program) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("file", file.toString());
        values.put("components", program.size());
        if (program.ranks() > 0) {
            values.put("ranks", program.ranks());
        }
        values.putAll(program.placement());
        return values;
    }

    private List<String> checkedLines(Program program) {
        List<String> lines = new ArrayList<>(program.placementLines());
        lines.add(file + ": can run" + (program.ranks() > 0 ? " on " + program.ranks() + " ranks" : ""));
        return lines;
    }

    private int ranks() {
        if (ranks == null) {
            return 0;
        }
        Setting.Type<Integer> type = Setting.Type.integer(1, MOST_RANKS);
        Integer value = type.parser().apply(ranks);
        if (value == null) {
            throw new InputException("--ranks is '" + ranks + "'; expected " + type.expected());
        }
        return value;
    }

    private @Nullable RunMode mode() {
        if (mode == null) {
            return null;
        }
        Setting.Type<RunMode> modes = Setting.Type.choice(RunMode.class);
        RunMode value = modes.parser().apply(mode);
        if (value == null) {
            throw new InputException("--mode is '" + mode + "'; expected " + modes.expected());
        }
        return value;
    }

    /**
     * Runs the program.
     *
     * @param world the communicator of all ranks, if they are processes
     * @param interrupts signals that cancel it
     * @param lost gets the failures after the results were in place
     * @return null on ranks that do not report
     */
    private @Nullable Report run(
            Program program,
            @Nullable Communicator world,
            Cancellation cancellation,
            Interrupts interrupts,
            List<String> lost)
            throws Exception {
        try (OutputFolder folder = OutputFolder.open(out);
                TerminalProgress bar = new TerminalProgress(environment.screen(), environment.columns())) {
            @Nullable Report report = results(program, world, folder, progress(world, bar), cancellation, interrupts);
            interrupts.ignore();
            Interrupts.check(signalled(world, interrupts), stopped(folder), null);
            if (world == null) {
                commit(folder, lost);
            } else {
                RankProcess.inTurn(world, () -> commit(folder, lost));
            }
            hasCheckpoint = false;
            requireTrace(folder, lost);
            interrupts.check("stopped at the end; the results are complete", null);
            return report;
        }
    }

    private Progress progress(@Nullable Communicator world, TerminalProgress bar) {
        if (environment.terminal() && world == null) {
            return bar;
        }
        return world == null || world.rank() == 0 ? new Notes(environment.err()) : Progress.NONE;
    }

    /** Returns the exit code for a signal, 0 if there was none; on ranks, collectively, for one of any of them. */
    private static int signalled(@Nullable Communicator world, Interrupts interrupts) throws InterruptedException {
        return world == null ? interrupts.exitCode() : RankProcess.signalled(world, interrupts.exitCode());
    }

    private static void commit(OutputFolder folder, List<String> lost) throws IOException {
        try {
            folder.commit();
        } catch (IOException e) {
            if (!folder.isCommitted()) {
                throw e;
            }
            lost.add(String.valueOf(e.getMessage()));
        }
    }

    /** Returns how a run ended that was stopped, with the files that it has left. */
    static String stopped(OutputFolder folder) {
        if (folder.hasKept()) {
            return KEPT;
        }
        List<String> keepers = folder.keepers();
        return keepers.isEmpty()
                ? STOPPED
                : "stopped before the end; nothing was written but what stays in " + folder.folder() + ", of component"
                        + (keepers.size() == 1 ? " '" : "s '") + String.join("', '", keepers) + "'";
    }

    private @Nullable Report results(
            Program program,
            @Nullable Communicator world,
            OutputFolder folder,
            Progress progress,
            Cancellation cancellation,
            Interrupts interrupts)
            throws Exception {
        try {
            Program.Surroundings its = new Program.Surroundings(folder, progress, cancellation, resume, trace);
            @Nullable Report report = world == null ? program.run(its) : program.run(its, world);
            if (report != null) {
                Files.writeString(folder.file(REPORT), report.toJson());
            }
            return report;
        } catch (CancellationException e) { // on all ranks
            Interrupts.check(signalled(world, interrupts), stopped(folder), e);
            throw e;
        } catch (Exception e) {
            interrupts.check(stopped(folder), e);
            String reason = unnamed(e);
            throw reason == null
                    ? e
                    : new IOException("the output folder " + folder.folder() + " cannot be written: " + reason);
        } finally {
            hasCheckpoint = folder.hasKept();
        }
    }

    /** Returns why a file of the results could not be written, where the system named none; else null. */
    private static @Nullable String unnamed(Throwable e) {
        for (Throwable its = e; its != null; its = its.getCause()) {
            if (its instanceof IOException) {
                String text = String.valueOf(its.getMessage());
                return NAMELESS.stream().anyMatch(text::startsWith) ? text : null;
            }
        }
        return null;
    }

    /** Adds to {@code lost} that the run wrote one of its files over the trace. */
    private void requireTrace(OutputFolder folder, List<String> lost) {
        for (String name : folder.staged()) {
            if (trace != null && isSame(trace, folder.folder().resolve(name))) {
                lost.add("--trace " + trace + ": the run has written a file of this name; give the trace another one");
            }
        }
    }
}

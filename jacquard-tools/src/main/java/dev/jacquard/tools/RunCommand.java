package dev.jacquard.tools;

import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a program file. */
@Command(
        name = "run",
        description = "Run a program, a YAML file that names a component and gives its settings.",
        footer = {
            "",
            "Relative input folders are looked for in the current directory, beside FILE, and in the folder",
            "that JACQUARD_DATA names. 'jacquard components' lists all settings."
        })
final class RunCommand extends Subcommand {
    private static final String REPORT = "report.json";
    static final String STOPPED = "stopped before the end; nothing was written";
    private static final String KEPT = "stopped before the end; the checkpoint is kept, and --resume goes on from it";

    @Parameters(paramLabel = "FILE", description = "The program, like examples/stitching.yaml.")
    @SuppressWarnings("NullAway.Init") // required: the command line refuses to run without it
    private Path file;

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

    RunCommand(Environment environment) {
        super(environment);
    }

    @Override
    public Integer call() throws Exception {
        if (out.toString().isBlank()) {
            throw new InputException("--out is empty; expected a folder for the results, like --out result");
        }
        Program program = Program.load(file, overrides, environment.data());
        if (resume && !program.component().resumes()) {
            throw new InputException(
                    "--resume: component '" + program.component().name() + "' keeps no checkpoints");
        }
        Report report = run(program);
        print(report::toJson, report::lines);
        return 0;
    }

    private Report run(Program program) throws Exception {
        Cancellation cancellation = new Cancellation();
        try (OutputFolder folder = OutputFolder.open(out);
                Interrupts interrupts = Interrupts.cancelling(cancellation, environment.err());
                TerminalProgress bar = new TerminalProgress(environment.screen())) {
            Progress progress = environment.terminal() ? bar : Progress.NONE;
            Report report = results(program, folder, progress, cancellation, interrupts);
            interrupts.ignore();
            interrupts.check(folder.hasKept() ? KEPT : STOPPED, null);
            folder.commit();
            interrupts.check("stopped at the end; the results are complete", null);
            return report;
        }
    }

    private Report results(
            Program program, OutputFolder folder, Progress progress, Cancellation cancellation, Interrupts interrupts)
            throws Exception {
        try {
            Report report =
                    program.component().run(new Job(program.settings(), folder, progress, cancellation, resume));
            Files.writeString(folder.file(REPORT), report.toJson());
            return report;
        } catch (Exception e) {
            interrupts.check(folder.hasKept() ? KEPT : STOPPED, e);
            throw isFull(e)
                    ? new IOException("the output folder " + folder.folder() + " cannot be written: " + e.getMessage())
                    : e;
        }
    }

    /** True if the disk of the results is full: the system names no file then. */
    private boolean isFull(Exception e) {
        String text = String.valueOf(e.getMessage());
        return e instanceof IOException
                && (text.contains("No space left on device") || text.contains("quota exceeded"));
    }
}

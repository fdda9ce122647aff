package dev.jacquard.tools;

import dev.jacquard.apps.replay.Replay;
import dev.jacquard.apps.replay.ReplayResult;
import dev.jacquard.apps.replay.TaskProgram;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.base.trace.ChromeTrace;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Progress;
import dev.jacquard.drawing.GraphDrawing;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.tools.Interrupts.StoppedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a described task program with synthetic bodies. */
@Command(
        name = "replay",
        description = "Run a task program, a JSON file that describes tasks and their accesses; bodies only spin.",
        footer = {
            "",
            "FILE may be a WfFormat workflow instance too; its run times are in seconds, so give --scale.",
            "Exit codes: 0 all tasks done, 1 some failed or were cancelled, 2 the program is wrong.",
            "docs/replay.md describes the format."
        })
final class ReplayCommand extends Subcommand {
    private static final int ALL_DONE = 0;
    private static final int NOT_ALL_DONE = 1;
    /** 32 bytes each, for every worker. */
    private static final int MOST_SPANS = 1 << 20;

    @Parameters(paramLabel = "FILE", description = "The program, like examples/replay-tour.json.")
    @SuppressWarnings("NullAway.Init") // required: the command line refuses to run without it
    private Path file;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Threads that run tasks, the main thread included (default: one per processor).")
    private int workers = Machine.availableProcessors();

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            defaultValue = "stealing",
            description = "Which ready task runs next, and where: sequential, fifo, priority, stealing, pinned,"
                    + " round-robin, minimum-load, one that plans whole graphs (heft, cpop, peft, hybrid, search),"
                    + " or one of the class path (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    private String policy;

    @Option(
            names = "--scale",
            paramLabel = "X",
            defaultValue = "1",
            description = "Multiply all times by X (default: ${DEFAULT-VALUE}).")
    private double scale;

    @Option(names = "--why", paramLabel = "TASK", description = "Explain the place and the start of a task.")
    private @Nullable String why;

    @Option(names = "--trace", paramLabel = "FILE", description = "Write a trace that Perfetto opens.")
    private @Nullable Path trace;

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description = "Draw the dependency graph and the scheduling graph side by side.")
    private @Nullable Path svg;

    @Option(names = "--all-edges", description = "With --svg: draw the edges that follow from others too.")
    private boolean allEdges;

    @Option(
            names = "--check",
            description = "Check the run against the program, apart from the engine; exit code 1 when it is wrong.")
    private boolean check;

    ReplayCommand(Environment environment) {
        super(environment);
    }

    @Override
    public Integer call() throws Exception {
        checkWorkers(workers);
        if (!(scale >= 0 && scale < Double.POSITIVE_INFINITY)) {
            throw new InputException("--scale " + scale + ": expected a number from 0 on");
        }
        policy();
        requirePlace("--trace", trace);
        requirePlace("--svg", svg);
        requireOther("--trace", trace, "the program", file);
        requireOther("--svg", svg, "the program", file);
        requireOther("--svg", svg, "the file of --trace", trace);
        TaskProgram program = scaled(TaskProgram.read(file));
        requireTask(program);
        Replay.Run run = run(program);
        List<String> reasons = why == null ? List.of() : run.why(program, why);
        List<String> lost = new ArrayList<>();
        write(trace, lost, out -> new ChromeTrace(run.trace()).write(file.toString(), out));
        write(svg, lost, out -> out.write(drawing(program, run)));
        print(() -> run.result().toJson(reasons), () -> lines(run.result(), reasons));
        boolean right = !check || isRight(program, run.result());
        return told(lost) == 0 && run.result().isDone() && right ? ALL_DONE : NOT_ALL_DONE;
    }

    private void requireTask(TaskProgram program) {
        List<String> names = program.names();
        if (why != null && !names.contains(why)) {
            throw new InputException("--why " + why + ": the program has no task of this name; expected one such as \""
                    + (names.isEmpty() ? "" : names.getFirst()) + '"');
        }
    }

    private static List<String> lines(ReplayResult result, List<String> reasons) {
        List<String> lines = new ArrayList<>(result.lines());
        reasons.forEach(reason -> lines.add("  " + reason));
        return lines;
    }

    private TaskProgram scaled(TaskProgram program) {
        try {
            return program.scaled(scale);
        } catch (IllegalArgumentException e) {
            throw new InputException("--scale " + scale + ": too much, " + e.getMessage(), e);
        }
    }

    private Replay.Run run(TaskProgram program) throws StoppedException {
        Cancellation cancellation = new Cancellation();
        int spans = trace == null ? 0 : Math.clamp(program.allTasks().count() + 1, 2, MOST_SPANS);
        try (Interrupts interrupts = Interrupts.cancelling(cancellation, environment.err());
                TerminalProgress bar = new TerminalProgress(environment.screen(), environment.columns())) {
            Progress progress = environment.terminal() ? bar : Progress.NONE;
            Replay.Options how = Replay.Options.of(workers)
                    .withPolicy(policy())
                    .withGraph(svg != null)
                    .withTrace(spans)
                    .watchedBy(progress, cancellation);
            try {
                Replay.rehearse(program, how);
                Replay.Run run = Replay.run(program, how);
                interrupts.ignore();
                interrupts.check(RunCommand.STOPPED, null);
                return run;
            } catch (RuntimeException e) {
                interrupts.check(RunCommand.STOPPED, e);
                throw e;
            }
        }
    }

    private Policy policy() {
        try {
            return Policies.named(policy);
        } catch (IllegalArgumentException e) {
            throw new InputException("--policy " + policy + ": " + e.getMessage(), e);
        }
    }

    private String drawing(TaskProgram program, Replay.Run run) {
        GraphDrawing drawing = GraphDrawing.of(run.picture(String.valueOf(file.getFileName()), program));
        return (allEdges ? drawing.withAllEdges() : drawing).sideBySide();
    }

    private boolean isRight(TaskProgram program, ReplayResult result) {
        List<String> violations = result.violations(program);
        violations.forEach(violation -> environment.err().println("jacquard: against the program: " + violation));
        if (violations.isEmpty() && !json) {
            environment.out().println("checked: the run kept to the program");
        }
        return violations.isEmpty();
    }
}

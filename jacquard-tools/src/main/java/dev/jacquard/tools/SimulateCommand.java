package dev.jacquard.tools;

import dev.jacquard.apps.graphs.GraphFile;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.WholeFile;
import dev.jacquard.engine.plan.GraphPlacement.Limits;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.sim.SimulatedRun;
import dev.jacquard.sim.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs graphs of files under virtual time. */
@Command(
        name = "simulate",
        description =
                "Run a graph of tasks under virtual time: the policies decide as they do in a real run, and nothing"
                        + " is executed.",
        footer = {
            "",
            "A graph is a Standard Task Graph (.stg), the tables of a HEFT example (by its *_task_connectivity.csv), a"
                    + " WfFormat workflow instance or a task program (.json); a folder means all graphs in it.",
            "Exit codes: 0 done, 1 a policy broke its contract, 2 the graph or an option is wrong.",
            "docs/simulate.md describes formats, policies and results."
        })
final class SimulateCommand extends Subcommand {
    @Option(names = "--graph", required = true, paramLabel = "FILE|FOLDER", description = "The graph, or graphs.")
    @SuppressWarnings("NullAway.Init") // required: the command line refuses to run without it
    private Path graph;

    @Option(
            names = "--machine",
            paramLabel = "N|FILE|this",
            description = "A number of equal workers; a file of hwloc: one for each of its processors; this: one for"
                    + " each processor of this machine (default: the processors of the graph where it has its own, else"
                    + " this).")
    private @Nullable String machine;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "stealing",
            completionCandidates = PolicyNames.class,
            description = "The policies, one result each: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    private List<String> policies;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The seed of all random numbers (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--budget",
            paramLabel = "N",
            description =
                    "The most tasks that a policy that searches places, over all of its plans (default:" + " 1000000).")
    private long budget = Limits.DEFAULT.budget();

    @Option(
            names = "--noise",
            paramLabel = "X",
            description = "Draw the time of each task: the standard deviation of its logarithm (default: 0, exact).")
    private double noise;

    @Option(names = "--learned", description = "Let policies know only the times of tasks that have ended.")
    private boolean learned;

    @Option(names = "--why", paramLabel = "TASK", description = "Explain the place and the start of a task.")
    private @Nullable String why;

    @Option(names = "--svg", paramLabel = "FILE", description = "Draw the schedule; for one graph and one policy.")
    private @Nullable Path svg;

    SimulateCommand(Environment environment) {
        super(environment);
    }

    /** The names of all policies, those of the class path included. */
    static final class PolicyNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Policies.all().stream().map(Policy::name).iterator();
        }
    }

    /** A run of a file under a policy. */
    private record Row(Path file, GraphFile read, WorkGraph graph, String policy, SimulatedRun run) {}

    @Override
    public Integer call() throws IOException {
        List<Policy> all = policies.stream().map(SimulateCommand::policy).toList();
        checkOptions();
        boolean folder = Files.isDirectory(graph);
        List<Path> files = folder ? GraphFile.in(graph) : List.of(graph);
        boolean single = !folder && all.size() == 1;
        if (svg != null && !single) {
            throw new InputException(
                    "--svg " + svg + ": a drawing has one schedule; expected one graph and one policy");
        }
        requirePlace("--svg", svg);
        requireOther("--svg", svg, "the graph", graph);
        List<Row> rows = new ArrayList<>();
        for (Path file : files) {
            GraphFile read = GraphFile.read(file);
            int workers = new SimulatedMachine(machine).workers(read);
            WorkGraph its = read.on(workers);
            requireTask(its);
            for (Policy policy : all) {
                rows.add(new Row(file, read, its, policy.name(), run(read, its, policy)));
            }
        }
        List<String> lost = new ArrayList<>();
        if (svg != null) {
            draw(rows.getFirst(), svg, lost);
        }
        print(() -> Report.json(single ? json(rows.getFirst()) : Map.of("rows", jsons(rows))), () -> lines(rows));
        return told(lost);
    }

    private void checkOptions() {
        if (!(noise >= 0 && noise <= 10)) {
            throw new InputException("--noise " + noise + ": expected a number from 0 to 10");
        }
        if (budget < 0) {
            throw new InputException("--budget " + budget + ": expected a number of tasks from 0 on");
        }
    }

    private static Policy policy(String name) {
        try {
            return Policies.named(name);
        } catch (IllegalArgumentException e) {
            throw new InputException("--policy " + name + ": " + e.getMessage(), e);
        }
    }

    private void requireTask(WorkGraph its) {
        if (why != null && SimulationReport.number(its, why) < 0) {
            throw new InputException("--why " + why + ": the graph has no task of this name; expected one such as \""
                    + (its.tasks() == 0 ? "" : its.name(0)) + '"');
        }
    }

    /** The links of a graph with its own processors carry any number of copies: so its paper has them. */
    private SimulatedRun run(GraphFile read, WorkGraph its, Policy policy) {
        Simulation.Options options = Simulation.Options.of(policy, its.places())
                .withUnit(read.unit().nanos())
                .withLimits(new Limits(seed, budget))
                .withPriorities(read.priorities())
                .withNoise(noise);
        options = learned ? options.withLearnedTimes() : options;
        return Simulation.run(its, read.processors() > 0 ? options.withFreeLinks() : options);
    }

    private static void draw(Row row, Path file, List<String> lost) {
        try {
            String drawing = SimulationReport.svg(title(row), row.graph, row.run, row.read.unit());
            WholeFile.write(file, out -> out.write(drawing));
        } catch (IOException e) {
            lost.add(String.valueOf(e.getMessage()));
        }
    }

    private static String title(Row row) {
        return row.file.getFileName() + " under " + row.policy;
    }

    private List<Map<String, Object>> jsons(List<Row> rows) {
        return rows.stream().map(this::json).toList();
    }

    private Map<String, Object> json(Row row) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("graph", row.file.toString());
        json.put("policy", row.policy);
        json.put("workers", row.graph.places());
        json.put("unit", row.read.unit().name());
        SimulationReport.into(json, row.graph, row.run);
        if (why != null) {
            json.put("why", row.run.why(SimulationReport.number(row.graph, why)));
        }
        return json;
    }

    private List<String> lines(List<Row> rows) {
        List<String> lines = new ArrayList<>();
        for (Row row : rows) {
            lines.add(title(row) + ": " + row.run);
            if (why != null) {
                row.run.why(SimulationReport.number(row.graph, why)).forEach(reason -> lines.add("  " + reason));
            }
        }
        return lines;
    }
}

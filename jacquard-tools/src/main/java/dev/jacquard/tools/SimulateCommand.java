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

/** Runs graphs of files under virtual time, or searches a graph on which a policy is bad. */
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
    private static final String ALL = "all";
    private static final String DEFAULT_POLICY = "stealing";

    @Option(
            names = "--graph",
            paramLabel = "FILE|FOLDER",
            description = "The graph, or graphs; may be given several times.")
    private List<Path> graphs = new ArrayList<>();

    @Option(
            names = "--machine",
            paramLabel = "N|FILE|this",
            description = "A number of equal workers; a file of hwloc: one for each of its processors, of their speeds;"
                    + " this: one for each processor of this machine (default: the processors of the graph where it has"
                    + " its own, else this).")
    private @Nullable String machine;

    @Option(
            names = "--device",
            paramLabel = "SPEED,...",
            description = "Devices beside the workers, each that many times as fast as a worker.")
    private @Nullable String device;

    @Option(
            names = "--link",
            paramLabel = "BYTES[,LATENCY]",
            description = "The bytes per second between the workers and each device, and the seconds of an empty copy"
                    + " (default: copies take no time).")
    private @Nullable String link;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            split = ",",
            completionCandidates = PolicyNames.class,
            description = "The policies, one result each: ${COMPLETION-CANDIDATES}, or all (default: stealing).")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The seed of all random numbers (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--budget",
            paramLabel = "N",
            description = "The most tasks that a policy that searches, or --adversary, places over all of its plans"
                    + " (default: 400000).")
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

    @Option(
            names = "--table",
            description = "Print a table in Markdown: the makespan of each policy as a multiple of the bound.")
    private boolean table;

    @Option(
            names = "--adversary",
            paramLabel = "NAME",
            description = "Search a small graph for which this policy is bad against the shortest schedule.")
    private @Nullable String adversary;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Write the graph of --adversary there, as files that --graph reads.")
    private @Nullable Path out;

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

    @Override
    public Integer call() throws IOException {
        checkOptions();
        if (adversary != null) {
            return searchWorstCase(policy("--adversary", adversary));
        }
        List<Policy> all = policies();
        boolean isSet = graphs.size() > 1 || Files.isDirectory(graphs.getFirst());
        boolean single = !isSet && all.size() == 1 && !table;
        if (svg != null && !single) {
            throw new InputException(
                    "--svg " + svg + ": a drawing has one schedule; expected one graph and one policy");
        }
        requirePlace("--svg", svg);
        requireOther("--svg", svg, "the graph", graphs.getFirst());
        List<SimulationRow> rows = rows(all, isSet);
        List<String> lost = new ArrayList<>();
        if (svg != null) {
            draw(rows.getFirst(), svg, lost);
        }
        if (table) {
            SimulationTable its = new SimulationTable(rows);
            print(() -> Report.json(its.json()), its::lines);
        } else {
            print(() -> Report.json(single ? json(rows.getFirst()) : Map.of("rows", jsons(rows))), () -> lines(rows));
        }
        return told(lost);
    }

    private void checkOptions() {
        if (!(noise >= 0 && noise <= 10)) {
            throw new InputException("--noise " + noise + ": expected a number from 0 to 10");
        }
        if (budget < 0) {
            throw new InputException("--budget " + budget + ": expected a number of tasks from 0 on");
        }
        if (table && why != null) {
            throw new InputException("--why " + why + ": a table has no explanations; expected no --table");
        }
        if (adversary == null && graphs.isEmpty()) {
            throw new InputException(
                    "simulate: there is no graph; expected --graph FILE|FOLDER, or --adversary NAME to search one");
        }
        if (adversary == null && out != null) {
            throw new InputException(
                    "--out " + out + ": it is the folder for the graph of --adversary; expected" + " --adversary, too");
        }
        if (adversary != null) {
            boolean plain = graphs.isEmpty() && machine == null && device == null && link == null && why == null;
            if (!plain || svg != null || table || learned || noise != 0 || !policies.isEmpty()) {
                throw new InputException("--adversary " + adversary
                        + ": it makes a graph with its processors; expected no other options than --seed, --budget,"
                        + " --out and --json");
            }
        }
    }

    private List<Policy> policies() {
        List<String> names = policies.isEmpty() ? List.of(DEFAULT_POLICY) : policies;
        List<Policy> named = names.stream()
                .filter(name -> !name.equals(ALL))
                .map(name -> policy("--policy", name))
                .toList();
        return names.contains(ALL) ? Policies.all() : named;
    }

    private static Policy policy(String option, String name) {
        try {
            return Policies.named(name);
        } catch (IllegalArgumentException e) {
            throw new InputException(option + " " + name + ": " + e.getMessage(), e);
        }
    }

    private int searchWorstCase(Policy policy) throws IOException {
        WorstCase search = new WorstCase(policy, new Limits(seed, budget), out);
        print(() -> Report.json(search.json()), search::lines);
        return 0;
    }

    private List<SimulationRow> rows(List<Policy> all, boolean isSet) {
        SimulatedMachine places = SimulatedMachine.of(machine, device, link);
        List<Path> files = new ArrayList<>();
        for (Path path : graphs) {
            files.addAll(Files.isDirectory(path) ? GraphFile.in(path) : List.of(path));
        }
        List<SimulationRow> rows = new ArrayList<>();
        for (Path file : files) {
            GraphFile read = GraphFile.read(file);
            WorkGraph its = places.graph(read, !isSet);
            requireTask(its);
            for (Policy policy : all) {
                SimulatedRun run = run(read, its, places.hosts(read), policy);
                rows.add(new SimulationRow(file, read, its, places.hosts(read), policy.name(), run));
            }
        }
        return rows;
    }

    private void requireTask(WorkGraph its) {
        if (why != null && SimulationReport.number(its, why) < 0) {
            throw new InputException("--why " + why + ": the graph has no task of this name; expected one such as \""
                    + (its.tasks() == 0 ? "" : its.name(0)) + '"');
        }
    }

    /** The links of a graph with its own processors carry any number of copies: so its paper has them. */
    private SimulatedRun run(GraphFile read, WorkGraph its, int hosts, Policy policy) {
        Simulation.Options options = Simulation.Options.of(policy, hosts)
                .withUnit(read.unit().nanos())
                .withLimits(new Limits(seed, budget))
                .withPriorities(read.priorities())
                .withNoise(noise);
        options = learned ? options.withLearnedTimes() : options;
        return Simulation.run(its, read.processors() > 0 ? options.withFreeLinks() : options);
    }

    private static void draw(SimulationRow row, Path file, List<String> lost) {
        try {
            String drawing = SimulationReport.svg(row);
            WholeFile.write(file, its -> its.write(drawing));
        } catch (IOException e) {
            lost.add(String.valueOf(e.getMessage()));
        }
    }

    private List<Map<String, Object>> jsons(List<SimulationRow> rows) {
        return rows.stream().map(this::json).toList();
    }

    private Map<String, Object> json(SimulationRow row) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("graph", row.file().toString());
        json.put("policy", row.policy());
        json.put("workers", row.hosts());
        json.put("devices", row.graph().places() - row.hosts());
        json.put("unit", row.read().unit().name());
        SimulationReport.into(json, row.graph(), row.run());
        if (why != null) {
            json.put("why", row.run().why(SimulationReport.number(row.graph(), why)));
        }
        return json;
    }

    private List<String> lines(List<SimulationRow> rows) {
        List<String> lines = new ArrayList<>();
        for (SimulationRow row : rows) {
            lines.add(row.title() + ": " + row.run());
            if (why != null) {
                int task = SimulationReport.number(row.graph(), why);
                row.run().why(task).forEach(reason -> lines.add("  " + reason));
            }
        }
        return lines;
    }
}

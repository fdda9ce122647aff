package dev.jacquard.tools;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.Bench;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.components.program.Report;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares Jacquard with rivals. */
@Command(
        name = "bench",
        description = "Measure workloads, with rivals in the same run.",
        footer = {"", "docs/benchmarks.md says what each workload measures."})
final class BenchCommand extends Subcommand {
    /** The property that names the file of learned times. */
    private static final String TIMES = "jacquard.times";

    @Parameters(
            paramLabel = "NAME",
            arity = "0..1",
            description = "A workload, like dynamic.chain, or a group, like dynamic (default: all).")
    private @Nullable String name;

    @Option(
            names = "--workers",
            paramLabel = "N",
            arity = "1..*",
            split = ",",
            description = "Threads that run tasks, the submitter included (default: 1 2).")
    private final List<Integer> workers = new ArrayList<>();

    @Option(names = "--quick", description = "Small and short, to see that it works: the figures mean little.")
    private boolean quick;

    @Option(names = "--without-rivals", description = "Measure Jacquard alone, without the rival systems.")
    private boolean withoutRivals;

    BenchCommand(Environment environment) {
        super(environment);
    }

    @Override
    public Integer call() throws Exception {
        if (System.getProperty(TIMES) == null) {
            System.setProperty(TIMES, "none"); // each run measures the same, whatever ran before
        }
        List<Workload> workloads = name == null ? Bench.workloads() : Bench.workloads(name);
        Bench report = Bench.run(workloads, plan(), this::tell);
        print(() -> Report.json(report.values()), report::lines);
        return 0;
    }

    private Plan plan() {
        workers.forEach(Subcommand::checkWorkers);
        return new Plan(
                workers.isEmpty() ? List.of(1, 2) : workers,
                quick,
                !withoutRivals,
                Clock.system(),
                environment.project(),
                environment.data());
    }

    private void tell(String what) {
        environment.err().println("jacquard: " + what);
        environment.err().flush();
    }
}

package dev.jacquard.tools;

import dev.jacquard.apps.program.InputException;
import dev.jacquard.apps.program.Json;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.Bench;
import dev.jacquard.bench.Workloads;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.engine.EngineOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares Jacquard with rivals. */
@Command(
        name = "bench",
        description = "Measure workloads, with rivals in the same run.",
        footer = {"", "docs/benchmarks.md says what each workload measures."})
final class BenchCommand implements Callable<Integer> {
    @Mixin
    private final Options options = new Options();

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

    private final Environment environment;

    BenchCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws Exception {
        List<Workload> workloads = name == null ? Workloads.all() : Workloads.named(name);
        Bench report = Bench.run(workloads, plan(), this::tell);
        if (options.json) {
            environment.out().print(Json.write(report.values()));
        } else {
            report.lines().forEach(environment.out()::println);
        }
        return 0;
    }

    private Plan plan() {
        for (int count : workers) {
            if (count < 1 || count > EngineOptions.MOST_WORKERS) {
                throw new InputException("--workers " + count + ": expected 1 to " + EngineOptions.MOST_WORKERS);
            }
        }
        return new Plan(
                workers.isEmpty() ? List.of(1, 2) : workers,
                quick,
                Clock.system(),
                environment.project(),
                environment.data());
    }

    private void tell(String what) {
        environment.err().println("jacquard: " + what);
        environment.err().flush();
    }
}

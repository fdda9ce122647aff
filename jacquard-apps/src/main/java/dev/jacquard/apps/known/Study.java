package dev.jacquard.apps.known;

import dev.jacquard.apps.program.Application;
import dev.jacquard.apps.program.Report;
import dev.jacquard.apps.program.Setting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The component {@code study}: measurements as tables and charts. {@code threads} are the times of a step of
 * {@code heat}, and of {@code transport} uncoupled and coupled, for each mixture of tasks at a time and workers for
 * their loops.
 *
 * <p>Source: the expressions thesis, section 4.1.1, figures 4.3 and 4.4.
 */
public final class Study implements Application {
    private static final Setting<Integer> EQUATIONS = Setting.optional(
            "equations", Setting.Type.integer(2, 256), "16", "the number of scalars of the transport equations");
    private static final Setting<Integer> WORKERS = Setting.optional(
            "workers", Setting.Type.integerOrAuto(1, 1024), Setting.Type.AUTO, "threads; auto is one per processor");
    private static final Setting<Integer> ROUNDS = Setting.optional(
            "rounds",
            Setting.Type.integer(1, 1000),
            "11",
            "how often each mixture is measured; all take turns, and medians count");
    private static final Setting<Double> MILLIS = Setting.optional(
            "millis", Setting.Type.number(0, 60_000), "40", "the least time of one measurement, in milliseconds");

    @Override
    public String name() {
        return "study";
    }

    @Override
    public String description() {
        return "measures steps with all mixtures of task and operator threads; writes tables and charts";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(Measurement.CELLS, EQUATIONS, WORKERS, ROUNDS, MILLIS);
    }

    @Override
    public boolean computesInLanes() {
        return true;
    }

    @Override
    public Report run(Job run) throws IOException {
        int[] cells = run.settings().get(Measurement.CELLS);
        int equations = run.settings().get(EQUATIONS);
        Map<String, KnownSolution> problems = new LinkedHashMap<>();
        problems.put("heat", new KnownHeat(cells.length, KnownHeat.Walls.DIRICHLET));
        problems.put("transport", new KnownTransport(cells.length, equations, KnownTransport.Coupling.NONE));
        problems.put("transport-coupled", new KnownTransport(cells.length, equations, KnownTransport.Coupling.FULL));
        ThreadStudy study = new ThreadStudy(
                run,
                Measurement.grid(cells),
                run.settings().get(WORKERS),
                run.settings().get(ROUNDS),
                (long) (run.settings().get(MILLIS) * 1e6));
        List<String> lines = new ArrayList<>();
        List<Map<String, Object>> findings = new ArrayList<>();
        Table table = new Table("problem", "tasks", "operators", "rule", "ms_per_step", "least", "most", "to_best");
        for (Map.Entry<String, KnownSolution> problem : problems.entrySet()) {
            Mixtures finding = study.run(problem.getKey(), problem.getValue());
            finding.addTo(table);
            lines.add(finding.line());
            findings.add(finding.values());
        }
        table.write(run.output().file("threads.csv"));
        lines.add("each mixture: threads.csv; charts: " + String.join(", ", study.charts()));
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("component", name());
        values.put("workers", study.workers());
        values.put("problems", findings);
        return new Report(lines, values);
    }
}

package dev.jacquard.bench;

import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.bench.workload.Workload.Absence;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A run of workloads, one after the other, that is over. */
public final class Bench {
    private final BenchReport report;

    private Bench(BenchReport report) {
        this.report = report;
    }

    /**
     * Calibrates, then runs {@code workloads}.
     *
     * @param progress told what begins
     * @throws IllegalStateException when a contender's result is wrong
     */
    public static Bench run(List<Workload> workloads, Plan plan, Consumer<String> progress) throws Exception {
        String date = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        progress.accept("calibrating");
        Calibration calibration = Calibration.measure(plan.clock());
        List<Row> rows = new ArrayList<>();
        Set<Absence> missing = new LinkedHashSet<>();
        for (Workload workload : workloads) {
            progress.accept(workload.name());
            missing.addAll(workload.absences(plan));
            rows.addAll(Comparison.run(workload, plan));
        }
        return new Bench(new BenchReport(
                Machine.here(),
                System.getProperty("java.vendor") + " " + Runtime.version(),
                Commit.of(plan.project()).orElse(null),
                date,
                plan.quick(),
                calibration,
                rows,
                List.copyOf(missing)));
    }

    BenchReport report() {
        return report;
    }

    /** The findings as a JSON document's content. */
    public Map<String, @Nullable Object> values() {
        return report.values();
    }

    /** The findings as a table. */
    public List<String> lines() {
        return report.lines();
    }
}

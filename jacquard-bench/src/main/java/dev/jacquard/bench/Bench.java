package dev.jacquard.bench;

import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.bench.workload.Workload.Absence;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A run of workloads, one after the other, that is over: its findings, and their machine. */
public final class Bench {
    private static final String LINE = "%-36s %-20s %7s  %-12s %10s %10s %10s  %s";

    private final Plan plan;
    /** In ISO 8601. */
    private final String date = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();

    private final Machine machine = Machine.here();
    private final String jdk = System.getProperty("java.vendor") + " " + Runtime.version();
    /** Null when unknown. */
    private final @Nullable String commit;

    private final Calibration calibration;
    private final List<Row> rows = new ArrayList<>();
    private final Set<Absence> missing = new LinkedHashSet<>();

    private Bench(Plan plan) throws InterruptedException {
        this.plan = plan;
        this.commit = Commit.of(plan.project()).orElse(null);
        this.calibration = Calibration.measure(plan.clock(), plan.quick());
    }

    /** Returns all workloads, in the order of the report. */
    public static List<Workload> workloads() {
        return Workloads.all();
    }

    /**
     * Returns the workload called {@code name}, or all of a group: {@code dynamic} is the group of
     * {@code dynamic.chain}, and {@code engine} is the group that measures the engine alone.
     *
     * @throws dev.jacquard.components.program.InputException when there is none
     */
    public static List<Workload> workloads(String name) {
        return Workloads.named(name);
    }

    /**
     * Calibrates, then runs {@code workloads}.
     *
     * @param progress receives the name of each workload that begins
     * @throws IllegalStateException when a contender's result is wrong
     */
    public static Bench run(List<Workload> workloads, Plan plan, Consumer<String> progress) throws Exception {
        progress.accept("calibrating");
        Bench bench = new Bench(plan);
        long begun = plan.clock().nanoTime();
        for (int i = 0; i < workloads.size(); i++) {
            Workload workload = workloads.get(i);
            progress.accept(beginning(i, workloads, plan.clock().nanoTime() - begun) + ": " + workload.name());
            workload.absences(plan).stream()
                    .filter(absent -> plan.includes(absent.system()))
                    .forEach(bench.missing::add);
            bench.rows.addAll(Comparison.run(workload, plan));
        }
        return bench;
    }

    /** Returns {@code 3 of 79, 1:05 min so far, about 27 min to go}. */
    private static String beginning(int index, List<Workload> workloads, long nanos) {
        long seconds = nanos / 1_000_000_000;
        String text = (index + 1) + " of " + workloads.size();
        if (index == 0) {
            return text;
        }
        long rest = seconds * (workloads.size() - index) / index;
        return text
                + String.format(
                        Locale.ROOT,
                        ", %d:%02d min so far, about %d:%02d to go",
                        seconds / 60,
                        seconds % 60,
                        rest / 60,
                        rest % 60);
    }

    List<Row> rows() {
        return rows;
    }

    /** The systems that are not installed here, so that they have no rows. */
    Set<Absence> missing() {
        return missing;
    }

    /** The findings as a JSON document's content. */
    public Map<String, @Nullable Object> values() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("host", machine.values());
        values.put("jdk", jdk);
        values.put("commit", commit);
        values.put("date", date);
        values.put("quick", plan.quick());
        values.put("calibration", calibration.values());
        values.put("rows", rows.stream().map(Row::values).toList());
        values.put("missing", missing.stream().map(Absence::values).toList());
        return values;
    }

    /** The findings as a table. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(machine.cpu() + ", " + machine.cores() + " cores, " + machine.os());
        lines.add(jdk + ", commit " + (commit == null ? "unknown" : commit) + ", " + date);
        lines.add(String.format(
                Locale.ROOT,
                "two busy loops: %.2f times one; core to core and back: %.0f ns%s",
                calibration.speedUp(),
                calibration.pingPongNanos(),
                calibration.unsuitable() ? "; UNSUITABLE for figures with more than one worker" : ""));
        if (plan.quick()) {
            lines.add("a quick run: the figures mean little");
        }
        lines.add(LINE.formatted("workload", "system", "workers", "unit", "median", "min", "max", "to Jacquard's"));
        rows.forEach(row -> lines.add(line(row)));
        missing.forEach(absent ->
                lines.add(absent.system() + " is missing: " + absent.reason() + "; to have it: " + absent.install()));
        return lines;
    }

    private static String line(Row row) {
        return LINE.formatted(
                row.workload(),
                row.system(),
                row.workers(),
                row.unit(),
                figure(row.median()),
                figure(row.min()),
                figure(row.max()),
                ratio(row.ratio()));
    }

    private static String ratio(Ratio ratio) {
        return Double.isNaN(ratio.median())
                ? ""
                : figure(ratio.median()) + "x (" + figure(ratio.low()) + " to " + figure(ratio.high()) + ")";
    }

    /** Three significant digits, or the whole number. */
    private static String figure(double value) {
        int digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}

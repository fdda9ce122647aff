package dev.jacquard.bench;

import dev.jacquard.bench.workload.Workload.Absence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a run of benchmarks, and their machine.
 *
 * @param machine where
 * @param jdk by which Java
 * @param commit of which code; null when unknown
 * @param date when, in ISO 8601
 * @param quick whether the run was too short for figures
 * @param calibration what the machine's cores were worth
 * @param rows the figures
 * @param missing the systems that are not installed here, so that they have no rows
 */
record BenchReport(
        Machine machine,
        String jdk,
        @Nullable String commit,
        String date,
        boolean quick,
        Calibration calibration,
        List<Row> rows,
        List<Absence> missing) {
    private static final String LINE = "%-36s %-20s %7s  %-12s %10s %10s %10s  %s";

    public BenchReport {
        rows = List.copyOf(rows);
        missing = List.copyOf(missing);
    }

    /** As a JSON document's content. */
    public Map<String, @Nullable Object> values() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("host", machine.values());
        values.put("jdk", jdk);
        values.put("commit", commit);
        values.put("date", date);
        values.put("quick", quick);
        values.put("calibration", calibration.values());
        values.put("rows", rows.stream().map(Row::values).toList());
        values.put("missing", missing.stream().map(Absence::values).toList());
        return values;
    }

    /** As a table. */
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
        if (quick) {
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

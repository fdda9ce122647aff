package dev.jacquard.apps.known;

import dev.jacquard.apps.known.DeviceRow.Way;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Report;
import dev.jacquard.drawing.LineChart;
import dev.jacquard.drawing.LineChart.Axis;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The study of devices as a table, a chart for each work, and lines.
 *
 * @param skipped measurements left out, and why
 */
record DeviceReport(List<DeviceRow> rows, List<String> skipped) {
    Report write(String component, OutputFolder output) throws IOException {
        Table table = new Table("work", "points", "device", "way", "ms", "least", "most", "to_host");
        Map<String, LineChart> charts = new LinkedHashMap<>();
        List<Map<String, Object>> values = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        String first = rows.isEmpty() ? "" : rows.getFirst().device();
        for (DeviceRow row : rows) {
            String way = row.way().name().toLowerCase(Locale.ROOT);
            double least = Arrays.stream(row.millis()).min().orElseThrow();
            double most = Arrays.stream(row.millis()).max().orElseThrow();
            table.row(row.work(), row.points(), row.device(), way, row.median(), least, most, row.toHost());
            if (row.way() != Way.HOST || row.device().equals(first)) { // the host's line next to the first device
                charts.computeIfAbsent(row.work(), DeviceReport::chart)
                        .point(row.name(), (double) row.points(), row.median());
            }
            Map<String, Object> its = new LinkedHashMap<>();
            its.put("work", row.work());
            its.put("points", row.points());
            its.put("device", row.device());
            its.put("way", way);
            its.put("ms", row.median());
            its.put("to_host", row.toHost());
            values.add(its);
            if (row.way() != Way.HOST) {
                lines.add(String.format(
                        Locale.ROOT,
                        "%s, %d points, %s: %.3g ms, %.3g times the host's",
                        row.work(),
                        row.points(),
                        row.name(),
                        row.median(),
                        row.toHost()));
            }
        }
        skipped.forEach(one -> lines.add("not measured: " + one));
        table.write(output.file("devices.csv"));
        for (Map.Entry<String, LineChart> chart : charts.entrySet()) {
            Files.writeString(
                    output.file(chart.getKey() + "-by-points.svg"),
                    chart.getValue().toSvg(),
                    StandardCharsets.UTF_8);
        }
        lines.add("all rows: devices.csv; charts: *-by-points.svg");
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("component", component);
        all.put("rows", values);
        all.put("skipped", skipped);
        return new Report(lines, all);
    }

    private static LineChart chart(String work) {
        String what =
                work.equals("operator") ? "gradient along x, one operator" : "rate of the heat equation, whole graph";
        return new LineChart(what, new Axis("points", true), new Axis("time (ms)", true));
    }
}

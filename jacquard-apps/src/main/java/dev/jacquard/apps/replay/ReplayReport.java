package dev.jacquard.apps.replay;

import dev.jacquard.apps.replay.ReplayResult.EndState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A result as a table for people. */
final class ReplayReport {
    private static final int MOST_ROWS = 60;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final String INDENT = "  ";

    private record Row(String task, String state, String start, String end, String worker, String demoted) {}

    private ReplayReport() {}

    /** One line per task, the first {@value #MOST_ROWS} of them, and a summary; times in microseconds. */
    static List<String> lines(ReplayResult result) {
        List<Row> rows = new ArrayList<>();
        rows.add(new Row("task", "state", "start µs", "end µs", "worker", ""));
        result.tasks().forEach(task -> add(task, "", rows));
        List<Row> shown = rows.subList(0, Math.min(rows.size(), MOST_ROWS + 1));
        int name = width(shown.stream().map(Row::task).toList());
        int start = width(shown.stream().map(Row::start).toList());
        int end = width(shown.stream().map(Row::end).toList());
        List<String> lines = new ArrayList<>();
        String format = "%-" + name + "s  %-9s  %" + start + "s  %" + end + "s  %-6s  %s";
        for (Row row : shown) {
            lines.add(format.formatted(row.task, row.state, row.start, row.end, row.worker, row.demoted)
                    .stripTrailing());
        }
        if (rows.size() > shown.size()) {
            lines.add("… and " + (rows.size() - shown.size()) + " more; --json has all");
        }
        lines.add("");
        lines.add(summary(result));
        return lines;
    }

    private static String summary(ReplayResult result) {
        return result.allTasks().count() + " tasks: " + result.count(EndState.DONE) + " done, "
                + result.count(EndState.FAILED) + " failed, " + result.count(EndState.CANCELLED)
                + " cancelled; makespan "
                + micros(result.makespan()) + " µs with " + result.workers() + " worker"
                + (result.workers() == 1 ? "" : "s") + ", " + result.policy();
    }

    private static void add(TaskResult task, String indent, List<Row> rows) {
        Execution ran = task.execution();
        String demoted = task.demoted().stream()
                .map(one -> one.resource() + " to " + one.mode().text() + " at " + micros(one.time()))
                .collect(Collectors.joining(", "));
        rows.add(new Row(
                indent + task.name(),
                task.state().text(),
                ran == null ? "" : micros(ran.start()),
                ran == null ? "" : micros(ran.end()),
                ran == null ? "" : ran.worker(),
                demoted));
        task.tasks().forEach(sub -> add(sub, indent + INDENT, rows));
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / NANOS_PER_MICRO);
    }

    private static int width(List<String> texts) {
        return Math.max(1, texts.stream().mapToInt(String::length).max().orElse(1));
    }
}

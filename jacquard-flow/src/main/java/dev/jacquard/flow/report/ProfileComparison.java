package dev.jacquard.flow.report;

import dev.jacquard.drawing.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The profiles of two runs side by side. Tasks are matched by their names; times are compared per item, so that the
 * runs may have had different numbers of items.
 *
 * @param before the profile to compare with
 * @param after the other profile
 * @param rows a row per task: in the order of {@code after}, then tasks that only {@code before} has
 */
public record ProfileComparison(FlowProfile before, FlowProfile after, List<Row> rows) {
    /**
     * One task.
     *
     * @param task its name
     * @param before its figures before; empty if there was no such task
     * @param after its figures after; empty if there is no such task any more
     */
    public record Row(String task, Optional<Figures> before, Optional<Figures> after) {
        /**
         * Returns a figure after, divided by the same figure before: 2 for twice as much. Not a number if one of the
         * two is missing, or both are 0.
         */
        public double ratio(ToDoubleFunction<Figures> figure) {
            return before.isEmpty() || after.isEmpty()
                    ? Double.NaN
                    : figure.applyAsDouble(after.get()) / figure.applyAsDouble(before.get());
        }
    }

    /**
     * The figures of one task in one run.
     *
     * @param items items that it has worked on
     * @param itemsPerSecond the same per second of the run
     * @param busy the share of the run's time in which it was busy, from 0 to 1
     * @param computeNanos compute time per item
     * @param waitNanos wait time per item
     * @param lockNanos lock time per item
     * @param memoryWaitNanos time of waiting for buffers per item
     * @param largestQueue the most items that waited
     */
    public record Figures(
            long items,
            double itemsPerSecond,
            double busy,
            double computeNanos,
            double waitNanos,
            double lockNanos,
            double memoryWaitNanos,
            long largestQueue) {}

    /** Compares two profiles. */
    static ProfileComparison of(FlowProfile before, FlowProfile after) {
        List<Row> rows = new ArrayList<>();
        for (FlowProfile.Task task : after.tasks()) {
            rows.add(new Row(
                    task.name(),
                    before.task(task.name()).map(its -> figures(before, its)),
                    Optional.of(figures(after, task))));
        }
        for (FlowProfile.Task task : before.tasks()) {
            if (after.task(task.name()).isEmpty()) {
                rows.add(new Row(task.name(), Optional.of(figures(before, task)), Optional.empty()));
            }
        }
        return new ProfileComparison(before, after, List.copyOf(rows));
    }

    private static Figures figures(FlowProfile profile, FlowProfile.Task task) {
        return new Figures(
                task.itemsIn(),
                profile.itemsPerSecond(task),
                profile.busy(task),
                perItem(task, FlowProfile.Task::computeNanos),
                perItem(task, FlowProfile.Task::waitNanos),
                perItem(task, FlowProfile.Task::lockNanos),
                perItem(task, FlowProfile.Task::memoryWaitNanos),
                task.largestQueue());
    }

    private static double perItem(FlowProfile.Task task, ToLongFunction<FlowProfile.Task> nanos) {
        return nanos.applyAsLong(task) / (double) Math.max(1, task.itemsIn());
    }

    /** Returns elapsed time after, divided by elapsed time before. */
    public double elapsedRatio() {
        return after.elapsedNanos() / (double) Math.max(1, before.elapsedNanos());
    }

    /** Returns a table for people: before, after and the ratio of each figure, times per item. */
    public String toText() {
        TextTable table = new TextTable();
        table.row("task, per item", "compute", "", "", "wait", "", "lock", "", "memory", "", "items/s", "", "");
        for (Row row : rows) {
            List<String> cells = new ArrayList<>(List.of(row.task()));
            add(cells, row, Figures::computeNanos, true);
            add(cells, row, Figures::waitNanos, false);
            add(cells, row, Figures::lockNanos, false);
            add(cells, row, Figures::memoryWaitNanos, false);
            cells.add(text(row.before(), its -> ProfileText.rate(its.itemsPerSecond())));
            cells.add(text(row.after(), its -> ProfileText.rate(its.itemsPerSecond())));
            cells.add(ratio(row.ratio(Figures::itemsPerSecond)));
            table.row(cells);
        }
        return "flow \"" + after.graph() + "\": elapsed " + Labels.nanos(before.elapsedNanos()) + ", then "
                + Labels.nanos(after.elapsedNanos()) + ", " + ratio(elapsedRatio()) + "\n" + table.text()
                + "bottleneck: " + bottleneck(before) + "; then " + bottleneck(after) + "\n";
    }

    private static void add(List<String> cells, Row row, ToDoubleFunction<Figures> figure, boolean withRatio) {
        cells.add(text(row.before(), its -> Labels.nanos(Math.round(figure.applyAsDouble(its)))));
        cells.add(text(row.after(), its -> Labels.nanos(Math.round(figure.applyAsDouble(its)))));
        if (withRatio) {
            cells.add(ratio(row.ratio(figure)));
        }
    }

    private static String text(Optional<Figures> figures, Function<Figures, String> text) {
        return figures.map(text).orElse("-");
    }

    private static String ratio(double ratio) {
        return Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f x", ratio) : "-";
    }

    private static String bottleneck(FlowProfile profile) {
        return profile.bottleneck().map(ProfileText::label).orElse("none");
    }

    /** Returns the figures of both runs as a JSON document. */
    public String toJson() {
        return Json.write(new Document(1, elapsedRatio(), rows));
    }

    /** The document of {@link #toJson}. */
    record Document(long flowComparison, double elapsedRatio, List<Row> rows) {}
}

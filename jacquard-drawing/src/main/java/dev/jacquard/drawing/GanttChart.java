package dev.jacquard.drawing;

import dev.jacquard.base.trace.Trace;
import dev.jacquard.base.trace.TraceLane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A chart of tasks over time: a lane per worker, a bar per task, time from left to right (H. L. Gantt, "Work, wages,
 * and profits", 1910), with the share of time that each worker was busy. Bars that overlap within a lane, such as tasks
 * that ran inside others, stand below each other. Bars too short to be seen are drawn together, so that any number of
 * tasks gives a picture of bounded size.
 *
 * <p>Threads: confined.
 */
public final class GanttChart {
    private static final double MARGIN = 28;
    private static final double LANE_NAME = 130;
    private static final double TIME = 1_200;
    private static final double BUSY = 60;
    private static final double ROW = 22;
    private static final double LANE_GAP = 8;
    private static final double HEAD = 82;
    private static final int MOST_ROWS = 8;
    private static final int MOST_TICKS = 12;
    /** Bars shorter than this are drawn together with bars less than this away. */
    private static final double SHORTEST = 0.6;

    private static final String OTHERS = "others";
    private static final String SHORT = "#7b8794";
    private static final List<String> COLOURS = List.of(
            "#8fbce6", "#f6b26b", "#93c47d", "#d5a6bd", "#ffd966", "#76c7c0", "#b4a7d6", "#e69a8d", "#c0ca8a",
            "#a8b3bf");

    /**
     * One piece of work.
     *
     * @param name the task's name; up to the first digit or bracket it says the bar's colour
     * @param lane the worker
     * @param startNanos when it started, on any clock
     * @param endNanos when it ended, on the same clock
     */
    public record Bar(String name, String lane, long startNanos, long endNanos) {
        /**
         * A bar.
         *
         * @throws IllegalArgumentException when it ends before it starts
         */
        public Bar {
            if (endNanos < startNanos) {
                throw new IllegalArgumentException(
                        "\"" + name + "\" on " + lane + " ends " + (startNanos - endNanos) + " ns before it starts");
            }
        }
    }

    /** A row of bars that do not overlap, and the bars not drawn yet since they are too short. */
    private static final class Row {
        private long busyUntil = Long.MIN_VALUE;
        private double left;
        private double right = -1;
        private int pending;
        /** True if bars overlap, since there may be no more rows: their names would too. */
        private boolean crowded;
    }

    private final String title;
    private final Map<String, List<Bar>> lanes = new LinkedHashMap<>();
    private final Map<String, String> colours = new LinkedHashMap<>();
    private long origin = Long.MAX_VALUE;
    private long end = Long.MIN_VALUE;
    private int bars;
    /** True if bars were drawn together. */
    private boolean merged;

    /** An empty chart. */
    public GanttChart(String title) {
        this.title = title;
    }

    /**
     * A chart of the spans that a trace has recorded so far, with a lane for each of its lanes that has one.
     *
     * @param lanes accepts the names of the lanes to be shown, such as {@code name -> name.startsWith("worker")}
     */
    public static GanttChart of(String title, Trace trace, Predicate<String> lanes) {
        GanttChart chart = new GanttChart(title);
        for (TraceLane lane : trace.lanes()) {
            if (lanes.test(lane.name())) {
                lane.spans(span -> chart.bar(
                        new Bar(trace.nameOf(span.nameId()), lane.name(), span.startNanos(), span.endNanos())));
            }
        }
        return chart;
    }

    /** A chart of all spans that a trace has recorded so far. */
    public static GanttChart of(String title, Trace trace) {
        return of(title, trace, name -> true);
    }

    /** Adds a lane, which shows even when it stays empty; lanes stand in the order in which they were first named. */
    public GanttChart lane(String name) {
        lanes.computeIfAbsent(name, n -> new ArrayList<>());
        return this;
    }

    /** Adds a bar, in any order. */
    public GanttChart bar(Bar bar) {
        lanes.computeIfAbsent(bar.lane(), lane -> new ArrayList<>()).add(bar);
        colours.putIfAbsent(group(bar.name()), COLOURS.get(Math.min(colours.size(), COLOURS.size() - 1)));
        origin = Math.min(origin, bar.startNanos());
        end = Math.max(end, bar.endNanos());
        bars++;
        return this;
    }

    /** The chart as SVG. */
    public String toSvg() {
        merged = false;
        double height = HEAD;
        for (Map.Entry<String, List<Bar>> lane : lanes.entrySet()) {
            lane.getValue()
                    .sort(Comparator.comparingLong(Bar::startNanos)
                            .thenComparing(
                                    Comparator.comparingLong(Bar::endNanos).reversed()));
            height += rows(lane.getValue()).size() * ROW + LANE_GAP;
        }
        double bottom = height;
        SvgWriter svg = new SvgWriter(2 * MARGIN + LANE_NAME + TIME + BUSY, height + 70);
        svg.text(MARGIN, 34, "start", 18, true, title, LANE_NAME + TIME + BUSY);
        String size = Labels.count(bars, "task") + " on " + Labels.count(lanes.size(), "worker") + " in "
                + Labels.nanos(length());
        svg.text(MARGIN, 54, "start", 12, false, size);
        svg.text(MARGIN + LANE_NAME + TIME + BUSY, HEAD - 8, "end", 11, false, "busy");
        axis(svg, bottom);
        double y = HEAD;
        for (Map.Entry<String, List<Bar>> lane : lanes.entrySet()) {
            y = drawLane(svg, lane.getKey(), lane.getValue(), y);
        }
        legend(svg, bottom + 44);
        return svg.finish();
    }

    /**
     * Writes {@link #toSvg()} to {@code file}.
     *
     * @throws IOException when the file cannot be written
     */
    public void writeSvg(Path file) throws IOException {
        Files.writeString(file, toSvg());
    }

    private long length() {
        return bars == 0 ? 0 : end - origin;
    }

    private double x(long nanos) {
        return MARGIN + LANE_NAME + TIME * (nanos - origin) / Math.max(1, length());
    }

    /** The common part of the names of tasks of one sort: "update (3,1)" is an "update". */
    private static String group(String name) {
        int end = 0;
        while (end < name.length() && (Character.isLetter(name.charAt(end)) || name.charAt(end) == ' ')) {
            end++;
        }
        String group = name.substring(0, end).strip();
        return group.isEmpty() ? name : group;
    }

    // ---- lanes

    private static List<Row> rows(List<Bar> sorted) {
        List<Row> rows = new ArrayList<>(List.of(new Row()));
        sorted.forEach(bar -> rowFor(bar, rows));
        return rows;
    }

    /** The first row that is free when the bar starts; the last when there may be no more. */
    private static int rowFor(Bar bar, List<Row> rows) {
        int row = 0;
        while (rows.get(row).busyUntil > bar.startNanos() && row < MOST_ROWS - 1) {
            if (++row == rows.size()) {
                rows.add(new Row());
            }
        }
        rows.get(row).crowded |= rows.get(row).busyUntil > bar.startNanos();
        rows.get(row).busyUntil = Math.max(rows.get(row).busyUntil, bar.endNanos());
        return row;
    }

    private double drawLane(SvgWriter svg, String name, List<Bar> sorted, double top) {
        List<Row> rows = rows(sorted);
        rows.forEach(row -> row.busyUntil = Long.MIN_VALUE);
        double height = rows.size() * ROW;
        svg.add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#eef1f4\" fill-opacity=\"0.6\"/>\n",
                MARGIN + LANE_NAME, top, TIME, height);
        svg.add("<g>").tooltip(name);
        svg.text(MARGIN, top + height / 2 + 4, "start", 12, true, name, LANE_NAME - 8)
                .add("</g>");
        long busy = 0;
        long until = Long.MIN_VALUE;
        for (Bar bar : sorted) {
            int row = rowFor(bar, rows);
            drawBar(svg, bar, rows.get(row), top + row * ROW);
            long from = Math.max(bar.startNanos(), until);
            busy += Math.max(0, bar.endNanos() - from);
            until = Math.max(until, bar.endNanos());
        }
        for (int row = 0; row < rows.size(); row++) {
            flush(svg, rows.get(row), top + row * ROW);
        }
        svg.text(
                MARGIN + LANE_NAME + TIME + BUSY,
                top + height / 2 + 4,
                "end",
                12,
                false,
                Labels.share(busy / (double) Math.max(1, length())));
        return top + height + LANE_GAP;
    }

    private void drawBar(SvgWriter svg, Bar bar, Row row, double top) {
        double left = x(bar.startNanos());
        double right = x(bar.endNanos());
        if (row.pending > 0 && left - row.right > SHORTEST) {
            flush(svg, row, top);
        }
        if (right - left < SHORTEST) {
            row.left = row.pending == 0 ? left : row.left;
            row.right = right;
            row.pending++;
            return;
        }
        flush(svg, row, top);
        svg.add("<g>")
                .tooltip(bar.name() + "\n" + Labels.nanos(bar.endNanos() - bar.startNanos()) + " from "
                        + Labels.nanos(bar.startNanos() - origin) + " on\n" + bar.lane());
        String colour = colours.getOrDefault(group(bar.name()), "#a8b3bf");
        block(svg, left, right, top, colour);
        String fitting = TextWidth.shortened(bar.name(), right - left - 6, 11, false);
        if (!row.crowded && (fitting.equals(bar.name()) || fitting.length() > 3)) {
            svg.text((left + right) / 2, top + 15, "middle", 11, false, fitting);
        }
        svg.add("</g>\n");
    }

    private void flush(SvgWriter svg, Row row, double top) {
        if (row.pending > 0) {
            svg.add("<g>").tooltip(Labels.count(row.pending, "short task"));
            block(svg, row.left, Math.max(row.right, row.left + SHORTEST), top, SHORT);
            svg.add("</g>\n");
            row.pending = 0;
            merged = true;
        }
    }

    private static void block(SvgWriter svg, double left, double right, double top, String colour) {
        svg.add(
                "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"%s\" stroke=\"#ffffff\" "
                        + "stroke-width=\"%s\"/>",
                left, top + 1, right - left, ROW - 2, colour, right - left < 3 ? "0" : "0.8");
    }

    // ---- axis, legend

    private void axis(SvgWriter svg, double bottom) {
        long step = 1;
        for (int i = 0; length() / step >= MOST_TICKS; i++) {
            step = i % 3 == 1 ? step / 2 * 5 : step * 2; // 1, 2, 5, 10, …
        }
        for (long tick = 0; tick <= length(); tick += step) {
            double x = MARGIN + LANE_NAME + TIME * tick / Math.max(1, length());
            svg.add("<path d=\"M%.1f %.1fV%.1f\" stroke=\"#cbd2d9\"/>", x, HEAD - 4, bottom);
            svg.text(x, bottom + 14, "middle", 10, false, tick == 0 ? "0" : Labels.nanos(tick));
            if (tick > Long.MAX_VALUE - step) {
                break;
            }
        }
    }

    private void legend(SvgWriter svg, double y) {
        double x = MARGIN + LANE_NAME;
        int shown = 0;
        for (Map.Entry<String, String> group : colours.entrySet()) {
            if (++shown == COLOURS.size() && colours.size() > shown) {
                x = entry(svg, x, y, group.getValue(), OTHERS);
                break;
            }
            x = entry(svg, x, y, group.getValue(), SvgWriter.shortened(group.getKey(), 18));
        }
        if (merged) {
            entry(svg, x, y, SHORT, "too short to distinguish");
        }
    }

    private static double entry(SvgWriter svg, double x, double y, String colour, String text) {
        svg.add("<rect x=\"%.1f\" y=\"%.1f\" width=\"16\" height=\"12\" fill=\"%s\"/>", x, y - 10, colour);
        svg.text(x + 21, y, "start", 11, false, text);
        return x + 42 + TextWidth.of(text, 11, false);
    }
}

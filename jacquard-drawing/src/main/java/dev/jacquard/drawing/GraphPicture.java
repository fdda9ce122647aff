package dev.jacquard.drawing;

import dev.jacquard.insight.analysis.GraphAnalysis;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import dev.jacquard.insight.analysis.GraphSnapshot.Task;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * One or two graphs of the same tasks, at the same places, as SVG: boxes coloured by state, lines by kind, the critical
 * path of each on a broad rim, a legend of what occurs.
 *
 * <p>Threads: confined.
 */
final class GraphPicture {
    private static final double MARGIN = 28;
    private static final double BETWEEN = 70;
    private static final double NARROWEST = 430;
    private static final int HEAD = 88;
    private static final int LEGEND_ROW = 24;
    private static final int MOST_LABELS = 150;
    private static final int LONGEST_LABEL = 18;

    /** A graph to draw with a heading of its own. */
    record Panel(String heading, GraphSnapshot graph) {}

    private record Area(double left, double top, double right, double bottom) {
        boolean meets(Area other) {
            return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
        }
    }

    private final List<Panel> panels;
    private final GraphSnapshot all;
    private final GraphLayout layout;
    private final double panelWidth;
    private final SvgWriter svg;
    private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    private final Set<String> states = new TreeSet<>(
            Comparator.<String>comparingInt(GraphStyle.STATES::indexOf).thenComparing(Comparator.naturalOrder()));
    private final List<Area> taken = new ArrayList<>();
    private Set<List<Integer>> criticalSteps = Set.of();
    private Set<Long> critical = Set.of();

    /** A picture of {@code panels}; the layout is that of the last one, which has the most edges. */
    GraphPicture(List<Panel> panels, int mostTasks, int mostLines) {
        this.panels = panels;
        this.all = panels.getLast().graph();
        this.layout = new GraphLayout(all, mostTasks, mostLines);
        this.panelWidth = Math.max(NARROWEST, layout.width());
        layout.lines.forEach(line -> kinds.add(line.kind()));
        all.tasks().subList(0, layout.tasks).forEach(task -> states.add(task.state()));
        states.remove("");
        double width = 2 * MARGIN + panels.size() * panelWidth + (panels.size() - 1) * BETWEEN;
        double height = top() + layout.height() + 2 * MARGIN + legendRows(width) * (double) LEGEND_ROW;
        this.svg = new SvgWriter(width, height);
        svg.add("<defs>");
        for (Kind kind : kinds) {
            svg.arrowHead(kind.name(), 9, GraphStyle.colour(kind));
        }
        svg.add("</defs>\n");
        legend(width, height);
    }

    String text() {
        double left = MARGIN;
        for (Panel panel : panels) {
            panel(panel, left);
            left += panelWidth + BETWEEN;
        }
        return svg.finish();
    }

    private double top() {
        return HEAD + (isReduced() ? 40 : 0);
    }

    private boolean isReduced() {
        return layout.hiddenEdges > 0 || layout.tasks < all.tasks().size();
    }

    private void panel(Panel panel, double left) {
        GraphAnalysis analysis = GraphAnalysis.of(panel.graph());
        boolean withPolicy = panel.graph().edges().stream().anyMatch(edge -> edge.kind() == Kind.POLICY);
        findCriticalPath(analysis.criticalPath());
        head(panel, analysis, left);
        svg.add("<g transform=\"translate(%.1f %.1f)\">\n", left + (panelWidth - layout.width()) / 2, top());
        List<GraphLayout.Line> lines = layout.lines.stream()
                .filter(line -> withPolicy || line.kind() != Kind.POLICY)
                .toList();
        for (int task = 0; task < layout.tasks; task++) {
            if (layout.isRefined(task)) {
                box(task);
            }
        }
        lines.stream().filter(this::isCritical).forEach(this::rim);
        lines.forEach(this::line);
        taken.clear();
        for (int task = 0; task < layout.tasks; task++) {
            if (!layout.isRefined(task)) {
                box(task);
            }
            taken.add(areaOf(task));
        }
        if (lines.size() <= MOST_LABELS) {
            lines.forEach(this::label);
        }
        svg.add("</g>\n");
    }

    private Area areaOf(int task) {
        double bottom = layout.isRefined(task) ? layout.y(task) + 36 : layout.y(task) + layout.height(task);
        return new Area(layout.x(task), layout.y(task), layout.x(task) + layout.width(task), bottom);
    }

    private void findCriticalPath(List<Long> path) {
        critical = new HashSet<>(path);
        criticalSteps = new HashSet<>();
        for (int i = 1; i < path.size(); i++) {
            int from = all.indexOf(path.get(i - 1));
            int to = all.indexOf(path.get(i));
            if (Math.max(from, to) < layout.tasks) {
                criticalSteps.add(layout.siblingsOf(from, to));
                criticalSteps.add(List.of(from, to));
            }
        }
    }

    private boolean isCritical(GraphLayout.Line line) {
        return criticalSteps.contains(List.of(line.from(), line.to()));
    }

    private void head(Panel panel, GraphAnalysis analysis, double left) {
        svg.text(left, 34, "start", 18, true, SvgWriter.shortened(panel.heading(), (int) (panelWidth / 10)));
        String size = Labels.count(all.tasks().size(), "task") + ", "
                + Labels.count(panel.graph().edges().size(), "edge") + ", " + analysis.depth()
                + " deep, at most " + analysis.maximumWidth() + " at once";
        svg.text(left, 54, "start", 12, false, size);
        svg.text(
                left,
                71,
                "start",
                12,
                false,
                String.format(
                        Locale.ROOT,
                        "τ₁ = %s, τ∞ = %s, S∞ = %.2f, P = %s",
                        time(analysis, analysis.tau1()),
                        time(analysis, analysis.tauInfinity()),
                        analysis.speedup(),
                        Labels.share(analysis.parallelism())));
        if (isReduced()) {
            notice(left);
        }
    }

    private static String time(GraphAnalysis analysis, long time) {
        return analysis.isMeasured() ? Labels.nanos(time) : Labels.count(time);
    }

    private void notice(double left) {
        svg.add("<rect x=\"%.1f\" y=\"82\" width=\"410\" height=\"26\" rx=\"4\" fill=\"#c92a2a\"/>", left);
        svg.add("<g fill=\"#ffffff\">")
                .text(
                        left + 10,
                        99,
                        "start",
                        12,
                        true,
                        "Not all is drawn: the first " + Labels.count(layout.tasks, "task") + "; "
                                + Labels.count(layout.hiddenEdges, "edge") + " left out")
                .add("</g>\n");
    }

    // ---- tasks

    private void box(int index) {
        Task task = all.tasks().get(index);
        boolean heavy = critical.contains(task.id());
        double x = layout.x(index);
        double y = layout.y(index);
        svg.add("<g>").tooltip(tooltip(task));
        svg.add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"6\" fill=\"%s\" fill-opacity=\"%s\" "
                        + "stroke=\"%s\" stroke-width=\"%s\"/>\n",
                x,
                y,
                layout.width(index),
                layout.height(index),
                GraphStyle.fill(task.state()),
                layout.isRefined(index) ? "0.45" : "1",
                heavy ? GraphStyle.CRITICAL : "#7b8794",
                heavy ? "2.6" : "1");
        double textX = layout.isRefined(index) ? x + 10 : x + layout.width(index) / 2;
        String anchor = layout.isRefined(index) ? "start" : "middle";
        svg.text(textX, y + 17, anchor, 12, true, SvgWriter.shortened(task.name(), layout.longestName(index)));
        svg.add("<g fill=\"#52606d\">");
        svg.text(textX, y + 32, anchor, 10, false, GraphLayout.details(task)).add("</g></g>\n");
    }

    private static String tooltip(Task task) {
        StringBuilder text =
                new StringBuilder(task.name()).append(" (#").append(task.id()).append(')');
        add(text, "state", task.state());
        add(text, "time", task.hasWeight() ? Labels.nanos(task.weightNanos()) : "");
        add(text, "worker", task.worker() == Task.NONE ? "" : Integer.toString(task.worker()));
        add(text, "priority", task.priority() == 0 ? "" : Integer.toString(task.priority()));
        add(text, "flags", String.join(", ", task.flags()));
        add(text, "part of", task.hasParent() ? "#" + task.parent() : "");
        add(text, "accesses", task.accesses());
        return text.toString();
    }

    private static void add(StringBuilder text, String what, String value) {
        if (!value.isEmpty()) {
            text.append('\n').append(what).append(": ").append(value);
        }
    }

    // ---- edges

    private void rim(GraphLayout.Line line) {
        svg.add(
                "<path fill=\"none\" stroke=\"%s\" stroke-width=\"8\" stroke-linecap=\"round\" d=\"%s\"/>\n",
                GraphStyle.CRITICAL_RIM, path(line));
    }

    private void line(GraphLayout.Line line) {
        Kind kind = line.kind();
        String ends = "#" + all.tasks().get(line.from()).id() + " → #"
                + all.tasks().get(line.to()).id();
        svg.add("<g>")
                .tooltip(ends + ", " + GraphStyle.meaning(kind) + (line.label().isEmpty() ? "" : ": " + line.label()));
        svg.add(
                "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" stroke-dasharray=\"%s\" marker-end=\"url(#%s)\" "
                        + "d=\"%s\"/></g>\n",
                GraphStyle.colour(kind), GraphStyle.thickness(kind), GraphStyle.dashes(kind), kind, path(line));
    }

    private static String path(GraphLayout.Line line) {
        StringBuilder path = new StringBuilder();
        double[] before = line.passes().getFirst();
        path.append(String.format(Locale.ROOT, "M%.1f %.1fV%.1f", before[0] + line.shift(), before[1], before[2]));
        for (double[] pass : line.passes().subList(1, line.passes().size())) {
            double bend = Math.max(12, (pass[1] - before[2]) / 2);
            path.append(String.format(
                    Locale.ROOT,
                    "C%.1f %.1f %.1f %.1f %.1f %.1fV%.1f",
                    before[0] + line.shift(),
                    before[2] + bend,
                    pass[0] + line.shift(),
                    pass[1] - bend,
                    pass[0] + line.shift(),
                    pass[1],
                    pass[2]));
            before = pass;
        }
        return path.toString();
    }

    /** On the first bend or the last, wherever it covers nothing; else nowhere: the line still has its tooltip. */
    private void label(GraphLayout.Line line) {
        if (line.label().isEmpty()) {
            return;
        }
        String label = SvgWriter.shortened(line.label(), LONGEST_LABEL);
        int count = line.passes().size();
        for (double along : new double[] {0.5, 0.38, 0.62, 0.28, 0.72}) {
            if (tryLabel(line, label, count - 2, along) || tryLabel(line, label, 0, along)) {
                return;
            }
        }
    }

    private boolean tryLabel(GraphLayout.Line line, String label, int bend, double along) {
        double[] from = line.passes().get(bend);
        double[] to = line.passes().get(bend + 1);
        double eased = along * along * (3 - 2 * along);
        double x = from[0] + line.shift() + (to[0] - from[0]) * eased;
        double y = from[2] + (to[1] - from[2]) * along;
        double half = label.length() * 2.9 + 3;
        Area area = new Area(x - half, y - 7, x + half, y + 7);
        if (taken.stream().anyMatch(area::meets)) {
            return false;
        }
        taken.add(area);
        svg.add("<g fill=\"%s\">", GraphStyle.colour(line.kind()))
                .halo(x, y + 4, label)
                .add("</g>\n");
        return true;
    }

    // ---- legend

    private record Entry(String text, String state, boolean isLine, String stroke, String dashes) {
        double width() {
            return 52 + text.length() * 5.7;
        }
    }

    private List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (String state : states) {
            entries.add(new Entry(state.toLowerCase(Locale.ROOT), state, false, "#7b8794", "none"));
        }
        entries.add(new Entry("critical path", "", false, GraphStyle.CRITICAL, "none"));
        for (Kind kind : kinds) {
            entries.add(
                    new Entry(GraphStyle.meaning(kind), "", true, GraphStyle.colour(kind), GraphStyle.dashes(kind)));
        }
        return entries;
    }

    private int legendRows(double width) {
        int rows = 1;
        double x = MARGIN;
        for (Entry entry : entries()) {
            if (x + entry.width() > width - MARGIN) {
                rows++;
                x = MARGIN;
            }
            x += entry.width();
        }
        return rows;
    }

    private void legend(double width, double height) {
        double y = height - MARGIN - (legendRows(width) - 1) * LEGEND_ROW;
        double x = MARGIN;
        for (Entry entry : entries()) {
            if (x + entry.width() > width - MARGIN) {
                x = MARGIN;
                y += LEGEND_ROW;
            }
            if (entry.isLine()) {
                svg.add(
                        "<path d=\"M%.1f %.1fh28\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>",
                        x, y - 4, entry.stroke(), entry.dashes());
            } else {
                svg.add(
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"28\" height=\"14\" rx=\"4\" fill=\"%s\" stroke=\"%s\" "
                                + "stroke-width=\"%s\"/>",
                        x,
                        y - 11,
                        GraphStyle.fill(entry.state()),
                        entry.stroke(),
                        entry.state().isEmpty() ? "2.6" : "1");
            }
            svg.text(x + 34, y, "start", 11, false, entry.text());
            x += entry.width();
        }
    }
}

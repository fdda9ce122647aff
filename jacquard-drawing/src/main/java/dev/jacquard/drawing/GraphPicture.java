package dev.jacquard.drawing;

import dev.jacquard.insight.analysis.GraphAnalysis;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import dev.jacquard.insight.analysis.GraphSnapshot.Task;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
    private static final double NARROWEST = 480;
    private static final int HEAD = 88;
    private static final int MOST_LABELS = 150;

    /**
     * A graph to draw under a heading.
     *
     * @param implied the edges that follow from those of the graph, and are not drawn
     */
    record Panel(String heading, GraphSnapshot graph, int implied) {}

    private final List<Panel> panels;
    private final GraphSnapshot all;
    private final GraphLayout layout;
    private final double panelWidth;
    private final SvgWriter svg;
    private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    private final Set<String> states = new TreeSet<>(
            Comparator.<String>comparingInt(GraphStyle.STATES::indexOf).thenComparing(Comparator.naturalOrder()));
    /** The label that all lines of a kind have; the legend says it once. */
    private final Map<Kind, String> common = new EnumMap<>(Kind.class);

    /** Tasks that wait for no other, and that others wait for. */
    private final Set<Integer> starts = new HashSet<>();

    private Set<List<Integer>> criticalSteps = Set.of();
    private Set<Long> critical = Set.of();

    /** A picture of {@code panels}; the layout is that of the last one, which has the most edges. */
    GraphPicture(List<Panel> panels, int mostTasks, int mostLines) {
        this.panels = panels;
        this.all = panels.getLast().graph();
        this.layout = new GraphLayout(all, mostTasks, mostLines);
        this.panelWidth = Math.max(NARROWEST, layout.width());
        for (Kind kind : Kind.values()) {
            List<String> labels = layout.lines.stream()
                    .filter(line -> line.kind() == kind)
                    .map(GraphLayout.Line::label)
                    .distinct()
                    .toList();
            if (!labels.isEmpty()) {
                kinds.add(kind);
            }
            if (labels.size() == 1 && !labels.getFirst().isEmpty() && layout.lines.size() > 1) {
                common.put(kind, labels.getFirst());
            }
        }
        findStarts();
        all.tasks().subList(0, layout.tasks).forEach(task -> states.add(task.state()));
        states.remove("");
        double width = 2 * MARGIN + panels.size() * panelWidth + (panels.size() - 1) * BETWEEN;
        GraphLegend legend = new GraphLegend(states, kinds, common, !starts.isEmpty(), MARGIN, width - MARGIN);
        double bottom = top() + layout.height() + 2 * MARGIN;
        double height = bottom + legend.height() + MARGIN / 2;
        this.svg = new SvgWriter(width, height);
        svg.add("<defs>");
        for (Kind kind : kinds) {
            svg.arrowHead(kind.name(), 9, GraphStyle.colour(kind));
        }
        svg.add("</defs>\n");
        legend.draw(svg, bottom);
    }

    /** Finds the tasks that wait for none, nor do their sub-tasks: these wait for the body of their parent anyway. */
    private void findStarts() {
        layout.lines.forEach(line -> starts.add(line.from()));
        for (GraphLayout.Line line : layout.lines) {
            Task waiting = all.tasks().get(line.to());
            starts.remove(line.to());
            while (waiting.hasParent()) {
                starts.remove(all.indexOf(waiting.parent()));
                waiting = all.task(waiting.parent());
            }
        }
        starts.removeIf(task -> all.tasks().get(task).hasParent());
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
        GraphLabels labels = new GraphLabels(lines, common);
        for (int task = 0; task < layout.tasks; task++) {
            if (!layout.isRefined(task)) {
                box(task);
            }
            double bottom = layout.isRefined(task) ? layout.y(task) + 36 : layout.y(task) + layout.height(task);
            labels.avoid(layout.x(task), layout.y(task), layout.x(task) + layout.width(task), bottom);
        }
        if (lines.size() <= MOST_LABELS) {
            labels.draw(svg);
        }
        svg.add("</g>\n");
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
        svg.text(left, 34, "start", 18, true, panel.heading(), panelWidth);
        String size = Labels.count(all.tasks().size(), "task") + ", "
                + Labels.count(panel.graph().edges().size(), "edge")
                + (panel.implied() == 0 ? "" : " (without " + Labels.count(panel.implied()) + " implied)") + ", "
                + analysis.depth() + " deep, at most " + analysis.maximumWidth() + " at once";
        svg.text(left, 54, "start", 12, false, size, panelWidth);
        svg.text(
                left,
                71,
                "start",
                12,
                false,
                String.format(
                        Locale.ROOT,
                        "work %s, longest path %s, parallelism %.2f",
                        time(analysis, analysis.tau1()),
                        time(analysis, analysis.tauInfinity()),
                        analysis.speedup()),
                panelWidth);
        if (isReduced()) {
            notice(left);
        }
    }

    private static String time(GraphAnalysis analysis, long time) {
        return analysis.isMeasured() ? Labels.nanos(time) : Labels.count(time, "task");
    }

    private void notice(double left) {
        String text = "Not all is drawn: the first " + Labels.count(layout.tasks, "task") + "; "
                + Labels.count(layout.hiddenEdges, "edge") + " left out";
        svg.add(
                "<rect x=\"%.1f\" y=\"82\" width=\"%.1f\" height=\"26\" rx=\"4\" fill=\"#c92a2a\"/>",
                left, TextWidth.of(text, 12, true) + 20);
        svg.add("<g fill=\"#ffffff\">")
                .text(left + 10, 99, "start", 12, true, text)
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
        double room = layout.width(index) - 12;
        svg.text(textX, y + 17, anchor, 12, true, task.name(), room);
        svg.add("<g fill=\"#52606d\">");
        svg.text(textX, y + 32, anchor, 10, false, GraphLayout.details(task), room)
                .add("</g>");
        if (starts.contains(index)) {
            svg.add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>", textX, y, GraphStyle.START);
        }
        svg.add("</g>\n");
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
        path.append(String.format(Locale.ROOT, "M%.1f %.1f", before[0] + line.shift(), before[1]));
        straight(path, before);
        for (double[] pass : line.passes().subList(1, line.passes().size())) {
            double bend = Math.max(12, (pass[1] - before[2]) / 2);
            path.append(String.format(
                    Locale.ROOT,
                    "C%.1f %.1f %.1f %.1f %.1f %.1f",
                    before[0] + line.shift(),
                    before[2] + bend,
                    pass[0] + line.shift(),
                    pass[1] - bend,
                    pass[0] + line.shift(),
                    pass[1]));
            straight(path, pass);
            before = pass;
        }
        return path.toString();
    }

    /** Adds a vertical piece, unless it has no length: an arrow head would have no direction. */
    private static void straight(StringBuilder path, double[] pass) {
        if (pass[2] - pass[1] >= 0.1) {
            path.append(String.format(Locale.ROOT, "V%.1f", pass[2]));
        }
    }
}

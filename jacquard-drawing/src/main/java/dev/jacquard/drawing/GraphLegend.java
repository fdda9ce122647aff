package dev.jacquard.drawing;

import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The meaning of the colours and lines that occur in a picture of a graph, in rows.
 *
 * <p>Threads: confined.
 */
final class GraphLegend {
    private static final int ROW = 24;
    /** The room of a sign, with the space before its text. */
    private static final double SIGN = 34;

    private static final double APART = 20;
    private static final String RIM = "#7b8794";

    /** The shape of a sign. */
    private enum Sign {
        BOX,
        LINE,
        DOT
    }

    private record Entry(String text, Sign sign, String fill, String stroke, String dashes, String thickness) {
        double width() {
            return SIGN + TextWidth.of(text, 11, false) + APART;
        }
    }

    private final List<List<Entry>> rows = new ArrayList<>();
    private final double left;

    /**
     * A legend.
     *
     * @param common the label that all lines of a kind have
     * @param hasStarts true if tasks are marked that wait for no other
     */
    GraphLegend(
            Set<String> states,
            Set<Kind> kinds,
            Map<Kind, String> common,
            boolean hasStarts,
            double left,
            double right) {
        this.left = left;
        double x = right;
        for (Entry entry : entries(states, kinds, common, hasStarts)) {
            if (x + entry.width() - APART > right) {
                rows.add(new ArrayList<>());
                x = left;
            }
            rows.getLast().add(entry);
            x += entry.width();
        }
    }

    private static List<Entry> entries(
            Set<String> states, Set<Kind> kinds, Map<Kind, String> common, boolean hasStarts) {
        List<Entry> entries = new ArrayList<>();
        for (String state : states) {
            String name = state.toLowerCase(Locale.ROOT);
            entries.add(new Entry(name, Sign.BOX, GraphStyle.fill(state), RIM, "none", "1"));
        }
        entries.add(new Entry("critical path", Sign.BOX, GraphStyle.fill(""), GraphStyle.CRITICAL, "none", "2.6"));
        if (hasStarts) {
            entries.add(new Entry("waits for no task", Sign.DOT, GraphStyle.START, "none", "none", "0"));
        }
        for (Kind kind : kinds) {
            String label = common.getOrDefault(kind, "");
            String text = GraphStyle.meaning(kind) + (label.isEmpty() ? "" : ": " + SvgWriter.shortened(label, 40));
            entries.add(new Entry(text, Sign.LINE, "none", GraphStyle.colour(kind), GraphStyle.dashes(kind), "2"));
        }
        return entries;
    }

    double height() {
        return rows.size() * (double) ROW;
    }

    void draw(SvgWriter svg, double top) {
        double y = top;
        for (List<Entry> row : rows) {
            double x = left;
            for (Entry entry : row) {
                sign(svg, entry, x, y + 6);
                svg.text(x + SIGN, y + 10, "start", 11, false, entry.text());
                x += entry.width();
            }
            y += ROW;
        }
    }

    /** Draws a sign whose middle has that height. */
    private static void sign(SvgWriter svg, Entry entry, double x, double y) {
        String style = String.format(
                Locale.ROOT,
                "fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\" stroke-dasharray=\"%s\"/>\n",
                entry.fill(),
                entry.stroke(),
                entry.thickness(),
                entry.dashes());
        switch (entry.sign()) {
            case BOX -> svg.add("<rect x=\"%.1f\" y=\"%.1f\" width=\"28\" height=\"14\" rx=\"4\" ", x, y - 7);
            case LINE -> svg.add("<path d=\"M%.1f %.1fh28\" ", x, y);
            case DOT -> svg.add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" ", x + 22, y);
        }
        svg.add("%s", style);
    }
}

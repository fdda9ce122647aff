package dev.jacquard.drawing;

import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The labels of a graph's lines. Of the lines of a kind from one task that have the same label, one shows it; a label
 * that all lines of a kind have stands in the legend alone. A label lies on the first bend or the last of its line,
 * where it covers nothing; if there is no such place, on other lines; else nowhere: the line still has its tooltip.
 *
 * <p>Threads: confined.
 */
final class GraphLabels {
    private static final int LONGEST = 18;
    private static final double[] PLACES = {0.5, 0.38, 0.62, 0.28, 0.72};
    private static final int SAMPLES = 12;

    private record Area(double left, double top, double right, double bottom) {
        boolean meets(Area other) {
            return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
        }

        boolean has(double[] point) {
            return point[0] > left && point[0] < right && point[1] > top && point[1] < bottom;
        }
    }

    private final List<GraphLayout.Line> lines;
    private final Map<Kind, String> common;
    private final List<Area> taken = new ArrayList<>();
    private final Set<List<Object>> labelled = new HashSet<>();

    GraphLabels(List<GraphLayout.Line> lines, Map<Kind, String> common) {
        this.lines = lines;
        this.common = common;
    }

    /** Keeps labels away from an area. */
    void avoid(double left, double top, double right, double bottom) {
        taken.add(new Area(left, top, right, bottom));
    }

    /** Draws all labels that have a place. */
    void draw(SvgWriter svg) {
        List<List<double[]>> points = lines.stream().map(GraphLabels::points).toList();
        for (boolean mayCover : new boolean[] {false, true}) {
            for (GraphLayout.Line line : lines) {
                if (!line.label().isEmpty() && !common.containsKey(line.kind()) && !labelled.contains(key(line))) {
                    draw(svg, line, mayCover ? List.of() : points);
                }
            }
        }
    }

    private static List<Object> key(GraphLayout.Line line) {
        return List.of(line.from(), line.kind(), line.label());
    }

    private void draw(SvgWriter svg, GraphLayout.Line line, List<List<double[]>> points) {
        String label = SvgWriter.shortened(line.label(), LONGEST);
        double half = TextWidth.of(label, 11, false) / 2 + 3;
        for (double along : PLACES) {
            for (int bend : new int[] {line.passes().size() - 2, 0}) {
                double[] at = on(line, bend, along);
                Area area = new Area(at[0] - half, at[1] - 7, at[0] + half, at[1] + 7);
                if (taken.stream().noneMatch(area::meets) && !covers(area, line, points)) {
                    taken.add(area);
                    labelled.add(key(line));
                    svg.add("<g fill=\"%s\">", GraphStyle.colour(line.kind()))
                            .halo(at[0], at[1] + 4, label)
                            .add("</g>\n");
                    return;
                }
            }
        }
    }

    /** Returns true if a line with another label is in an area. */
    private boolean covers(Area area, GraphLayout.Line line, List<List<double[]>> points) {
        for (int i = 0; i < points.size(); i++) {
            if (!key(lines.get(i)).equals(key(line)) && points.get(i).stream().anyMatch(area::has)) {
                return true;
            }
        }
        return false;
    }

    private static List<double[]> points(GraphLayout.Line line) {
        List<double[]> points = new ArrayList<>();
        for (int bend = 0; bend + 1 < line.passes().size(); bend++) {
            for (int i = 0; i <= SAMPLES; i++) {
                points.add(on(line, bend, i / (double) SAMPLES));
            }
        }
        return points;
    }

    /** Returns the point of a bend at a share of its height. */
    private static double[] on(GraphLayout.Line line, int bend, double along) {
        double[] from = line.passes().get(bend);
        double[] to = line.passes().get(bend + 1);
        double eased = along * along * (3 - 2 * along);
        return new double[] {from[0] + line.shift() + (to[0] - from[0]) * eased, from[2] + (to[1] - from[2]) * along};
    }
}

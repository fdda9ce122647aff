package dev.jacquard.drawing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A chart of series over numbers above 0: a line with dots for each series, axes with units, and a legend. Logarithmic
 * axes begin and end at the values, linear ones at 0.
 *
 * <p>Threads: confined.
 */
public final class LineChart {
    private static final double LEFT = 90;
    private static final double TOP = 70;
    private static final double WIDTH = 560;
    private static final double HEIGHT = 360;
    /** The least and the greatest width of the legend. */
    private static final double LEGEND = 260;

    private static final double MOST_LEGEND = 560;
    private static final double FOOT = 60;
    private static final double ENTRY = 20;
    /** Space around the values of a logarithmic axis, in decades. */
    private static final double RIM = 0.06;

    private static final int MOST_TICKS = 7;
    private static final List<String> COLOURS =
            List.of("#2f6fb0", "#d9822b", "#3d8f4d", "#a23b72", "#7b6fc4", "#c2a200", "#2a9d9a", "#6b7785");

    /**
     * An axis.
     *
     * @param label what it shows, with the unit
     * @param isLogarithmic true if equal distances are equal ratios
     */
    public record Axis(String label, boolean isLogarithmic) {}

    /**
     * A value.
     *
     * @param x above 0
     * @param y above 0
     */
    public record Point(double x, double y) {
        /**
         * A value.
         *
         * @throws IllegalArgumentException if a number is not finite and above 0
         */
        public Point {
            if (!(x > 0 && y > 0 && x + y < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("a chart has finite numbers above 0, not " + x + " and " + y);
            }
        }
    }

    private final String title;
    private final Axis across;
    private final Axis up;
    private final Map<String, List<Point>> series = new LinkedHashMap<>();

    /** An empty chart. */
    public LineChart(String title, Axis across, Axis up) {
        this.title = title;
        this.across = across;
        this.up = up;
    }

    /** Adds a point to a series, in any order; series stand in the order in which they were first named. */
    public LineChart point(String name, double x, double y) {
        series.computeIfAbsent(name, none -> new ArrayList<>()).add(new Point(x, y));
        return this;
    }

    /** The chart as SVG. */
    public String toSvg() {
        double widest = series.keySet().stream()
                .mapToDouble(name -> TextWidth.of(name, 12, false))
                .max()
                .orElse(0);
        double legend = Math.clamp(widest + 60, LEGEND, MOST_LEGEND);
        double height = Math.max(TOP + HEIGHT + FOOT, TOP + ENTRY * (series.size() + 1.0));
        SvgWriter svg = new SvgWriter(LEFT + WIDTH + legend, height);
        svg.text(LEFT, 34, "start", 16, true, title, WIDTH + legend - 20);
        List<Point> all = series.values().stream().flatMap(List::stream).toList();
        Scale x = scale(across, all.stream().map(Point::x).toList(), LEFT, LEFT + WIDTH);
        Scale y = scale(up, all.stream().map(Point::y).toList(), TOP + HEIGHT, TOP);
        for (double tick : x.ticks()) {
            svg.add("<path d=\"M%.1f %.1fV%.1f\" stroke=\"#e4e7eb\"/>", x.at(tick), TOP, TOP + HEIGHT);
            svg.text(x.at(tick), TOP + HEIGHT + 18, "middle", 11, false, label(tick));
        }
        for (double tick : y.ticks()) {
            svg.add("<path d=\"M%.1f %.1fH%.1f\" stroke=\"#e4e7eb\"/>", LEFT, y.at(tick), LEFT + WIDTH);
            svg.text(LEFT - 8, y.at(tick) + 4, "end", 11, false, label(tick));
        }
        svg.add(
                "<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"#7b8794\"/>\n",
                LEFT, TOP, TOP + HEIGHT, LEFT + WIDTH);
        svg.text(LEFT + WIDTH / 2, TOP + HEIGHT + 42, "middle", 12, false, across.label(), WIDTH);
        svg.text(LEFT - 60, TOP - 14, "start", 12, false, up.label(), WIDTH);
        int number = 0;
        for (Map.Entry<String, List<Point>> one : series.entrySet()) {
            draw(svg, one.getKey(), one.getValue(), number++, x, y);
        }
        return svg.finish();
    }

    private static void draw(SvgWriter svg, String name, List<Point> points, int number, Scale x, Scale y) {
        String colour = COLOURS.get(number % COLOURS.size());
        String dashes = number < COLOURS.size() ? "" : " stroke-dasharray=\"5 4\"";
        List<Point> sorted =
                points.stream().sorted(Comparator.comparingDouble(Point::x)).toList();
        StringBuilder path = new StringBuilder();
        for (Point point : sorted) {
            path.append(path.isEmpty() ? 'M' : 'L')
                    .append(String.format(Locale.ROOT, "%.1f %.1f", x.at(point.x()), y.at(point.y())));
        }
        svg.add("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", path, colour, dashes);
        for (Point point : sorted) {
            svg.add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\">", x.at(point.x()), y.at(point.y()), colour)
                    .tooltip(name + "\n" + label(point.x()) + ": " + label(point.y()))
                    .add("</circle>\n");
        }
        double at = TOP + 12 + ENTRY * number;
        double left = LEFT + WIDTH + 20;
        svg.add("<path d=\"M%.1f %.1fh24\" stroke=\"%s\" stroke-width=\"2\"%s/>", left, at - 4, colour, dashes);
        svg.text(left + 30, at, "start", 12, false, name, MOST_LEGEND - 60);
    }

    /**
     * Where values lie along an axis.
     *
     * @param low the value, or its logarithm, at {@code from}
     * @param high the value, or its logarithm, at {@code to}
     */
    private record Scale(boolean isLogarithmic, double low, double high, double from, double to, List<Double> ticks) {
        double at(double value) {
            double its = isLogarithmic ? Math.log10(value) : value;
            return from + (to - from) * (its - low) / (high - low);
        }
    }

    private static Scale scale(Axis axis, List<Double> values, double from, double to) {
        double least = values.stream().mapToDouble(value -> value).min().orElse(1);
        double most = values.stream().mapToDouble(value -> value).max().orElse(1);
        List<Double> ticks = new ArrayList<>();
        if (!axis.isLogarithmic()) {
            boolean areWhole = values.stream().allMatch(value -> value == Math.rint(value)); // counts of something
            double step = areWhole ? Math.max(1, stepOf(most)) : stepOf(most);
            for (int i = 0; i * step <= most * 1.0001; i++) {
                ticks.add(i * step);
            }
            return new Scale(false, 0, most * 1.05, from, to, ticks);
        }
        double low = Math.log10(least) - RIM;
        double high = Math.log10(most) + RIM;
        double[] parts = high - low > 3 ? new double[] {1} : new double[] {1, 2, 5};
        for (int decade = (int) Math.floor(low); decade <= high; decade++) {
            for (double part : parts) {
                double tick = part * Math.pow(10, decade);
                if (Math.log10(tick) >= low && Math.log10(tick) <= high) {
                    ticks.add(tick);
                }
            }
        }
        return new Scale(true, low, high, from, to, ticks);
    }

    /** Returns a step of 1, 2 or 5 times a power of ten that gives no more than {@link #MOST_TICKS} ticks. */
    private static double stepOf(double most) {
        double step = Math.pow(10, Math.floor(Math.log10(most)) - 1);
        for (int i = 0; most / step > MOST_TICKS; i++) {
            step *= i % 3 == 1 ? 2.5 : 2;
        }
        return step;
    }

    /** A number in three digits: "1.25", "16M". */
    private static String label(double value) {
        String[] units = {"", "k", "M", "G"};
        double its = value;
        int unit = 0;
        while (its >= 1_000 && unit + 1 < units.length) {
            its /= 1_000;
            unit++;
        }
        String digits = String.format(Locale.ROOT, its >= 100 ? "%.0f" : "%.3g", its);
        if (digits.contains(".") && !digits.contains("e")) {
            digits = digits.replaceAll("0+$", "").replaceAll("\\.$", "");
        }
        return (digits.isEmpty() || value == 0 ? "0" : digits) + units[unit];
    }
}

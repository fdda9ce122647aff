package dev.jacquard.flow.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A profile as a picture: tasks from left to right, coloured by their share of the compute time, memory edges dashed below.
 *
 * <p>Threads: confined.
 */
final class SvgDrawing {
    private static final int BOX_WIDTH = 196;
    private static final int BOX_HEIGHT = 96;
    private static final int END_WIDTH = 76;
    private static final int END_HEIGHT = 34;
    private static final int COLUMN = 276;
    private static final int GAP = 30;
    private static final int POINT_HEIGHT = 20;
    private static final int MARGIN = 28;
    private static final int HEAD = 84;
    private static final int MEMORY_WIDTH = 176;
    private static final int MEMORY_HEIGHT = 66;
    private static final int LONGEST_NAME = 22;

    private final FlowProfile profile;
    private final Layers layout;
    private final Map<String, FlowProfile.Task> tasks = new HashMap<>();
    private final StringBuilder svg = new StringBuilder();
    private double bottom;

    SvgDrawing(FlowProfile profile) {
        this.profile = profile;
        List<String> names = new ArrayList<>();
        profile.tasks().forEach(task -> tasks.put(task.name(), task));
        for (String end : List.of(FlowProfile.INPUT, FlowProfile.OUTPUT)) {
            if (profile.links().stream()
                    .anyMatch(link -> link.from().equals(end) || link.to().equals(end))) {
                names.add(end);
            }
        }
        profile.tasks().forEach(task -> names.add(task.name()));
        this.layout = new Layers(names, profile.links(), FlowProfile.OUTPUT);
    }

    String text() {
        place();
        boolean backward = layout.links().stream().anyMatch(Layers.Link::backward);
        double memoryTop = bottom + (backward ? 74 : 44);
        double height = profile.memories().isEmpty() ? memoryTop : memoryTop + MEMORY_HEIGHT + MARGIN;
        double width = Math.max(780, 2 * MARGIN + (layout.layers().size() - 1) * (double) COLUMN + BOX_WIDTH);
        open(width, height);
        layout.links().forEach(this::link);
        memories(memoryTop, width);
        for (List<Layers.Node> layer : layout.layers()) {
            layer.stream().filter(node -> !node.isPoint()).forEach(this::node);
        }
        layout.links().forEach(this::label);
        return svg.append("</svg>\n").toString();
    }

    // ---- where things are

    private void place() {
        double tallest = 0;
        for (List<Layers.Node> layer : layout.layers()) {
            tallest = Math.max(tallest, heightOf(layer));
        }
        for (List<Layers.Node> layer : layout.layers()) {
            double y = HEAD + (tallest - heightOf(layer)) / 2;
            for (Layers.Node node : layer) {
                node.x = MARGIN + node.layer * (double) COLUMN + BOX_WIDTH / 2.0;
                node.y = y + height(node) / 2.0;
                y += height(node) + GAP;
            }
        }
        bottom = HEAD + tallest;
    }

    private double heightOf(List<Layers.Node> layer) {
        return layer.stream().mapToDouble(this::height).sum() + (layer.size() - 1) * (double) GAP;
    }

    private int height(Layers.Node node) {
        return node.isPoint() ? POINT_HEIGHT : tasks.containsKey(node.name) ? BOX_HEIGHT : END_HEIGHT;
    }

    private int width(Layers.Node node) {
        return node.isPoint() ? 0 : tasks.containsKey(node.name) ? BOX_WIDTH : END_WIDTH;
    }

    // ---- the pieces

    private void open(double width, double height) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
                        + "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\" fill=\"#1f2933\">\n",
                width, height, width, height);
        add("<defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" "
                + "orient=\"auto\"><path d=\"M0 1L9 5L0 9z\" fill=\"#52606d\"/></marker>\n");
        add("<marker id=\"loan\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" "
                + "orient=\"auto\"><path d=\"M0 1L9 5L0 9z\" fill=\"#7b61a8\"/></marker>\n");
        add("<linearGradient id=\"impact\">");
        for (int step = 0; step <= 4; step++) {
            add("<stop offset=\"%d%%\" stop-color=\"%s\"/>", step * 25, Impact.colour(step / 4.0));
        }
        add("</linearGradient></defs>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n");
        text(MARGIN, 36, "start", 19, true, profile.graph());
        String how = profile.outcome().name().toLowerCase(Locale.ROOT) + ", "
                + Numbers.nanos(profile.elapsedNanos()) + " elapsed, " + Numbers.nanos(profile.computeNanos())
                + " compute";
        text(MARGIN, 57, "start", 12, false, how);
        legend(width - MARGIN);
    }

    private void legend(double right) {
        add(
                "<rect x=\"%.0f\" y=\"24\" width=\"150\" height=\"11\" rx=\"3\" fill=\"url(#impact)\" stroke=\"#9aa5b1\"/>\n",
                right - 150);
        text(right - 150, 49, "start", 11, false, "0 %");
        text(right, 49, "end", 11, false, "100 %");
        text(right - 75, 49, "middle", 11, false, "of compute");
        add(
                "<path d=\"M%.0f 30h30\" stroke=\"#52606d\" stroke-width=\"1.5\" marker-end=\"url(#tip)\"/>\n",
                right - 290);
        text(right - 252, 34, "start", 11, false, "items");
        add(
                "<path d=\"M%.0f 45h30\" stroke=\"#7b61a8\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\" "
                        + "marker-end=\"url(#loan)\"/>\n",
                right - 290);
        text(right - 252, 49, "start", 11, false, "buffers");
    }

    private void node(Layers.Node node) {
        FlowProfile.Task task = tasks.get(node.name);
        double left = node.x - width(node) / 2.0;
        double top = node.y - height(node) / 2.0;
        if (task == null) {
            add(
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"17\" fill=\"#323f4b\"/>\n",
                    left, top, END_WIDTH, END_HEIGHT);
            add("<g fill=\"#ffffff\">");
            text(node.x, node.y + 5, "middle", 13, true, node.name);
            add("</g>\n");
        } else {
            box(task, left, top);
        }
    }

    private void box(FlowProfile.Task task, double left, double top) {
        double share = profile.impact(task);
        add("<g><title>%s</title>", escaped(task.name()));
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\" stroke=\"#52606d\" "
                        + "stroke-width=\"%s\"/>\n",
                left,
                top,
                BOX_WIDTH,
                BOX_HEIGHT,
                task.bookkeeper() ? 26 : 7,
                Impact.colour(share),
                task.dedicated() ? "2.6" : "1.2");
        double inner = left + (task.bookkeeper() ? 18 : 12);
        double right = left + BOX_WIDTH - (task.bookkeeper() ? 18 : 12);
        text(inner, top + 22, "start", 14, true, shortened(task.name(), LONGEST_NAME - (task.copies() > 1 ? 4 : 0)));
        text(right, top + 22, "end", 12, false, task.copies() > 1 ? "× " + task.copies() : "");
        row(inner, right, top + 41, "compute", Numbers.nanos(task.computeNanos()) + "  " + Numbers.share(share));
        row(inner, right, top + 56, "wait", Numbers.nanos(task.waitNanos()));
        row(
                inner,
                right,
                top + 71,
                "items in, out",
                Numbers.count(task.itemsIn()) + ", " + Numbers.count(task.itemsOut()));
        row(
                inner,
                right,
                top + 86,
                "queue, most",
                Numbers.count(task.queued()) + ", " + Numbers.count(task.largestQueue())
                        + (task.activeProducers() > 0 ? "  ↤ " + task.activeProducers() : ""));
        add("</g>\n");
    }

    private void row(double left, double right, double y, String what, String value) {
        add("<g fill=\"#52606d\">");
        text(left, y, "start", 11, false, what);
        add("</g>");
        text(right, y, "end", 11, false, value);
    }

    private void link(Layers.Link link) {
        add("<path fill=\"none\" stroke=\"#52606d\" stroke-width=\"1.5\" marker-end=\"url(#tip)\" d=\"");
        if (link.backward()) {
            double low = bottom + 34;
            add("M%.1f %.1f", link.from().x + 20, link.from().y + height(link.from()) / 2.0);
            add(
                    "C%.1f %.1f %.1f %.1f %.1f %.1f",
                    link.from().x + 20,
                    low,
                    link.to().x - 20,
                    low,
                    link.to().x - 20,
                    link.to().y + height(link.to()) / 2.0 + 2);
        } else {
            double x = link.from().x + width(link.from()) / 2.0;
            double y = link.from().y;
            add("M%.1f %.1f", x, y);
            for (Layers.Node to : link.path().subList(1, link.path().size())) {
                double endX = to.isPoint() ? to.x - BOX_WIDTH / 2.0 : to.x - width(to) / 2.0 - 1;
                double bend = (endX - x) / 2;
                add("C%.1f %.1f %.1f %.1f %.1f %.1f", x + bend, y, endX - bend, to.y, endX, to.y);
                x = endX;
                y = to.y;
                if (to.isPoint()) {
                    x = to.x + BOX_WIDTH / 2.0;
                    add("H%.1f", x);
                }
            }
        }
        add("\"/>\n");
    }

    private void label(Layers.Link link) {
        if (link.backward()) {
            double y = (bottom + 34) * 0.75 + 0.125 * (link.from().y + link.to().y + height(link.from()));
            halo(
                    (link.from().x + link.to().x) / 2,
                    y - 5,
                    Numbers.count(link.flow().items()));
            return;
        }
        Layers.Node next = link.path().get(1);
        double from = link.from().x + width(link.from()) / 2.0;
        double to = next.isPoint() ? next.x - BOX_WIDTH / 2.0 : next.x - width(next) / 2.0;
        halo(
                (from + to) / 2,
                (link.from().y + next.y) / 2 - 6,
                Numbers.count(link.flow().items()));
    }

    private void memories(double top, double width) {
        int count = profile.memories().size();
        double previous = MARGIN - 20.0;
        for (int i = 0; i < count; i++) {
            FlowProfile.Memory memory = profile.memories().get(i);
            List<String> users = new ArrayList<>(memory.takers());
            users.addAll(memory.releasers());
            double wish = users.stream()
                    .mapToDouble(name -> layout.node(name).x)
                    .average()
                    .orElse(width / 2);
            double rest = (count - i - 1) * (MEMORY_WIDTH + 20.0);
            double left = Math.min(wish - MEMORY_WIDTH / 2.0, width - MARGIN - MEMORY_WIDTH - rest);
            left = Math.max(left, previous + 20);
            previous = left + MEMORY_WIDTH;
            memory(memory, left, top);
        }
    }

    private void memory(FlowProfile.Memory memory, double left, double top) {
        double middle = left + MEMORY_WIDTH / 2.0;
        for (String taker : memory.takers()) {
            Layers.Node node = layout.node(taker);
            loan(middle - 30, top, node.x - 30, node.y + BOX_HEIGHT / 2.0 + 1);
        }
        for (String releaser : memory.releasers()) {
            Layers.Node node = layout.node(releaser);
            loan(node.x + 30, node.y + BOX_HEIGHT / 2.0, middle + 30, top - 1);
        }
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"7\" fill=\"#f6f2fb\" stroke=\"#7b61a8\" "
                        + "stroke-dasharray=\"5 4\" stroke-width=\"1.4\"/>\n",
                left, top, MEMORY_WIDTH, MEMORY_HEIGHT);
        text(left + 12, top + 21, "start", 13, true, shortened(memory.name(), LONGEST_NAME));
        row(
                left + 12,
                left + MEMORY_WIDTH - 12,
                top + 39,
                "live, peak, pool",
                memory.live() + ", " + memory.peak() + ", " + memory.size());
        row(left + 12, left + MEMORY_WIDTH - 12, top + 54, "wait", Numbers.nanos(memory.waitNanos()));
    }

    private void loan(double fromX, double fromY, double toX, double toY) {
        double bend = (toY - fromY) / 2;
        add(
                "<path fill=\"none\" stroke=\"#7b61a8\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\" "
                        + "marker-end=\"url(#loan)\" d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\"/>\n",
                fromX, fromY, fromX, fromY + bend, toX, toY - bend, toX, toY);
    }

    // ---- text

    private void halo(double x, double y, String label) {
        add("<g stroke=\"#ffffff\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\">");
        text(x, y, "middle", 11, false, label);
        add("</g>");
    }

    private void text(double x, double y, String anchor, int size, boolean bold, String text) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\"%s>%s</text>\n",
                x, y, anchor, size, bold ? " font-weight=\"bold\"" : "", escaped(text));
    }

    private static String shortened(String name, int most) {
        return name.length() <= most ? name : name.substring(0, most - 1) + "…";
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.append(c < ' ' ? ' ' : c);
            }
        }
        return escaped.toString();
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }
}

package dev.jacquard.flow.report;

import dev.jacquard.drawing.Labels;
import dev.jacquard.drawing.LayeredLayout;
import dev.jacquard.drawing.SvgWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A profile as a picture: tasks from left to right, coloured by their share of the compute time, memory edges dashed
 * below.
 *
 * <p>Threads: confined.
 */
final class SvgDrawing {
    private static final int BOX_WIDTH = 196;
    private static final int BOX_HEIGHT = 126;
    private static final int ROW = 15;
    /** The colour of the bottleneck. */
    private static final String LIMIT = "#b42318";

    private static final int END_WIDTH = 76;
    private static final int END_HEIGHT = 34;
    private static final int COLUMN = 276;
    private static final int GAP = 30;
    private static final int POINT_HEIGHT = 20;
    private static final int MARGIN = 28;
    private static final int HEAD = 84;
    private static final int MEMORY_WIDTH = 176;
    private static final int MEMORY_HEIGHT = 66;
    /** Width of the legend in the upper right corner, with some space. */
    private static final int LEGEND = 310;

    private final FlowProfile profile;
    private final List<String> names = new ArrayList<>();
    private final Map<String, FlowProfile.Task> tasks = new HashMap<>();
    private final Map<String, PipelineBalance> pipelines = new HashMap<>();
    private final LayeredLayout layout;
    private final SvgWriter svg;
    private final double width;
    private final double bottom;
    private final double memoryTop;
    /** The task that limits the throughput; null if no item was worked on. */
    private final FlowProfile.@Nullable Bottleneck bottleneck;

    SvgDrawing(FlowProfile profile) {
        this.profile = profile;
        this.bottleneck = profile.bottleneck().orElse(null);
        profile.tasks().forEach(task -> tasks.put(task.name(), task));
        profile.pipelines().forEach(pipeline -> pipelines.put(pipeline.name(), pipeline));
        for (String end : List.of(FlowProfile.INPUT, FlowProfile.OUTPUT)) {
            if (profile.links().stream()
                    .anyMatch(link -> link.from().equals(end) || link.to().equals(end))) {
                names.add(end);
            }
        }
        profile.tasks().forEach(task -> names.add(task.name()));
        this.layout = new LayeredLayout(
                names.stream().mapToDouble(this::heightOf).toArray(),
                profile.links().stream()
                        .map(link -> new LayeredLayout.Link(indexOf(link.from()), indexOf(link.to())))
                        .toList(),
                names.indexOf(FlowProfile.OUTPUT),
                new LayeredLayout.Spacing(GAP, POINT_HEIGHT));
        boolean backward = layout.routes().stream().anyMatch(LayeredLayout.Route::backward);
        this.bottom = HEAD + layout.extent();
        this.memoryTop = bottom + (backward ? 74 : 44);
        this.width = Math.max(780, 2 * MARGIN + (layout.layers().size() - 1) * (double) COLUMN + BOX_WIDTH);
        this.svg = new SvgWriter(width, profile.memories().isEmpty() ? memoryTop : memoryTop + memoryHeight() + MARGIN);
    }

    String text() {
        head();
        layout.routes().forEach(this::link);
        memories();
        for (int node = 0; node < names.size(); node++) {
            node(node);
        }
        for (int link = 0; link < profile.links().size(); link++) {
            label(layout.routes().get(link), ProfileText.label(profile.links().get(link)));
        }
        return svg.finish();
    }

    // ---- where things are

    private int indexOf(String name) {
        int index = names.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("a link leads to \"" + name + "\", which is no node");
        }
        return index;
    }

    private int heightOf(String name) {
        FlowProfile.Task task = tasks.get(name);
        return task == null ? END_HEIGHT : boxHeight(task);
    }

    private double x(String name) {
        return x(layout.place(indexOf(name)));
    }

    private static double x(LayeredLayout.Place place) {
        return MARGIN + place.layer() * (double) COLUMN + BOX_WIDTH / 2.0;
    }

    private double y(String name) {
        return y(layout.place(indexOf(name)));
    }

    private static double y(LayeredLayout.Place place) {
        return HEAD + place.across();
    }

    private int height(LayeredLayout.Place place) {
        return place.isPoint() ? POINT_HEIGHT : heightOf(names.get(place.node()));
    }

    private int width(LayeredLayout.Place place) {
        return place.isPoint() ? 0 : tasks.containsKey(names.get(place.node())) ? BOX_WIDTH : END_WIDTH;
    }

    // ---- the pieces

    private void head() {
        svg.add("<defs>")
                .arrowHead("tip", 12, "#52606d")
                .arrowHead("loan", 11, "#7b61a8")
                .add("<linearGradient id=\"impact\">");
        for (int step = 0; step <= 4; step++) {
            svg.add("<stop offset=\"%d%%\" stop-color=\"%s\"/>", step * 25, Impact.colour(step / 4.0));
        }
        svg.add("</linearGradient></defs>\n");
        double room = width - 2 * MARGIN - LEGEND;
        svg.text(MARGIN, 36, "start", 19, true, profile.graph(), room);
        String how = profile.outcome().name().toLowerCase(Locale.ROOT) + ", "
                + Labels.nanos(profile.elapsedNanos()) + " elapsed, " + Labels.nanos(profile.computeNanos())
                + " compute";
        svg.text(MARGIN, 57, "start", 12, false, how, room);
        legend(width - MARGIN);
    }

    private void legend(double right) {
        svg.add(
                "<rect x=\"%.0f\" y=\"24\" width=\"150\" height=\"11\" rx=\"3\" fill=\"url(#impact)\""
                        + " stroke=\"#9aa5b1\"/>\n",
                right - 150);
        svg.text(right - 150, 49, "start", 11, false, "0 %");
        svg.text(right, 49, "end", 11, false, "100 %");
        svg.text(right - 75, 49, "middle", 11, false, "of compute");
        svg.add(
                "<path d=\"M%.0f 30h30\" stroke=\"#52606d\" stroke-width=\"1.5\" marker-end=\"url(#tip)\"/>\n",
                right - 290);
        svg.text(right - 252, 34, "start", 11, false, "items");
        svg.add(
                "<path d=\"M%.0f 45h30\" stroke=\"#7b61a8\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\" "
                        + "marker-end=\"url(#loan)\"/>\n",
                right - 290);
        svg.text(right - 252, 49, "start", 11, false, "buffers");
    }

    private void node(int node) {
        LayeredLayout.Place place = layout.place(node);
        FlowProfile.Task task = tasks.get(names.get(node));
        double left = x(place) - width(place) / 2.0;
        double top = y(place) - height(place) / 2.0;
        if (task == null) {
            svg.add(
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"17\" fill=\"#323f4b\"/>\n",
                    left, top, END_WIDTH, END_HEIGHT);
            svg.add("<g fill=\"#ffffff\">");
            svg.text(x(place), y(place) + 5, "middle", 13, true, names.get(node));
            svg.add("</g>\n");
        } else {
            box(task, left, top);
        }
    }

    private void box(FlowProfile.Task task, double left, double top) {
        double share = profile.impact(task);
        PipelineBalance pipeline = pipelines.get(task.name());
        boolean limits = isBottleneck(task);
        svg.add(
                "<g><title>%s</title>",
                SvgWriter.escaped(pipeline == null ? ProfileText.of(task) : pipeline.toString()));
        svg.add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\" stroke=\"%s\" "
                        + "stroke-width=\"%s\"/>\n",
                left,
                top,
                BOX_WIDTH,
                boxHeight(task),
                task.bookkeeper() ? 26 : 7,
                Impact.colour(share),
                limits ? LIMIT : "#52606d",
                limits ? "3.4" : task.dedicated() ? "2.6" : "1.2");
        double inner = left + (task.bookkeeper() ? 18 : 12);
        double right = left + BOX_WIDTH - (task.bookkeeper() ? 18 : 12);
        String copies = task.copies().size() > 1 ? "× " + task.copies().size() : "";
        double room = right - inner - (copies.isEmpty() ? 0 : SvgWriter.width("  " + copies, 12, false));
        svg.text(inner, top + 22, "start", 14, true, task.name(), room);
        svg.text(right, top + 22, "end", 12, false, copies);
        row(inner, right, top + 41, "compute", Labels.nanos(task.computeNanos()) + ", " + Labels.share(share));
        row(inner, right, top + 56, "wait", Labels.nanos(task.waitNanos()));
        row(inner, right, top + 71, "lock", Labels.nanos(task.lockNanos()));
        row(inner, right, top + 86, "memory wait", Labels.nanos(task.memoryWaitNanos()));
        row(
                inner,
                right,
                top + 101,
                "items in, out",
                Labels.count(task.itemsIn()) + ", " + Labels.count(task.itemsOut()));
        row(
                inner,
                right,
                top + 116,
                "queue, most",
                Labels.count(task.queued()) + ", " + Labels.count(task.largestQueue())
                        + (task.activeProducers() > 0 ? "  ↤ " + task.activeProducers() : ""));
        more(task, inner, right, top + BOX_HEIGHT - 10);
        if (limits && bottleneck != null) {
            svg.add("<g fill=\"" + LIMIT + "\">");
            String figures = ProfileText.rate(bottleneck.itemsPerSecond()) + " items/s";
            double y = top + boxHeight(task) - 10;
            svg.text(inner, y, "start", 11, true, "bottleneck");
            svg.text(right, y, "end", 11, true, figures);
            svg.add("</g>");
        }
        svg.add("</g>\n");
    }

    /** Adds the rows of engine tasks, or of the copies of a pipeline, below {@code last}. */
    private void more(FlowProfile.Task task, double inner, double right, double last) {
        PipelineBalance pipeline = pipelines.get(task.name());
        if (task.submits()) {
            row(inner, right, last + ROW, "data on its way", Labels.nanos(task.stagingNanos()));
            int devices = task.devices().size();
            String where = devices == 0
                    ? "in engine tasks"
                    : "on " + (devices == 1 ? task.devices().getFirst() : devices + " devices");
            row(inner, right, last + 2 * ROW, where, Labels.nanos(task.runningNanos()));
        } else if (pipeline != null) {
            int number = pipeline.copies().size();
            row(inner, right, last + ROW, "copies, balance", number + ", " + Labels.share(pipeline.balance()));
            long most = pipeline.copies().stream()
                    .mapToLong(PipelineBalance.Copy::busyNanos)
                    .max()
                    .orElse(0);
            row(inner, right, last + 2 * ROW, "busiest copy", Labels.nanos(most));
        }
    }

    private boolean isBottleneck(FlowProfile.Task task) {
        return bottleneck != null && bottleneck.task().equals(task.name());
    }

    private int boxHeight(FlowProfile.Task task) {
        return BOX_HEIGHT
                + (task.submits() || pipelines.containsKey(task.name()) ? 2 * ROW : 0)
                + (isBottleneck(task) ? ROW : 0);
    }

    private void row(double left, double right, double y, String what, String value) {
        svg.add("<g fill=\"#52606d\">");
        svg.text(left, y, "start", 11, false, what, right - left - SvgWriter.width(value, 11, false) - 6);
        svg.add("</g>");
        svg.text(right, y, "end", 11, false, value);
    }

    private void link(LayeredLayout.Route route) {
        svg.add("<path fill=\"none\" stroke=\"#52606d\" stroke-width=\"1.5\" marker-end=\"url(#tip)\" d=\"");
        if (route.backward()) {
            double low = bottom + 34;
            double fromX = x(route.from()) + 20;
            double toX = x(route.to()) - 20;
            svg.add("M%.1f %.1f", fromX, y(route.from()) + height(route.from()) / 2.0);
            svg.add(
                    "C%.1f %.1f %.1f %.1f %.1f %.1f",
                    fromX, low, toX, low, toX, y(route.to()) + height(route.to()) / 2.0 + 2);
        } else {
            double x = x(route.from()) + width(route.from()) / 2.0;
            double y = y(route.from());
            svg.add("M%.1f %.1f", x, y);
            for (LayeredLayout.Place to :
                    route.places().subList(1, route.places().size())) {
                double endX = entry(to);
                double bend = (endX - x) / 2;
                svg.add("C%.1f %.1f %.1f %.1f %.1f %.1f", x + bend, y, endX - bend, y(to), endX, y(to));
                x = endX;
                y = y(to);
                if (to.isPoint()) {
                    x = x(to) + BOX_WIDTH / 2.0;
                    svg.add("H%.1f", x);
                }
            }
        }
        svg.add("\"/>\n");
    }

    /** Returns the horizontal position at which a link enters {@code place} from the left. */
    private double entry(LayeredLayout.Place place) {
        return place.isPoint() ? x(place) - BOX_WIDTH / 2.0 : x(place) - width(place) / 2.0 - 1;
    }

    private void label(LayeredLayout.Route route, String items) {
        LayeredLayout.Place from = route.from();
        if (route.backward()) {
            double y = (bottom + 34) * 0.75 + 0.125 * (y(from) + y(route.to()) + height(from));
            svg.halo((x(from) + x(route.to())) / 2, y - 5, items);
            return;
        }
        LayeredLayout.Place next = route.places().get(1);
        double right = x(from) + width(from) / 2.0;
        svg.halo((right + entry(next)) / 2, (y(from) + y(next)) / 2 - 6, items);
    }

    private double memoryHeight() {
        return profile.memories().stream()
                .mapToDouble(SvgDrawing::boxHeight)
                .max()
                .orElse(0);
    }

    private static double boxHeight(FlowProfile.Memory memory) {
        return memory.limitBytes() > 0 ? MEMORY_HEIGHT + 15 : MEMORY_HEIGHT;
    }

    private void memories() {
        int count = profile.memories().size();
        double previous = MARGIN - 20.0;
        for (int i = 0; i < count; i++) {
            FlowProfile.Memory memory = profile.memories().get(i);
            List<String> users = new ArrayList<>(memory.takers());
            users.addAll(memory.releasers());
            double wish = users.stream().mapToDouble(this::x).average().orElse(width / 2);
            double rest = (count - i - 1) * (MEMORY_WIDTH + 20.0);
            double left = Math.min(wish - MEMORY_WIDTH / 2.0, width - MARGIN - MEMORY_WIDTH - rest);
            left = Math.max(left, previous + 20);
            previous = left + MEMORY_WIDTH;
            memory(memory, left, memoryTop);
        }
    }

    private void memory(FlowProfile.Memory memory, double left, double top) {
        double middle = left + MEMORY_WIDTH / 2.0;
        for (String taker : memory.takers()) {
            loan(middle - 30, top, x(taker) - 30, y(taker) + heightOf(taker) / 2.0 + 1);
        }
        for (String releaser : memory.releasers()) {
            loan(x(releaser) + 30, y(releaser) + heightOf(releaser) / 2.0, middle + 30, top - 1);
        }
        svg.add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.0f\" rx=\"7\" fill=\"#f6f2fb\" stroke=\"#7b61a8\" "
                        + "stroke-dasharray=\"5 4\" stroke-width=\"1.4\"/>\n",
                left, top, MEMORY_WIDTH, boxHeight(memory));
        svg.text(left + 12, top + 21, "start", 13, true, memory.name(), MEMORY_WIDTH - 24);
        row(
                left + 12,
                left + MEMORY_WIDTH - 12,
                top + 39,
                "live, peak, pool",
                memory.live() + ", " + memory.peak() + ", " + memory.size());
        boolean loads = memory.loads() > 0;
        row(
                left + 12,
                left + MEMORY_WIDTH - 12,
                top + 54,
                loads ? "wait, loads" : "wait",
                Labels.nanos(memory.waitNanos()) + (loads ? ", " + memory.loads() : ""));
        if (memory.limitBytes() > 0) {
            row(
                    left + 12,
                    left + MEMORY_WIDTH - 12,
                    top + 69,
                    "peak, limit in bytes",
                    Labels.count(memory.peakBytes()) + ", " + Labels.count(memory.limitBytes()));
        }
    }

    private void loan(double fromX, double fromY, double toX, double toY) {
        double bend = (toY - fromY) / 2;
        svg.add(
                "<path fill=\"none\" stroke=\"#7b61a8\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\" "
                        + "marker-end=\"url(#loan)\" d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\"/>\n",
                fromX, fromY, fromX, fromY + bend, toX, toY - bend, toX, toY);
    }
}

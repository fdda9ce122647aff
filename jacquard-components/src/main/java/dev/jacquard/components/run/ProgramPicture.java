package dev.jacquard.components.run;

import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Loop;
import dev.jacquard.components.mesh.Plan.Part;
import dev.jacquard.components.mesh.Plan.Wire;
import dev.jacquard.drawing.Labels;
import dev.jacquard.drawing.LayeredLayout;
import dev.jacquard.drawing.LayeredLayout.Link;
import dev.jacquard.drawing.LayeredLayout.Place;
import dev.jacquard.drawing.LayeredLayout.Route;
import dev.jacquard.drawing.SvgWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A program as a picture: components from left to right with their sinks and sources, wires, those that close loops
 * below in the colour of their loop, which marks the components in it too. After a run the boxes are coloured by their
 * share of the time.
 *
 * <p>Threads: confined.
 */
final class ProgramPicture {
    private static final int BOX_WIDTH = 190;
    private static final int COLUMN = 270;
    private static final int GAP = 26;
    private static final int POINT_HEIGHT = 16;
    private static final int TITLE = 44;
    private static final int ROW = 17;
    private static final int MARGIN = 44;
    private static final int HEAD = 76;
    private static final int LANE = 14;
    private static final int BAR = 6;
    private static final int INSIDE = BOX_WIDTH - 20;
    private static final String START = "#323f4b";
    private static final List<String> COLOURS =
            List.of("#2f6fb5", "#b5482f", "#3b8f4e", "#8a4fa8", "#b08a1e", "#2f9c9c", "#a83a6b", "#5a6b7a");

    private final String title;
    private final Plan plan;
    private final @Nullable OpenedParts ran;
    private final Passes passes;
    private final LayeredLayout layout;
    private final double bottom;
    private final double width;
    private final SvgWriter svg;
    private final double nanos;

    /**
     * A picture.
     *
     * @param ran the parts after a run; null before
     * @param passes of that run
     */
    ProgramPicture(String title, Plan plan, @Nullable OpenedParts ran, Passes passes) {
        this.title = title;
        this.plan = plan;
        this.ran = ran;
        this.passes = passes;
        double[] heights = plan.parts().stream().mapToDouble(this::height).toArray();
        List<Link> links = plan.wires().stream()
                .filter(wire -> !wire.isAgain())
                .map(wire -> new Link(wire.from(), wire.to()))
                .toList();
        layout = new LayeredLayout(heights, links, -1, new LayeredLayout.Spacing(GAP, POINT_HEIGHT));
        bottom = HEAD + layout.extent() + GAP;
        width = Math.max(640, 2 * MARGIN + (layout.layers().size() - 1) * (double) COLUMN + BOX_WIDTH);
        double loops = plan.loops().size();
        svg = new SvgWriter(width, bottom + loops * (LANE + ROW) + ROW + MARGIN);
        double sum = 0;
        for (int i = 0; ran != null && i < ran.size(); i++) {
            sum += ran.get(i).nanos();
        }
        nanos = sum;
    }

    /** Returns the picture as an SVG document. */
    String text() {
        svg.add("<defs>").arrowHead("tip", 11, "#52606d");
        for (int loop = 0; loop < plan.loops().size(); loop++) {
            svg.arrowHead("tip" + loop, 11, colour(loop));
        }
        svg.add("</defs>\n");
        svg.text(MARGIN, 34, "start", 19, true, title, width - 2 * MARGIN);
        String what = Labels.count(plan.parts().size(), "component") + ", "
                + Labels.count(plan.wires().size(), "wire") + ", "
                + Labels.count(plan.loops().size(), "loop")
                + (ran == null ? "" : "; the darker, the larger its share of " + Labels.nanos((long) nanos));
        svg.text(MARGIN, 55, "start", 12, false, what, width - 2 * MARGIN);
        List<Wire> forward =
                plan.wires().stream().filter(wire -> !wire.isAgain()).toList();
        for (int i = 0; i < forward.size(); i++) {
            wire(forward.get(i), layout.routes().get(i));
        }
        plan.wires().stream().filter(Wire::isAgain).forEach(this::again);
        for (int part = 0; part < plan.parts().size(); part++) {
            box(part);
        }
        legend();
        return svg.finish();
    }

    private double height(Part part) {
        int rows = Math.max(part.sinks().size(), part.sources().size());
        return TITLE + (double) ROW * (rows + (ran == null ? 0 : 1)) + 6;
    }

    private double left(Place place) {
        return MARGIN + place.layer() * (double) COLUMN;
    }

    private double top(int part) {
        return HEAD + layout.place(part).across() - height(plan.parts().get(part)) / 2;
    }

    private double sinkY(int part, Sink<?> sink) {
        return top(part) + TITLE + ROW * (double) plan.parts().get(part).sinks().indexOf(sink);
    }

    private double sourceY(int part, Source<?> source) {
        return top(part)
                + TITLE
                + ROW * (double) plan.parts().get(part).sources().indexOf(source);
    }

    private void wire(Wire wire, Route route) {
        double x = left(route.from()) + BOX_WIDTH;
        double y = sourceY(wire.from(), wire.source());
        svg.add("<g><title>%s</title>", SvgWriter.escaped(described(wire)));
        svg.add(
                "<path fill=\"none\" stroke=\"#52606d\" stroke-width=\"1.4\" marker-end=\"url(#tip)\" d=\"M%.1f %.1f",
                x, y);
        for (Place to : route.places().subList(1, route.places().size())) {
            double endX = left(to);
            double endY = to.isPoint() ? HEAD + to.across() : sinkY(wire.to(), wire.sink());
            double bend = (endX - x) / 2;
            svg.add("C%.1f %.1f %.1f %.1f %.1f %.1f", x + bend, y, endX - bend, endY, endX, endY);
            x = endX;
            y = endY;
            if (to.isPoint()) {
                x += BOX_WIDTH;
                svg.add("H%.1f", x);
            }
        }
        svg.add("\"/></g>\n");
    }

    private String described(Wire wire) {
        return plan.parts().get(wire.from()).name(wire.source()) + " to "
                + plan.parts().get(wire.to()).name(wire.sink()) + ": "
                + wire.source().type();
    }

    private void again(Wire wire) {
        int number = 0;
        while (plan.loops().get(number).exit() != wire.from()) {
            number++;
        }
        double low = bottom + (plan.loops().size() - 1 - number) * (double) LANE; // inner loops are numbered later
        double fromX = left(layout.place(wire.from())) + BOX_WIDTH;
        double fromY = sourceY(wire.from(), wire.source());
        double toX = left(layout.place(wire.to()));
        double toY = sinkY(wire.to(), wire.sink());
        svg.add("<g><title>%s</title>", SvgWriter.escaped(described(wire)));
        svg.add(
                "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-dasharray=\"6 4\""
                        + " marker-end=\"url(#tip%d)\" d=\"M%.1f %.1f",
                colour(number), number, fromX, fromY);
        svg.add("C%.1f %.1f %.1f %.1f %.1f %.1f", fromX + 36, fromY, fromX + 36, low, fromX, low);
        svg.add("H%.1f", toX);
        svg.add("C%.1f %.1f %.1f %.1f %.1f %.1f", toX - 36, low, toX - 36, toY, toX, toY);
        svg.add("\"/></g>\n");
    }

    private static String colour(int loop) {
        return COLOURS.get(loop % COLOURS.size());
    }

    private void box(int number) {
        Part part = plan.parts().get(number);
        double x = left(layout.place(number));
        double y = top(number);
        OpenedPart its = ran == null ? null : ran.get(number);
        double share = its == null || nanos == 0 ? 0 : its.nanos() / nanos;
        svg.add("<g><title>%s</title>", SvgWriter.escaped(part.name() + " (" + part.component() + ")"));
        svg.add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" rx=\"6\" fill=\"%s\" stroke=\"#52606d\"/>\n",
                x, y, BOX_WIDTH, height(part), shade(share));
        int bars = 0;
        for (int loop = 0; loop < plan.loops().size(); loop++) {
            if (plan.loops().get(loop).parts().contains(number)) {
                svg.add(
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"4\" fill=\"%s\"/>\n",
                        x + 10 + bars * 20.0, y - 2, 16, colour(loop));
                bars++;
            }
        }
        svg.text(x + 10, y + 17, "start", 13, true, part.name(), INSIDE);
        svg.add("<g fill=\"#52606d\">");
        svg.text(x + 10, y + 31, "start", 11, false, part.component(), INSIDE);
        for (int row = 0; row < Math.max(part.sinks().size(), part.sources().size()); row++) {
            sockets(part, row, x, y + TITLE + ROW * (double) row + 4);
        }
        if (its != null) {
            String what = Labels.count(its.executions()) + " × " + Labels.nanos(mean(its)) + ", " + Labels.share(share);
            svg.text(x + 10, y + height(part) - BAR, "start", 11, false, what, INSIDE);
        }
        svg.add("</g>");
        if (isStart(number)) {
            start(x, y + 14);
        }
        svg.add("</g>\n");
    }

    /**
     * Writes the names of a row: a sink and a source share it, and the longer name has the room that the other leaves.
     */
    private void sockets(Part part, int row, double x, double y) {
        String sink = row < part.sinks().size() ? part.sinks().get(row).name() : "";
        String source = row < part.sources().size() ? part.sources().get(row).name() : "";
        double sinkRoom = Math.max(INSIDE / 2.0, INSIDE - SvgWriter.width(source, 11, false)) - 4;
        double sourceRoom = Math.max(INSIDE / 2.0, INSIDE - SvgWriter.width(sink, 11, false)) - 4;
        svg.text(x + 8, y, "start", 11, false, sink, sinkRoom);
        svg.text(x + BOX_WIDTH - 8, y, "end", 11, false, source, sourceRoom);
    }

    /** Returns true if a component waits for no other. */
    private boolean isStart(int part) {
        return plan.wires().stream().noneMatch(wire -> wire.to() == part && !wire.isAgain());
    }

    private void start(double x, double y) {
        svg.add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", x, y, START);
    }

    private static long mean(OpenedPart part) {
        return part.executions() == 0 ? 0 : part.nanos() / part.executions();
    }

    /** Returns a colour between white and orange. */
    private static String shade(double share) {
        long green = Math.round(255 - 82 * share);
        long blue = Math.round(250 - 165 * share);
        return String.format(Locale.ROOT, "#ff%02x%02x", green, blue);
    }

    private void legend() {
        double y = bottom + plan.loops().size() * (double) LANE + ROW;
        for (int number = 0; number < plan.loops().size(); number++) {
            Loop loop = plan.loops().get(number);
            String what = "loop from " + plan.parts().get(loop.entry()).name() + " to "
                    + plan.parts().get(loop.exit()).name();
            if (ran != null) {
                List<Long> all = passes.of(number);
                long sum = all.stream().mapToLong(Long::longValue).sum();
                what += ", entered " + Labels.count(all.size(), "time") + ", " + Labels.count(sum)
                        + (sum == 1 ? " pass" : " passes");
            }
            svg.add(
                    "<rect x=\"%d\" y=\"%.1f\" width=\"16\" height=\"4\" fill=\"%s\"/>\n",
                    MARGIN, y - 6, colour(number));
            svg.text(MARGIN + 24.0, y, "start", 12, false, what, width - 2 * MARGIN - 24);
            y += ROW;
        }
        start(MARGIN + 8.0, y - 4);
        svg.text(MARGIN + 24.0, y, "start", 12, false, "waits for no other component");
    }
}

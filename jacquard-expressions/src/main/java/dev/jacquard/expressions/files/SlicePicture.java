package dev.jacquard.expressions.files;

import dev.jacquard.drawing.Raster;
import dev.jacquard.drawing.Ticks;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.files.Slice.Range;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A picture of a slice: the points in a frame, with the name of the field and the time above, the ends of both axes,
 * and a colour bar with its ticks; or the points alone. All pictures of an animation have one size.
 *
 * <p>Threads: immutable.
 */
final class SlicePicture {
    private static final String AXES = "xyz";
    /** Characters of the longest text below a picture. */
    private static final int FOOT_CHARACTERS = 36;

    private static final int TIME_CHARACTERS = 14;
    private static final int NAME_CHARACTERS = 40;
    /** Pixels of a picture's longer side for each dot of a glyph. */
    private static final double SIDE_PER_DOT = 300;

    private final SlicePixels points;
    private final Range range;
    private final boolean tellsValues;
    private final List<Ticks.Tick> ticks;
    /** Pixels of a dot of a glyph. */
    private final int dot;

    private final String title;
    private final String[] acrossEnds;
    private final String[] upEnds;
    private final int left;
    private final int top;
    private final int barLeft;
    private final int barRows;
    private final int columns;
    private final int rows;

    /**
     * The layout of pictures.
     *
     * @param finite the least and the greatest value of the first picture; null if there is none
     * @param isAnimated true if there are more pictures, which have the range of colours of the first
     */
    SlicePicture(SlicePixels points, @Nullable Range finite, boolean isAnimated) {
        this.points = points;
        this.range = points.range(finite);
        Slice slice = points.slice;
        this.tellsValues = slice.range() != null || slice.colours().isDiverging() || isAnimated;
        this.dot = (int) Math.max(2, Math.round(Math.max(points.columns(), points.rows()) / SIDE_PER_DOT));
        this.title = title();
        this.acrossEnds = ends(points.across);
        this.upEnds = ends(points.up);
        int line = Raster.LINE * dot;
        int pad = 6 * dot;
        this.barRows = Math.max(points.rows(), 6 * line);
        this.ticks = finite == null && slice.range() == null
                ? List.of()
                : Ticks.of(range.low(), range.high(), 1.5 * line / barRows);
        if (slice.isPlain()) {
            left = 0;
            top = 0;
            barLeft = 0;
            columns = points.columns();
            rows = points.rows();
            return;
        }
        this.left = pad + widest(List.of(upEnds)) + (upEnds.length == 0 ? 0 : 3 * dot);
        this.top = pad + line + 2 * dot;
        this.barLeft = left + points.columns() + 8 * dot;
        int labels = widest(ticks.stream().map(Ticks.Tick::text).toList());
        int texts = Math.max(FOOT_CHARACTERS, Math.min(title.length(), NAME_CHARACTERS) + TIME_CHARACTERS);
        this.columns = Math.max(barLeft + 14 * dot + labels, left + Raster.width("0".repeat(texts), dot)) + pad;
        int bottom = Math.max(points.rows() + 7 * dot + line, barRows + 9 * dot);
        this.rows = top + bottom + line * (tellsValues ? 2 : 1) + pad / 2;
    }

    int columns() {
        return columns;
    }

    int rows() {
        return rows;
    }

    private String title() {
        Grid grid = points.field.grid();
        int axis = points.slice.axis();
        String name = points.field.name();
        return grid.points(points.field.centring(), axis) == 1
                ? name
                : name + ", " + AXES.charAt(axis) + " = "
                        + Ticks.text(
                                grid.coordinate(points.field.centring(), axis, points.slice.index()),
                                grid.spacing(axis) / 100);
    }

    /** Returns the coordinates of both edges of the picture along an axis, and its name; nothing for one point. */
    private String[] ends(int axis) {
        Grid grid = points.field.grid();
        int count = grid.points(points.field.centring(), axis);
        if (count == 1) {
            return new String[0];
        }
        double half = grid.spacing(axis) / 2;
        double low = grid.coordinate(points.field.centring(), axis, 0) - half;
        double high = grid.coordinate(points.field.centring(), axis, count - 1) + half;
        double error = (high - low) / 1_000;
        return new String[] {
            Ticks.text(Math.abs(low) < error / 1_000 ? 0 : low, error),
            Ticks.text(high, error),
            AXES.substring(axis, axis + 1)
        };
    }

    private int widest(List<String> texts) {
        return texts.stream().mapToInt(text -> Raster.width(text, dot)).max().orElse(0);
    }

    /**
     * Returns the pixels of a picture.
     *
     * @param time the time of the values; NaN if it is not known
     */
    byte[] pixels(FieldMemory values, double time) {
        Raster raster = new Raster(columns, rows, ColourMap.PAPER);
        boolean hasNan = points.draw(values, range, raster, left, top);
        if (!points.slice.isPlain()) {
            raster.rim(left, top, points.columns(), points.rows(), dot / 2, ColourMap.INK);
            axes(raster);
            bar(raster);
            head(raster, time);
            foot(raster, points.finite(values), hasNan);
        }
        return raster.pixels();
    }

    private void head(Raster raster, double time) {
        int pad = 6 * dot;
        String when = Double.isNaN(time) ? "" : "t = " + Ticks.text(time, Math.abs(time) / 5_000);
        int right = columns - pad - Raster.width(when, dot);
        write(raster, Raster.shortened(title, right - left - pad, dot), left, pad);
        write(raster, when, right, pad);
    }

    private void axes(Raster raster) {
        int right = left + points.columns();
        int bottom = top + points.rows();
        if (acrossEnds.length > 0) {
            int below = bottom + 4 * dot;
            int space = Raster.width(acrossEnds[0] + acrossEnds[1] + "  x  ", dot);
            if (space <= points.columns()) {
                write(raster, acrossEnds[0], left, below);
                write(raster, acrossEnds[1], right - Raster.width(acrossEnds[1], dot), below);
            }
            write(raster, acrossEnds[2], (left + right - Raster.width("x", dot)) / 2, below);
        }
        if (upEnds.length > 0) {
            int edge = left - 4 * dot;
            int height = Raster.CAPITAL * dot;
            if (points.rows() >= 5 * height) {
                write(raster, upEnds[1], edge - Raster.width(upEnds[1], dot), top);
                write(raster, upEnds[0], edge - Raster.width(upEnds[0], dot), bottom - height);
            }
            write(raster, upEnds[2], edge - Raster.width("x", dot), (top + bottom - height) / 2);
        }
    }

    private void bar(Raster raster) {
        int width = 8 * dot;
        for (int y = 0; y < barRows; y++) {
            double share = 1 - (y + 0.5) / barRows;
            boolean isOneValue = range.low() == range.high();
            int colour = isOneValue ? ColourMap.COLOURS / 2 : (int) (share * ColourMap.COLOURS);
            raster.fill(barLeft, top + y, width, 1, colour);
        }
        raster.rim(barLeft, top, width, barRows, dot / 2, ColourMap.INK);
        for (Ticks.Tick tick : ticks) {
            int y = top + (int) Math.round((1 - tick.share()) * (barRows - 1));
            raster.fill(barLeft + width, y - dot / 4, 2 * dot, Math.max(1, dot / 2), ColourMap.INK);
            write(raster, tick.text(), barLeft + width + 4 * dot, y - Raster.CAPITAL * dot / 2);
        }
    }

    private void foot(Raster raster, @Nullable Range finite, boolean hasNan) {
        int y = rows - (3 + Raster.LINE) * dot;
        String colours = points.slice.colours() + (hasNan ? ", red: NaN" : "");
        below(raster, colours + (finite == null ? ", no finite value" : ""), y);
        if (tellsValues && finite != null) {
            double width = finite.high() / 2 - finite.low() / 2;
            double error = width > 0 ? width / 50 : Math.abs(finite.high()) / 5_000;
            String low = Ticks.text(finite.low(), error);
            below(raster, "from " + low + " to " + Ticks.text(finite.high(), error), y - Raster.LINE * dot);
        }
    }

    private void below(Raster raster, String text, int y) {
        write(raster, Raster.shortened(text, columns - left - 6 * dot, dot), left, y);
    }

    private void write(Raster raster, String text, int x, int y) {
        raster.text(x, y, text, dot, ColourMap.INK);
    }
}

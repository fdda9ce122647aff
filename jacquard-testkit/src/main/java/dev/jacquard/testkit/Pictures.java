package dev.jacquard.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks that an SVG picture can be read: no text or line is cut at the edge of the page, no text is on top of another,
 * and none crosses the rim of a box. Knows the elements that the project's pictures have.
 */
public final class Pictures {
    private static final Pattern TAG = Pattern.compile("<(/?)(\\w+)([^<>]*?)(/?)>([^<]*)");
    private static final Pattern PAGE = Pattern.compile("viewBox=\"0 0 ([\\d.]+) ([\\d.]+)\"");
    private static final Pattern SHIFT = Pattern.compile("translate\\(([-\\d.]+) ([-\\d.]+)\\)");
    private static final Pattern STEP = Pattern.compile("([MLVHChz])([-\\d. ]*)");
    /** Pixels by which texts may come close. */
    private static final double SLACK = 1.5;

    private static final int SAMPLES = 16;

    /** Measures texts. */
    @FunctionalInterface
    public interface Width {
        /** Returns the width of a line of text in pixels. */
        double of(String text, int size, boolean isBold);
    }

    private record Area(String what, double left, double top, double right, double bottom) {
        boolean meets(Area other) {
            return left + SLACK < other.right
                    && other.left + SLACK < right
                    && top + SLACK < other.bottom
                    && other.top + SLACK < bottom;
        }

        boolean isInside(Area other) {
            return left >= other.left - SLACK
                    && right <= other.right + SLACK
                    && top >= other.top - SLACK
                    && bottom <= other.bottom + SLACK;
        }

        Area shifted(double x, double y) {
            return new Area(what, left + x, top + y, right + x, bottom + y);
        }
    }

    private final Width width;
    private final List<Area> texts = new ArrayList<>();
    private final List<Area> boxes = new ArrayList<>();
    private final List<Area> lines = new ArrayList<>();
    private final Area page;

    private Pictures(String svg, Width width) {
        this.width = width;
        Matcher size = PAGE.matcher(svg);
        if (!size.find()) {
            throw new AssertionError("no viewBox: " + svg.substring(0, Math.min(200, svg.length())));
        }
        this.page = new Area("page", 0, 0, Double.parseDouble(size.group(1)), Double.parseDouble(size.group(2)));
        read(svg.replaceAll("(?s)<defs>.*?</defs>", "").replaceAll("(?s)<title>.*?</title>", ""));
    }

    /**
     * Checks a picture.
     *
     * @param name of the picture, for the error
     * @throws AssertionError with all that cannot be read
     */
    public static void assertReadable(String name, String svg, Width width) {
        List<String> faults = new Pictures(svg, width).faults();
        if (!faults.isEmpty()) {
            throw new AssertionError(name + ": " + String.join("; ", faults));
        }
    }

    private List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (List<Area> all : List.of(texts, boxes, lines)) {
            for (Area area : all) {
                if (!area.isInside(page)) {
                    faults.add(area + " is cut by " + page);
                }
            }
        }
        for (int i = 0; i < texts.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (texts.get(i).meets(texts.get(j))) {
                    faults.add(texts.get(i) + " is on top of " + texts.get(j));
                }
            }
            for (Area box : boxes) {
                if (texts.get(i).meets(box) && !texts.get(i).isInside(box)) {
                    faults.add(texts.get(i) + " crosses the rim of " + box);
                }
            }
        }
        return faults;
    }

    private void read(String svg) {
        Deque<double[]> shifts = new ArrayDeque<>(List.of(new double[2]));
        Matcher tag = TAG.matcher(svg);
        while (tag.find()) {
            String element = tag.group(2);
            String attributes = tag.group(3);
            if (element.equals("g")) {
                if (!tag.group(1).isEmpty()) {
                    shifts.pop();
                } else {
                    Matcher shift = SHIFT.matcher(attributes);
                    double[] outer = shifts.getFirst();
                    shifts.push(
                            shift.find()
                                    ? new double[] {
                                        outer[0] + Double.parseDouble(shift.group(1)),
                                        outer[1] + Double.parseDouble(shift.group(2))
                                    }
                                    : outer);
                }
            } else if (tag.group(1).isEmpty()) {
                element(element, attributes, plain(tag.group(5)), shifts.getFirst());
            }
        }
    }

    private void element(String element, String attributes, String text, double[] shift) {
        switch (element) {
            case "text" -> {
                if (!text.isBlank()) {
                    texts.add(text(attributes, text).shifted(shift[0], shift[1]));
                }
            }
            case "rect" -> {
                if (attributes.contains(" stroke=\"#") && !attributes.contains("100%")) {
                    double x = number(attributes, "x");
                    double y = number(attributes, "y");
                    boxes.add(new Area("box", x, y, x + number(attributes, "width"), y + number(attributes, "height"))
                            .shifted(shift[0], shift[1]));
                }
            }
            case "path" -> lines.add(path(value(attributes, "d")).shifted(shift[0], shift[1]));
            default -> {}
        }
    }

    private Area text(String attributes, String text) {
        int size = (int) number(attributes, "font-size");
        double wide = width.of(text, size, attributes.contains("font-weight=\"bold\""));
        String anchor = value(attributes, "text-anchor");
        double left = number(attributes, "x") - (anchor.equals("end") ? wide : anchor.equals("middle") ? wide / 2 : 0);
        double base = number(attributes, "y");
        return new Area('"' + text + '"', left, base - 0.75 * size, left + wide, base + 0.22 * size);
    }

    /** Returns the area of a path of lines and curves. */
    private static Area path(String path) {
        double[] at = new double[2];
        double[] area = {Double.MAX_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE, -Double.MAX_VALUE};
        Matcher step = STEP.matcher(path);
        while (step.find()) {
            double[] n = numbers(step.group(2));
            switch (step.group(1)) {
                case "M", "L" -> {
                    for (int i = 0; i < n.length; i += 2) {
                        at = new double[] {n[i], n[i + 1]};
                        extend(area, at);
                    }
                }
                case "V" -> at = new double[] {at[0], n[0]};
                case "H" -> at = new double[] {n[0], at[1]};
                case "h" -> at = new double[] {at[0] + n[0], at[1]};
                case "C" -> {
                    for (int i = 0; i < n.length; i += 6) {
                        for (int s = 0; s <= SAMPLES; s++) {
                            extend(area, curve(at, n, i, s / (double) SAMPLES));
                        }
                        at = new double[] {n[i + 4], n[i + 5]};
                    }
                }
                default -> {}
            }
            extend(area, at);
        }
        return new Area("line", area[0], area[1], area[2], area[3]);
    }

    private static double[] curve(double[] from, double[] n, int first, double t) {
        double[] point = new double[2];
        for (int axis = 0; axis < 2; axis++) {
            double u = 1 - t;
            point[axis] = u * u * u * from[axis]
                    + 3 * u * u * t * n[first + axis]
                    + 3 * u * t * t * n[first + 2 + axis]
                    + t * t * t * n[first + 4 + axis];
        }
        return point;
    }

    private static void extend(double[] area, double[] point) {
        area[0] = Math.min(area[0], point[0]);
        area[1] = Math.min(area[1], point[1]);
        area[2] = Math.max(area[2], point[0]);
        area[3] = Math.max(area[3], point[1]);
    }

    private static double[] numbers(String text) {
        return text.isBlank()
                ? new double[0]
                : Pattern.compile(" +")
                        .splitAsStream(text.strip())
                        .mapToDouble(Double::parseDouble)
                        .toArray();
    }

    private static String value(String attributes, String name) {
        Matcher value = Pattern.compile("(?:^|\\s)" + name + "=\"([^\"]*)\"").matcher(attributes);
        return value.find() ? value.group(1) : "";
    }

    private static double number(String attributes, String name) {
        String value = value(attributes, name);
        return value.isEmpty() ? 0 : Double.parseDouble(value.toLowerCase(Locale.ROOT));
    }

    private static String plain(String text) {
        return text.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&amp;", "&");
    }
}

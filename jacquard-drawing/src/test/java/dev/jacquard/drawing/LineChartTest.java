package dev.jacquard.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.drawing.LineChart.Axis;
import dev.jacquard.testkit.Pictures;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Charts of series. */
class LineChartTest {
    private static LineChart chart(boolean isLogarithmic) {
        return new LineChart(
                        "times & sizes",
                        new Axis("points", isLogarithmic),
                        new Axis("time of a step (ms)", isLogarithmic))
                .point("host <1>", 1_000_000, 4)
                .point("host <1>", 1_000, 0.5)
                .point("device", 32_000, 2);
    }

    private static List<double[]> dots(String svg) {
        Matcher dots =
                Pattern.compile("<circle cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"").matcher(svg);
        List<double[]> all = new ArrayList<>();
        while (dots.find()) {
            all.add(new double[] {Double.parseDouble(dots.group(1)), Double.parseDouble(dots.group(2))});
        }
        return all;
    }

    @Test
    void itHasAxesWithUnitsALegendAndADotForEachPoint() {
        String svg = chart(true).toSvg();
        Pictures.assertReadable("logarithmic", svg, SvgWriter::width);
        Pictures.assertReadable("linear", chart(false).toSvg(), SvgWriter::width);
        LineChart many = chart(true);
        for (int i = 0; i < 40; i++) {
            many.point("host, operators and tasks in groups of " + i, 10, 20);
        }
        Pictures.assertReadable("many", many.toSvg(), SvgWriter::width);
        assertTrue(Xml.parse(many.toSvg()).texts().contains("host, operators and tasks in groups of 39"));
        assertEquals(3, dots(svg).size());
        List<String> texts = Xml.parse(svg).texts();
        for (String part : new String[] {
            "times & sizes", "points", "time of a step (ms)", "host <1>", "device", "1k", "100k", "1M", "0.5", "2"
        }) {
            assertTrue(texts.contains(part), part + " in " + texts);
        }
    }

    @Test
    void logarithmicAxesShowRatiosAndLinearOnesDifferences() {
        List<double[]> ratios = dots(chart(true).toSvg());
        assertEquals(
                ratios.get(0)[0] + (ratios.get(1)[0] - ratios.get(0)[0]) * Math.log10(32) / 3, ratios.get(2)[0], 0.2);
        assertEquals((2 * ratios.get(1)[1] + ratios.get(0)[1]) / 3, ratios.get(2)[1], 0.2);
        List<double[]> differences = dots(chart(false).toSvg());
        double share = (32.0 - 1) / 999;
        assertEquals(
                differences.get(0)[0]
                        + share * (differences.get(1)[0] - differences.get(0)[0]),
                differences.get(2)[0],
                0.2);
        assertTrue(chart(false).toSvg().contains(">0<"));
    }

    @Test
    void countsHaveNoTicksBetweenThem() {
        LineChart chart = new LineChart("steps", new Axis("workers", false), new Axis("time (ms)", false))
                .point("one", 1, 0.25)
                .point("one", 2, 1.5);
        List<String> texts = Xml.parse(chart.toSvg()).texts();
        assertEquals(1, texts.stream().filter("0.5"::equals).count(), texts::toString); // of the times alone
        assertTrue(texts.contains("2"), texts::toString);
    }

    @Test
    void numbersThatHaveNoPlaceAreRefused() {
        assertEquals(
                "a chart has finite numbers above 0, not 0.0 and 1.0",
                assertThrows(IllegalArgumentException.class, () -> chart(true).point("host", 0, 1))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> chart(true).point("host", 1, Double.NaN));
    }
}

package dev.jacquard.drawing;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.trace.Trace;
import dev.jacquard.drawing.GanttChart.Bar;
import dev.jacquard.testkit.Pictures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GanttChartTest {
    private static Xml draw(String name, GanttChart chart) throws IOException {
        Path pictures = Files.createDirectories(Path.of("target", "pictures"));
        Files.writeString(pictures.resolve(name + ".svg"), chart.toSvg());
        Pictures.assertReadable(name, chart.toSvg(), SvgWriter::width);
        return Xml.parse(chart.toSvg());
    }

    @Test
    void showsTheLanesOfATrace() throws IOException {
        Trace trace = new Trace(System::nanoTime, 16);
        trace.lane("worker 0").record("factor", 1_000_000, 1_400_000, 0);
        trace.lane("link").record("copy", 1_100_000, 1_200_000, 0);
        assertTrue(draw("trace", GanttChart.of("all", trace)).texts().contains("2 tasks on 2 workers in 400.0 µs"));
        GanttChart workers = GanttChart.of("workers", trace, lane -> lane.startsWith("worker"));
        assertTrue(draw("trace-workers", workers).texts().contains("1 task on 1 worker in 400.0 µs"));
    }

    @Test
    void showsBarsLanesAndShares() throws IOException {
        GanttChart chart =
                new GanttChart("two workers & a <device>").lane("worker 0").lane("idle");
        chart.bar(new Bar("factor (0,0)", "worker 0", 1_000_000, 1_400_000))
                .bar(new Bar("solve (1,0)", "worker 0", 1_400_000, 1_900_000))
                .bar(new Bar("solve (2,0)", "worker 1", 1_450_000, 2_000_000))
                .bar(new Bar("helped", "worker 1", 1_500_000, 1_700_000))
                .bar(new Bar("copy", "link", 1_400_000, 1_420_000));
        Xml svg = draw("gantt", chart);
        assertTrue(svg.texts().contains("two workers & a <device>"));
        assertTrue(
                svg.texts().contains("5 tasks on 4 workers in 1.0 ms"),
                svg.texts().toString());
        assertTrue(svg.texts().contains("90 %")
                && svg.texts().contains("55 %")
                && svg.texts().contains("0 %"));
        assertTrue(svg.titles().stream().anyMatch(title -> title.startsWith("helped\n200.0 µs from 500.0 µs on")));
    }

    @Test
    void aMillionTasksGiveAPictureOfBoundedSize() throws IOException {
        GanttChart chart = new GanttChart("many");
        Random random = new Random(1);
        for (int worker = 0; worker < 4; worker++) {
            long now = 0;
            for (int i = 0; i < 250_000; i++) {
                long end = now + 200 + random.nextInt(i % 10_000 == 0 ? 10_000_000 : 2_000);
                chart.bar(new Bar("step " + i, "worker " + worker, now, end));
                now = end + random.nextInt(500);
            }
        }
        String svg = chart.toSvg();
        assertTrue(svg.length() < 2_000_000, "length " + svg.length());
        draw("gantt-many", chart);
    }

    @Test
    void drawsNothingAndOddThingsToo() throws IOException {
        assertTrue(draw("gantt-none", new GanttChart("none")).texts().contains("0 tasks on 0 workers in 0 ns"));
        draw("gantt-point", new GanttChart("a moment").bar(new Bar("", "w", -5, -5)));
        draw("gantt-long", new GanttChart("long").bar(new Bar("a", "w", 0, Long.MAX_VALUE)));
        GanttChart crowd = new GanttChart("all at once, many names");
        for (int i = 0; i < 26; i++) {
            crowd.bar(new Bar((char) ('a' + i) + "-task", "w", 0, 100 + i));
        }
        draw("gantt-crowd", crowd);
        assertThrows(IllegalArgumentException.class, () -> new Bar("a", "w", 2, 1));
    }
}

package dev.jacquard.apps.known;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.known.DeviceRow.Way;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.memory.device.Device;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The study of host and devices, on tiny fields: what it writes, not what it measures. */
class DeviceStudyTest {
    private static final Path EXAMPLE = Path.of("../examples/study-devices.yaml");

    @TempDir
    Path folder;

    private Report run(String... settings) throws Exception {
        return new KnownRuns(EXAMPLE, folder).run("out", settings);
    }

    @Test
    void eachSizeHasARowForEachWay() throws Exception {
        Report report =
                run("devices=emulated0", "points.least=512", "points.most=2000", "rounds=2", "workers=2", "seconds=0");
        List<String> rows = Files.readAllLines(folder.resolve("out/devices.csv"));
        assertEquals("work,points,device,way,ms,least,most,to_host", rows.getFirst());
        assertEquals(1 + 2 * 2 * 3, rows.size(), () -> String.join("\n", rows)); // 8³ and 12³, two works, three ways
        assertEquals(
                4,
                rows.stream().filter(row -> row.contains(",emulated0,copies,")).count());
        assertEquals(6, rows.stream().filter(row -> row.contains(",1728,")).count());
        for (String work : List.of("operator", "graph")) {
            String chart = Files.readString(folder.resolve("out/" + work + "-by-points.svg"));
            assertTrue(chart.contains("emulated0, with copies") && chart.contains("time (ms)"), chart);
            assertEquals(6, chart.split("<circle", -1).length - 1);
        }
        assertEquals(List.of(), report.values().get("skipped"));
        assertEquals(12, ((List<?>) Objects.requireNonNull(report.values().get("rows"))).size());
    }

    @Test
    void ratiosAreThoseOfTheSameRound() {
        DeviceRow row =
                new DeviceRow("graph", 8, "emulated0", Way.DEVICE, new double[] {4, 1, 8}, new double[] {2, 1, 4});
        assertEquals(2, row.toHost());
        assertEquals(4, row.median());
    }

    @Test
    void sizesThatDoNotFitAreSaid() {
        Device.Properties device = new Device.Properties("small", 100 << 20, 40 << 20, 1, Map.of());
        assertEquals(Optional.empty(), DeviceStudy.tooLarge(device, 40 << 20, 2));
        assertEquals(
                Optional.of("a field takes 41 MiB, and a buffer may have 40 MiB"),
                DeviceStudy.tooLarge(device, 41 << 20, 1));
        assertEquals(
                Optional.of("its fields take 120 MiB, and the device has 100 MiB"),
                DeviceStudy.tooLarge(device, 20 << 20, 6));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "devices=opencl77 | there is no device \"opencl77\", but emulated0",
                "points.least=30000000 | there is no cube",
                "study=heat | one of threads, devices"
            })
    void badSettingsAreRefused(String setting, String message) {
        assertMentions(assertThrows(InputException.class, () -> run(setting)), message);
    }
}

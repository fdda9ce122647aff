package dev.jacquard.apps.known;

import static dev.jacquard.apps.known.KnownRuns.join;
import static dev.jacquard.apps.known.KnownRuns.number;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.SingleProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The heat equation against its solution. */
class HeatTest {
    private static final Path EXAMPLE = Path.of("../examples/heat.yaml");

    @TempDir
    Path folder;

    private Report run(String out, String... settings) throws Exception {
        return new KnownRuns(EXAMPLE, folder).run(out, settings);
    }

    @ParameterizedTest
    @CsvSource({
        "dirichlet, 16x16x16, ssp3",
        "neumann, 16x16x16, ssp2",
        "periodic, 16x16x16, euler",
        "dirichlet, 32x32, euler"
    })
    void theOrderIsTwo(String walls, String cells, String method) throws Exception {
        Report report = run(
                "order",
                "walls=" + walls,
                "grid.cells=" + cells,
                "time.method=" + method,
                "time.steps=60",
                "workers=2");
        assertEquals(2, number(report, "order"), 0.1, () -> report.toString());
        Map<?, ?> fields = (Map<?, ?>) Objects.requireNonNull(report.values().get("fields"));
        assertEquals(fields.get("planned"), fields.get("peakBytes"), () -> report.toString());
        assertTrue(number(report, "ns_per_point_step") > 0);
        assertTrue(Files.size(folder.resolve("order/T.png")) > 0);
    }

    /** Workers, fusion, policies and forms change no byte. */
    @Test
    void theWaySaysNothingToTheResult() throws Exception {
        String[] small = {"grid.cells=12x10x8", "time.steps=7", "order=false"};
        run("first", join(small, "workers=1", "loops=interpreter"));
        byte[] expected = Files.readAllBytes(folder.resolve("first/T.npy"));
        int number = 0;
        for (String[] way : new String[][] {
            {"workers=2", "loops=plain"},
            {"workers=2", "loops=lanes", "fuse=false"},
            {"workers=1", "loops=lanes", "fields-policy=static", "fuse=false"},
            {"workers=2", "loops=auto", "fields-policy=keep"},
            {"workers=2", "loops=auto", "fuse=false", "scheduler=priority"},
            {"workers=2", "loops=auto", "fuse=false", "scheduler=topological"},
            {"workers=2", "loops=auto", "fuse=false", "scheduler=counted-newest"}
        }) {
            String out = "other" + number++;
            run(out, join(small, way));
            assertArrayEquals(expected, Files.readAllBytes(folder.resolve(out + "/T.npy")), String.join(" ", way));
        }
    }

    @Test
    void aSchedulerOfTheUsersIsFoundByItsName() throws Exception {
        Report report = run(
                "own", "grid.cells=12x10x8", "time.steps=7", "order=false", "fuse=false", "scheduler=counted-newest");
        assertEquals("counted-newest", report.values().get("scheduler"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "grid.cells=64 | two or three numbers of cells",
                "grid.cells=64x2x8 | 4 to 16384 each",
                "grid.cells=99999x4 | 4 to 16384 each",
                "grid.cells=9x9 | cannot be halved for the order of accuracy",
                "threads.tasks=2 | go together",
                "walls=open | one of dirichlet, neumann, periodic",
                "scheduler=newest | expected one of none, priority, topological, counted-newest",
                "time.share=2 | a number from 0.001 to 1",
                "time.method=rk4 | one of euler, ssp2, ssp3"
            })
    void badSettingsAreRefusedBeforeTheRun(String setting, String message) {
        assertMentions(
                assertThrows(InputException.class, () -> SingleProgram.load(EXAMPLE, List.of(setting), null)), message);
    }
}

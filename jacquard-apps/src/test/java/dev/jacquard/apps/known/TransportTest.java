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
import org.junit.jupiter.params.provider.ValueSource;

/** Scalars that a flow carries along, against their solution. */
class TransportTest {
    private static final Path EXAMPLE = Path.of("../examples/transport.yaml");

    @TempDir
    Path folder;

    private Report run(String out, String... settings) throws Exception {
        return new KnownRuns(EXAMPLE, folder).run(out, settings);
    }

    @ParameterizedTest
    @CsvSource({
        "none, 2, 24x24x24, ssp3",
        "none, 3, 32x32, euler",
        "full, 2, 24x24x24, ssp2",
        "full, 4, 32x32, ssp3",
    })
    void theOrderIsTwo(String coupling, int equations, String cells, String method) throws Exception {
        Report report = run(
                "order",
                "coupling=" + coupling,
                "equations=" + equations,
                "grid.cells=" + cells,
                "time.method=" + method,
                "time.steps=20",
                "loops=plain",
                "workers=2");
        assertEquals(2, number(report, "order"), 0.1, () -> report.toString());
        Map<?, ?> fields = (Map<?, ?>) Objects.requireNonNull(report.values().get("fields"));
        assertEquals(fields.get("planned"), fields.get("peakBytes"), () -> report.toString());
    }

    /** Fused, coupled equations share the product and nothing else: one loop for it and one for each of them. */
    @Test
    void coupledEquationsNeedTheProductAlone() throws Exception {
        String[] coupled = {
            "coupling=full", "equations=6", "loops=plain", "grid.cells=8x8x8", "time.steps=2", "order=false"
        };
        Report fused = run("fused", join(coupled, "time.method=euler"));
        assertEquals(7, fused.values().get("loops"));
        Report unfused = run("unfused", join(coupled, "time.method=euler", "fuse=false"));
        assertTrue(number(unfused, "loops") > 7, () -> unfused.toString());
        assertArrayEquals(
                Files.readAllBytes(folder.resolve("fused/phi5.npy")),
                Files.readAllBytes(folder.resolve("unfused/phi5.npy")));
    }

    /** Workers, threads, policies and forms change no byte. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "full"})
    void theWaySaysNothingToTheResult(String coupling) throws Exception {
        String[] small = {"coupling=" + coupling, "equations=3", "grid.cells=12x6x5", "time.steps=4", "order=false"};
        run("first", join(small, "workers=1", "loops=interpreter"));
        byte[] expected = Files.readAllBytes(folder.resolve("first/phi1.npy"));
        int number = 0;
        for (String[] way : new String[][] {
            {"workers=2", "loops=plain"},
            {"workers=2", "loops=lanes", "fuse=false"},
            {"workers=2", "loops=plain", "fields-policy=static", "fuse=false"},
            {"workers=3", "loops=plain", "threads.tasks=1", "threads.operators=3"},
            {"workers=3", "loops=plain", "threads.tasks=2", "threads.operators=1"}
        }) {
            String out = "other" + number++;
            run(out, join(small, way));
            assertArrayEquals(expected, Files.readAllBytes(folder.resolve(out + "/phi1.npy")), String.join(" ", way));
        }
    }

    @Test
    void oneEquationIsCoupledWithNothing() {
        assertMentions(
                assertThrows(
                        InputException.class,
                        () -> SingleProgram.load(EXAMPLE, List.of("coupling=full", "equations=1"), null)),
                "takes two 'equations' or more");
    }
}

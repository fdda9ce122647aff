package dev.jacquard.apps.walks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.apps.ProgramRun;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.InputException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WalksTest {
    @TempDir
    Path folder;

    /**
     * A walk of two steps ends at -2, 0 or 2, divided by the root of 2, a quarter, a half and a quarter of the time.
     */
    @Test
    void endsOfShortWalksAreBinomial() throws Exception {
        ProgramRun run = ProgramRun.example(
                "walks",
                RunMode.PARALLEL,
                2,
                folder.resolve("out"),
                "walks.steps=2",
                "walks.walks=40000",
                "histogram.bins=3",
                "histogram.from=-3",
                "histogram.to=3");
        List<?> counts = (List<?>) run.finding("histogram", "counts");
        assertEquals(10_000, (Long) counts.get(0), 500);
        assertEquals(20_000, (Long) counts.get(1), 500);
        assertEquals(10_000, (Long) counts.get(2), 500);
        assertEquals(0L, run.finding("histogram", "outside"));
    }

    @Test
    void valuesInNoIntervalAreCountedApart() throws Exception {
        ProgramRun run = ProgramRun.example(
                "walks",
                RunMode.SERIAL,
                1,
                folder.resolve("out"),
                "walks.steps=1",
                "walks.walks=1000",
                "histogram.from=-0.5",
                "histogram.to=0.5");
        assertEquals(1000L, run.finding("histogram", "outside"));
        assertEquals(0L, run.finding("histogram", "within"));
    }

    @Test
    void intervalsThatEndBeforeTheyBeginAreRefused() {
        String message = String.valueOf(assertThrows(
                        InputException.class,
                        () -> ProgramRun.example("walks", RunMode.SERIAL, 1, folder.resolve("out"), "histogram.to=-5"))
                .getMessage());
        assertEquals("--set histogram.to=-5: 'to' is -5.0; expected more than 'from', -4.0", message);
    }
}

package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.testkit.Watchdog;
import java.io.File;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A signal while a process computes the initial values of a large grid, which would take minutes. */
@Timeout(120)
class FieldSignalsTest {
    private static final long MOST_SECONDS = 60;
    /** The processor time after which the values are being computed. */
    private static final Duration WELL_WITHIN = Duration.ofMillis(700);

    private static final int SINES = 150;
    private static final int WAVES = 40;
    private static final String WAVE = "sin(y + ".repeat(SINES) + "x" + ")".repeat(SINES);

    @TempDir
    Path folder;

    @Test
    void theRunEndsAtOnce() throws Exception {
        Signals.assumeTaken("TERM");
        Path file = Files.writeString(
                folder.resolve("p.yaml"), """
                component: pde
                grid: {cells: 4000x4000, lengths: 1x1}
                unknowns:
                  c: {initial: "%s", rate: "laplacian(c)", boundaries: {x: periodic, y: periodic}}
                time: {end: 1}
                """.formatted(String.join(" + ", Collections.nCopies(WAVES, WAVE))));
        List<String> command = new ArrayList<>(RankCommands.java("-Djacquard.terminal=true"));
        command.addAll(
                List.of("run", file.toString(), "--out", folder.resolve("out").toString()));
        Process process = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .start();
        try (Reader reader = process.inputReader()) {
            StringBuilder text = new StringBuilder();
            readUntil(reader, text, "50 %"); // one of the two parts of "values of fields" is done
            Duration before = used(process);
            Watchdog.until(() -> used(process).minus(before).compareTo(WELL_WITHIN) > 0, "the values are computed");
            process.toHandle().destroy(); // SIGTERM
            CompletableFuture.delayedExecutor(MOST_SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
            readUntil(reader, text, "stopped before the end; nothing was written\n");
            assertEquals(143, process.waitFor(), text::toString);
            assertTrue(text.toString().contains("jacquard: stopping; interrupt again to end at once"), text::toString);
            assertFalse(Files.exists(folder.resolve("out")), text::toString);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Duration used(Process process) {
        return process.info().totalCpuDuration().orElseThrow();
    }

    private static void readUntil(Reader reader, StringBuilder text, String end) throws Exception {
        while (text.indexOf(end) < 0) {
            int next = reader.read();
            assertTrue(next >= 0, () -> "ended without \"" + end + "\": " + text);
            text.append((char) next);
        }
    }
}

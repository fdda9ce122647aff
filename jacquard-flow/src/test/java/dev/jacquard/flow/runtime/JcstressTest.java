package dev.jacquard.flow.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs every jcstress test of this module for a short while: one JVM each, in the server compiler. The report is below {@code
 * target/jcstress}. To run longer, and in all compilers, start {@code org.openjdk.jcstress.Main} on the test class path.
 */
class JcstressTest {
    private static final Path FOLDER = Path.of("target", "jcstress").toAbsolutePath();
    private static final Pattern COUNTS = Pattern.compile("\\d+ planned; \\d+ passed");

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void noForbiddenOutcome() throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        Path log = FOLDER.resolve("log.txt");
        Process run = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.openjdk.jcstress.Main",
                        "-jvmArgs",
                        "-Xmx1g -XX:+UseParallelGC",
                        "-f",
                        "1",
                        "-iters",
                        "3",
                        "-time",
                        "200",
                        "-sc",
                        "false",
                        "-r",
                        FOLDER.toString()))
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertEquals(0, run.waitFor(), () -> "jcstress found a forbidden outcome, or did not run; see " + log);
        } finally {
            run.destroyForcibly();
        }
        String counts = COUNTS.matcher(Files.readString(log))
                .results()
                .map(MatchResult::group)
                .reduce("none", (older, newer) -> newer);
        assertEquals("6 planned; 6 passed", counts, "jcstress tests that ran; see " + log);
    }
}

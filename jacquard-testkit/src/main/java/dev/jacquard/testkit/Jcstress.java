package dev.jacquard.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Runs every jcstress test on the class path for a short while, longer with {@code -Djacquard.stress=true}: one JVM
 * each, in the server compiler. The report is below {@code target/jcstress}. To run longer, and in all compilers, start
 * {@code org.openjdk.jcstress.Main} on the test class path.
 */
public final class Jcstress {
    private static final Path FOLDER = Path.of("target", "jcstress").toAbsolutePath();
    private static final Pattern COUNTS = Pattern.compile("\\d+ planned; \\d+ passed");

    private Jcstress() {}

    /** Fails when a forbidden outcome was seen, or when not all of {@code tests} ran. */
    public static void assertNoForbiddenOutcome(int tests) throws IOException, InterruptedException {
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
                        String.valueOf(Rounds.some(3)),
                        "-time",
                        "200",
                        "-pth",
                        "false",
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
        assertEquals(tests + " planned; " + tests + " passed", counts, "jcstress tests that ran; see " + log);
    }
}

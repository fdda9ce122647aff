package dev.jacquard.tools;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** The signals that this process takes. */
final class Signals {
    private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    private Signals() {}

    /** Skips a test where the process ignores a signal: so a shell starts what runs in the background or by nohup. */
    static void assumeTaken(String name) throws IOException {
        Path status = Path.of("/proc/self/status");
        if (Files.exists(status)) {
            long ignored = Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("SigIgn:"))
                    .mapToLong(line -> Long.parseUnsignedLong(
                            line.substring("SigIgn:".length()).strip(), 16))
                    .findFirst()
                    .orElse(0);
            int number = NUMBERS.getOrDefault(name.toUpperCase(Locale.ROOT), 0);
            assumeFalse(((ignored << 1 >>> number) & 1) == 1, name + " is ignored by this process since its start");
        }
    }
}

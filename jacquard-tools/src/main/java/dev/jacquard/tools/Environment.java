package dev.jacquard.tools;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a command sees of the process around it, so that tests can give another.
 *
 * @param out for results
 * @param err for everything else
 * @param terminal whether standard error is a terminal; the launcher looks
 * @param data the folder named by {@code JACQUARD_DATA}, or null
 * @param project the project's root
 * @param debug whether errors show where in the code they arose
 */
record Environment(
        PrintWriter out,
        PrintWriter err,
        boolean terminal,
        @Nullable Path data,
        Path project,
        boolean debug) {

    static Environment ofProcess() {
        String data = System.getenv("JACQUARD_DATA");
        return new Environment(
                Main.writer(System.out),
                Main.writer(System.err),
                Boolean.getBoolean("jacquard.terminal"),
                data == null || data.isBlank() ? null : Path.of(data),
                Path.of(System.getProperty("jacquard.home", "")).toAbsolutePath(),
                "1".equals(System.getenv("JACQUARD_DEBUG")));
    }
}

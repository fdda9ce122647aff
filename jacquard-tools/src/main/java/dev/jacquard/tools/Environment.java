package dev.jacquard.tools;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The process as a command sees it, so that tests can give another.
 *
 * @param out for results
 * @param err for everything else
 * @param screen like {@code err}, for what moves the cursor
 * @param terminal whether standard error is a terminal; the launcher looks
 * @param data the folder named by {@code JACQUARD_DATA}, or null
 * @param project the project's root
 * @param debug whether errors show where in the code they arose
 */
record Environment(
        PrintWriter out,
        PrintWriter err,
        PrintWriter screen,
        boolean terminal,
        @Nullable Path data,
        Path project,
        boolean debug) {

    /** An environment whose {@code out} and {@code err} do nothing to a terminal, whatever is written to them. */
    Environment(PrintWriter out, PrintWriter err, boolean terminal, @Nullable Path data, Path project, boolean debug) {
        this(
                new PrintWriter(new Printable(out)),
                new PrintWriter(new Printable(err)),
                err,
                terminal,
                data,
                project,
                debug);
    }

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

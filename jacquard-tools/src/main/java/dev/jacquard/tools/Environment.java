package dev.jacquard.tools;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The process as a command sees it, so that tests can give another.
 *
 * @param out for results
 * @param err for everything else
 * @param screen like {@code err}, for output that moves the cursor
 * @param terminal whether standard error is a terminal; the launcher looks
 * @param columns of the terminal; the launcher asks
 * @param data the folder named by {@code JACQUARD_DATA}, or null
 * @param jars the jars named by {@code JACQUARD_JARS}
 * @param project the project's root
 * @param debug whether errors show where in the code they arose
 * @param pipe whether standard output is a pipe: its reader may close it when it has read enough
 */
record Environment(
        PrintWriter out,
        PrintWriter err,
        PrintWriter screen,
        boolean terminal,
        int columns,
        @Nullable Path data,
        List<Path> jars,
        Path project,
        boolean debug,
        boolean pipe) {
    /** The columns of a terminal that does not tell. */
    private static final int COLUMNS = 80;

    /** An environment with {@code out} and {@code err} that do nothing to a terminal, whatever is written to them. */
    Environment(PrintWriter out, PrintWriter err, boolean terminal, @Nullable Path data, Path project, boolean debug) {
        this(
                new PrintWriter(new Printable(out)),
                new PrintWriter(new Printable(err)),
                err,
                terminal,
                COLUMNS,
                data,
                List.of(),
                project,
                debug,
                false);
    }

    static Environment ofProcess() {
        String data = System.getenv("JACQUARD_DATA");
        PrintWriter screen = Main.writer(System.err);
        return new Environment(
                new PrintWriter(new Printable(Main.writer(System.out))),
                new PrintWriter(new Printable(screen)),
                screen,
                Boolean.getBoolean("jacquard.terminal"),
                columns(Integer.getInteger("jacquard.columns", 0)),
                data == null || data.isBlank() ? null : Path.of(data),
                jars(System.getenv("JACQUARD_JARS")),
                Path.of(System.getProperty("jacquard.home", "")).toAbsolutePath(),
                "1".equals(System.getenv("JACQUARD_DEBUG")),
                isPipe());
    }

    /** Returns true if standard output is known to be a pipe. */
    private static boolean isPipe() {
        try {
            String file = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return file.startsWith("pipe:") || file.startsWith("socket:");
        } catch (IOException e) {
            return false; // another system than Linux
        }
    }

    /** A terminal that does not know its size says 0. */
    private static int columns(int told) {
        return told > 0 ? told : COLUMNS;
    }

    private static List<Path> jars(@Nullable String named) {
        return named == null
                ? List.of()
                : Arrays.stream(named.split(File.pathSeparator))
                        .filter(jar -> !jar.isBlank())
                        .map(Path::of)
                        .toList();
    }
}

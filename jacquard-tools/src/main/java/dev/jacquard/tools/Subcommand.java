package dev.jacquard.tools;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.WholeFile;
import dev.jacquard.engine.EngineOptions;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command with the options that every command has. Confined to the thread that runs the command. */
abstract class Subcommand implements Callable<Integer> {
    static final String JSON = "--json";

    final Environment environment;

    @Option(
            names = JSON,
            description = "Print one JSON document on standard output, everything else on standard error.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    Subcommand(Environment environment) {
        this.environment = environment;
    }

    /** Returns the command line that goes on from the checkpoint of a run that failed; null if there is none. */
    @Nullable
    String resumeLine() {
        return null;
    }

    /** Prints the results: {@code document}, which is JSON, or {@code lines}. */
    final void print(Supplier<String> document, Supplier<List<String>> lines) {
        if (json) {
            environment.out().print(document.get());
        } else {
            lines.get().forEach(environment.out()::println);
        }
    }

    /** Reports failures other than of the results, which are there. Returns the exit code: 0 if there is nothing. */
    final int told(List<String> lost) {
        lost.forEach(text -> environment.err().println("jacquard: " + text));
        return lost.isEmpty() ? 0 : 1;
    }

    /** Writes a file, if it is wanted; {@code lost} gets the reason if it cannot be written. */
    static void write(@Nullable Path file, List<String> lost, WholeFile.Content content) {
        if (file != null) {
            try {
                WholeFile.write(file, content);
            } catch (IOException e) {
                lost.add(String.valueOf(e.getMessage()));
            }
        }
    }

    static void checkWorkers(int count) {
        if (count < 1 || count > EngineOptions.MOST_WORKERS) {
            throw new InputException("--workers " + count + ": expected 1 to " + EngineOptions.MOST_WORKERS);
        }
    }

    /** Requires that a file can be written, if one is given: makes one next to it, and removes that again. */
    static void requirePlace(String option, @Nullable Path path) {
        if (path == null) {
            return;
        }
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(path)) {
            throw new InputException(option + " " + path + ": expected a file in a folder that exists");
        }
        if (!Files.isWritable(Files.exists(path) ? path : folder)) {
            throw new InputException(option + " " + path + ": expected a file that may be written");
        }
        try {
            WholeFile.requirePlace(path);
        } catch (IOException e) {
            // without a reason the system names the file next to it
            String reason = e instanceof FileSystemException its ? its.getReason() : e.getMessage();
            throw new InputException(
                    option + " " + path + ": no file can be made in " + folder + (reason == null ? "" : ": " + reason)
                            + "; expected a file in a folder where files can be made",
                    e);
        }
    }

    /**
     * Requires that a file to write, if one is given, is not another one of the command: its content would be lost.
     * Both may be a device.
     *
     * @param what the other one is, such as the program
     */
    static void requireOther(String option, @Nullable Path path, String what, @Nullable Path other) {
        if (path != null && other != null && isSame(path, other)) {
            throw new InputException(option + " " + path + ": that is " + what + "; expected another file");
        }
    }

    static boolean isSame(Path one, Path other) {
        try {
            if (Files.exists(one) && Files.exists(other)) {
                return Files.isRegularFile(one) && Files.isSameFile(one, other);
            }
            return one.toAbsolutePath()
                    .normalize()
                    .equals(other.toAbsolutePath().normalize());
        } catch (IOException e) {
            return false; // the code that opens it gets the reason why that cannot be done
        }
    }
}

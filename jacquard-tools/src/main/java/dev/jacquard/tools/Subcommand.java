package dev.jacquard.tools;

import dev.jacquard.components.program.InputException;
import dev.jacquard.engine.EngineOptions;
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

    /** Prints the results: {@code document}, which is JSON, or {@code lines}. */
    final void print(Supplier<String> document, Supplier<List<String>> lines) {
        if (json) {
            environment.out().print(document.get());
        } else {
            lines.get().forEach(environment.out()::println);
        }
    }

    static void checkWorkers(int count) {
        if (count < 1 || count > EngineOptions.MOST_WORKERS) {
            throw new InputException("--workers " + count + ": expected 1 to " + EngineOptions.MOST_WORKERS);
        }
    }

    /** Requires that a file can be written, if one is given. */
    static void requireFolder(String option, @Nullable Path path) {
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
    }
}

package dev.jacquard.bench.programs;

import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.Catalog;
import dev.jacquard.components.run.Program;
import dev.jacquard.components.run.Program.Choices;
import dev.jacquard.components.run.Program.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A program of {@link Idle} components and others, in its own folder. */
final class TextProgram implements AutoCloseable {
    private final Path folder = Files.createTempDirectory("jacquard-programs");
    private final Program program;

    TextProgram(String yaml, int workers) throws IOException {
        Path file = folder.resolve("program.yaml");
        Files.writeString(file, yaml);
        Catalog catalog = Catalog.of(List.of()).plus(List.of(new Idle(false), new Idle(true)));
        program = Program.load(file, new Choices(List.of("workers=" + workers), null, catalog, null));
    }

    Report run() throws Exception {
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            return program.run(new Surroundings(out, Progress.NONE, new Cancellation(), false));
        }
    }

    @Override
    public void close() throws IOException {
        delete(folder);
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}

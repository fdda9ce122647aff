package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.Program.Choices;
import dev.jacquard.components.run.Program.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Programs as texts, for tests.
 *
 * @param folder where their files go
 */
record Programs(Path folder) {
    Path file() {
        return folder.resolve("p.yaml");
    }

    Program load(String yaml, @Nullable RunMode mode, String... overrides) throws IOException {
        return load(yaml, mode, Catalog.of(List.of()), overrides);
    }

    Program load(String yaml, @Nullable RunMode mode, Catalog catalog, String... overrides) throws IOException {
        Files.writeString(file(), yaml);
        return Program.load(file(), new Choices(List.of(overrides), null, catalog, mode));
    }

    Report run(Program program) throws Exception {
        return run(program, new Cancellation());
    }

    Report run(Program program, Cancellation cancellation) throws Exception {
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            return program.run(new Surroundings(out, Progress.NONE, cancellation, false));
        }
    }

    /** Returns the error that the program has before it runs, with {@code FILE} for the name of its file. */
    String error(String yaml, String... overrides) {
        InputException error = assertThrows(InputException.class, () -> load(yaml, null, overrides), () -> yaml);
        return String.valueOf(error.getMessage()).replace(file().toString(), "FILE");
    }

    /** Runs a program, or goes on with it, and puts its results in place. */
    static Report complete(Program program, Path out, boolean resumes) throws Exception {
        try (OutputFolder output = OutputFolder.open(out)) {
            Report report = program.run(new Surroundings(output, Progress.NONE, new Cancellation(), resumes));
            output.commit();
            return report;
        }
    }

    /** Runs a program, a component of which fails with a message that has a text. */
    void assertFailure(String message, String yaml, RunMode mode) throws IOException {
        Program program = load(yaml, mode);
        Exception failure = assertThrows(ComponentFailedException.class, () -> run(program));
        assertTrue(String.valueOf(failure.getMessage()).contains(message), failure.getMessage());
    }
}

package dev.jacquard.devices.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Compilers that tests run where they are installed. */
final class Tools {
    private static final List<Path> INCLUDE = List.of(Path.of("/usr/local/cuda/include"), Path.of("/opt/cuda/include"));

    private Tools() {}

    /** Where {@code cuda.h} is; without it the test is skipped. */
    static Path headers() {
        String home = System.getenv("CUDA_HOME");
        Path set = Path.of(home == null ? "/" : home, "include");
        List<Path> folders = home == null ? INCLUDE : List.of(set, INCLUDE.get(0), INCLUDE.get(1));
        Path found = folders.stream()
                .filter(folder -> Files.exists(folder.resolve("cuda.h")))
                .findFirst()
                .orElse(null);
        assumeTrue(found != null, "the CUDA headers are not installed: no cuda.h in " + folders);
        return Objects.requireNonNull(found);
    }

    /** The full name of a program; without it the test is skipped. */
    static String program(String name) {
        for (String folder : (System.getenv("PATH") + ":/usr/local/cuda/bin").split(File.pathSeparator, -1)) {
            Path file = Path.of(folder, name);
            if (Files.isExecutable(file)) {
                return file.toString();
            }
        }
        assumeTrue(false, name + " is not installed");
        throw new AssertionError();
    }

    /** Runs a command to its end and gives what it wrote; fails when it fails. */
    static String run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new AssertionError(String.join(" ", command) + " ended with " + code + ":\n" + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

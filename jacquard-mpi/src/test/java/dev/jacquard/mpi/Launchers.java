package dev.jacquard.mpi;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Starts programs of ranks by the launchers of this machine. */
final class Launchers {
    private static final long MOST_SECONDS = 150;

    private Launchers() {}

    /**
     * The end of a program.
     *
     * @param code of the launcher
     * @param out the lines of the standard output
     */
    record Result(int code, List<String> out, String errors) {}

    /** Returns true if this machine has a launcher. */
    static boolean has(String implementation) {
        for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
            if (Files.isExecutable(Path.of(folder, "mpirun." + implementation))) {
                return true;
            }
        }
        return false;
    }

    /** Runs {@link RankMain} on some ranks. */
    static Result run(String implementation, int ranks, String program, Map<String, String> environment)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("mpirun." + implementation));
        if (implementation.equals("openmpi")) {
            command.addAll(List.of("--allow-run-as-root", "--oversubscribe", "--bind-to", "none"));
        }
        command.addAll(List.of("-n", String.valueOf(ranks)));
        command.addAll(java(RankMain.class, program));
        return run(command, environment);
    }

    /** Returns the command that runs a program. */
    static List<String> java(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Runs a command to its end. */
    static Result run(List<String> command, Map<String, String> environment) throws IOException, InterruptedException {
        Path out = Files.createTempFile("ranks", ".out");
        Path errors = Files.createTempFile("ranks", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(out.toFile())
                    .redirectError(errors.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean hasEnded = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
            if (!hasEnded) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            String text = Files.readString(errors, StandardCharsets.UTF_8);
            return new Result(
                    process.exitValue(),
                    Files.readAllLines(out, StandardCharsets.UTF_8),
                    hasEnded ? text : "did not end within " + MOST_SECONDS + " s; " + text);
        } finally {
            Files.delete(out);
            Files.delete(errors);
        }
    }
}

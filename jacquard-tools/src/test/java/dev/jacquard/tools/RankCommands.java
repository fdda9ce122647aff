package dev.jacquard.tools;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Commands that start this command line as ranks, by the launchers of this machine. */
final class RankCommands {
    private RankCommands() {}

    /** Skips a test where an implementation of MPI is absent. */
    static void assumeThere(String implementation) {
        boolean has = Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "mpirun." + implementation)));
        assumeTrue(has, "there is no mpirun." + implementation + "; on Debian: apt-get install openmpi-bin mpich");
    }

    /** Returns the command that runs this command line in a process. */
    static List<String> java(String... options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        return command;
    }

    /** Returns the command that runs this command line on ranks. */
    static List<String> mpirun(String implementation, int ranks) {
        List<String> command = new ArrayList<>(List.of("mpirun." + implementation));
        if (implementation.equals("openmpi")) {
            command.addAll(List.of("--allow-run-as-root", "--oversubscribe", "--bind-to", "none"));
        }
        command.addAll(List.of("-n", String.valueOf(ranks)));
        command.addAll(java());
        return command;
    }
}

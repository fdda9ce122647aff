package dev.jacquard.tools;

import dev.jacquard.components.program.InputException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Starts this command again as several ranks, by the launcher of an MPI. */
final class MpiLauncher {
    /** By the name of the option: the names of the launcher's program, the preferred one first. */
    private static final Map<String, List<String>> PROGRAMS = Map.of(
            "openmpi", List.of("mpirun.openmpi", "mpirun"),
            "mpich", List.of("mpirun.mpich", "mpiexec.hydra", "mpirun"));

    private static final Map<String, String> PACKAGES = Map.of("openmpi", "openmpi-bin", "mpich", "mpich");

    private final Environment environment;
    private final String kind;
    private final int ranks;

    MpiLauncher(Environment environment, String kind, int ranks) {
        this.environment = environment;
        this.kind = kind.toLowerCase(Locale.ROOT);
        this.ranks = ranks;
        if (!PROGRAMS.containsKey(this.kind)) {
            throw new InputException("--mpi is '" + kind + "'; expected openmpi or mpich");
        }
        if (ranks == 0) {
            throw new InputException("--mpi: the program runs without ranks; give --mode task-parallel or --mode"
                    + " data-parallel, and --ranks N");
        }
    }

    /**
     * Runs the command, and returns its exit code.
     *
     * @param arguments of this command, with {@code --mpi}, which ranks ignore
     */
    int run(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(launcher());
        command.add(environment.project().resolve("jacquard").toString());
        command.addAll(arguments);
        environment.err().println("jacquard: " + String.join(" ", command));
        environment.err().flush();
        Process process = new ProcessBuilder(command).inheritIO().start();
        while (true) {
            try {
                return process.waitFor();
            } catch (InterruptedException e) { // the launcher gets the signal itself, and ends
                process.destroy();
            }
        }
    }

    private List<String> launcher() {
        Path program = PROGRAMS.getOrDefault(kind, List.of()).stream()
                .map(MpiLauncher::onPath)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> new InputException("--mpi " + kind + ": its launcher is not on the PATH (tried "
                        + String.join(", ", PROGRAMS.getOrDefault(kind, List.of())) + "); on Debian: apt-get install "
                        + PACKAGES.get(kind)));
        List<String> command = new ArrayList<>(List.of(program.toString(), "-n", String.valueOf(ranks)));
        if (kind.equals("openmpi")) {
            command.addAll(List.of("--bind-to", "none", "--oversubscribe"));
            if ("root".equals(System.getProperty("user.name"))) {
                command.add("--allow-run-as-root");
            }
        }
        return command;
    }

    private static Optional<Path> onPath(String name) {
        String path = System.getenv("PATH");
        if (path == null) {
            return Optional.empty();
        }
        for (String folder : path.split(File.pathSeparator, -1)) {
            Path file = Path.of(folder.isEmpty() ? "." : folder, name);
            if (Files.isExecutable(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }
}

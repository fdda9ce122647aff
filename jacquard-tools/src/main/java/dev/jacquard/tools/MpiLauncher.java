package dev.jacquard.tools;

import dev.jacquard.components.program.InputException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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
    /** Confined to the thread that runs the command. */
    private boolean badly;

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
     * Runs the command. The launcher runs in a session of the operating system for itself, where there is the program
     * {@code setsid}: so signals of the terminal come to this process alone. It sends them to the ranks, which stop in
     * good order; the launchers would leave them a second, or none.
     *
     * @param arguments of this command, with {@code --mpi}, which ranks ignore
     * @return the exit code: that for a signal if one came, else that of the first rank that failed
     */
    int run(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(launcher());
        command.add(environment.project().resolve("jacquard").toString());
        command.addAll(arguments);
        say(String.join(" ", command));
        onPath("setsid").ifPresent(program -> command.addFirst(program.toString()));
        CompletableFuture<Process> started = new CompletableFuture<>();
        try (LaunchNotes notes = LaunchNotes.create();
                Interrupts interrupts = Interrupts.calling(() -> stop(started, notes), again -> stop(started, notes))) {
            ProcessBuilder builder = new ProcessBuilder(command).inheritIO().redirectInput(new File("/dev/null"));
            builder.environment().put(LaunchNotes.VARIABLE, notes.folder().toString());
            Process process = builder.start();
            started.complete(process);
            int launchers = process.waitFor();
            badly = !notes.processes().isEmpty();
            return interrupts.exitCode() != 0 ? interrupts.exitCode() : exitCode(launchers, notes);
        }
    }

    /** Returns true if a rank has ended without good order. */
    boolean endedBadly() {
        return badly;
    }

    /** Asks the ranks to stop; the launcher if not all of them run on this machine. */
    private void stop(CompletableFuture<Process> started, LaunchNotes notes) {
        Process process = started.join();
        Collection<Long> known = notes.processes().values();
        List<ProcessHandle> its =
                process.descendants().filter(each -> known.contains(each.pid())).toList();
        if (its.size() == ranks) {
            its.forEach(ProcessHandle::destroy);
        } else {
            process.destroy();
        }
    }

    private int exitCode(int launchers, LaunchNotes notes) throws IOException {
        int exitCode = notes.exitCode();
        if (exitCode == 0 && launchers != 0) {
            List<String> processes = new ArrayList<>();
            notes.processes().forEach((rank, process) -> processes.add("rank " + rank + " was process " + process));
            say("no rank has reported a failure, so one was killed" + (processes.isEmpty() ? "" : ": ")
                    + String.join(", ", processes));
            return 1;
        }
        return exitCode;
    }

    private void say(String line) {
        environment.err().println("jacquard: " + line);
        environment.err().flush();
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

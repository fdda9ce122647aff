package dev.jacquard.bench.ranks;

import dev.jacquard.bench.rival.Compilation;
import dev.jacquard.bench.rival.Program;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A message that two processes send each other over MPI, one way: of 8 bytes, and of 8 MiB outside of the heap and in
 * it. Compared with the same loop in C. Each round starts new processes.
 */
final class MpiPingPong extends Workload {
    private static final long PATIENCE_NANOS = 120_000_000_000L;
    private static final int SMALL_TURNS = 20_000;
    private static final int LARGE_TURNS = 15;

    private final Mpi mpi;

    /** An implementation of MPI, with its packages for Debian. */
    enum Mpi {
        OPENMPI("openmpi", "openmpi-bin", "libopenmpi-dev"),
        MPICH("mpich", "mpich", "libmpich-dev");

        private final String key;
        private final String launcherPackage;
        private final String compilerPackage;

        Mpi(String key, String launcherPackage, String compilerPackage) {
            this.key = key;
            this.launcherPackage = launcherPackage;
            this.compilerPackage = compilerPackage;
        }

        private String launcher() {
            return "mpirun." + key;
        }

        private boolean hasLauncher() {
            String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
            for (String folder : path.split(File.pathSeparator, -1)) {
                if (Files.isExecutable(Path.of(folder, launcher()))) {
                    return true;
                }
            }
            return false;
        }

        private List<String> start() {
            List<String> command = new ArrayList<>(List.of(launcher(), "-n", "2"));
            if (this == OPENMPI) {
                command.addAll(List.of("--bind-to", "none", "--oversubscribe"));
                if ("root".equals(System.getProperty("user.name"))) {
                    command.add("--allow-run-as-root");
                }
            }
            return command;
        }

        /** The program in C, or why there is none. Its name for the implementation is part of the options' hash. */
        private Compilation program() {
            return Compilation.with(
                    "mpicxx." + key,
                    new Compilation.Source(
                            MpiPingPong.class, "pingpong", List.of(), List.of("-DIMPLEMENTATION=" + key)));
        }
    }

    MpiPingPong(Mpi mpi) {
        super("ranks." + mpi.key, "us/message", new Rounds(0, 1), new Rounds(0, 5));
        this.mpi = mpi;
    }

    @Override
    public long patienceNanos() {
        return PATIENCE_NANOS;
    }

    @Override
    public List<Absence> absences(Plan plan) {
        if (!mpi.hasLauncher()) {
            return List.of(new Absence(
                    "jacquard-" + mpi.key,
                    "there is no launcher (" + mpi.launcher() + ") on the PATH",
                    "apt-get install " + mpi.launcherPackage));
        }
        String problem = plan.includes(mpi.key) ? mpi.program().problem() : null;
        return problem == null
                ? List.of()
                : List.of(new Absence(mpi.key, problem, "apt-get install g++ " + mpi.compilerPackage));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        List<Contender> all = new ArrayList<>();
        if (mpi.hasLauncher()) {
            all.add(new Processes("jacquard", java(), plan.quick()));
            Path program = plan.includes(mpi.key) ? mpi.program().program() : null;
            if (program != null) {
                all.add(new Processes(mpi.key, List.of(program.toString()), plan.quick()));
            }
        }
        return all;
    }

    private static List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "-XX:+UseCompactObjectHeaders",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                MpiPingPongProcess.class.getName());
    }

    /** Two processes. */
    private final class Processes extends Contender {
        private final List<String> program;
        private final int smallTurns;
        private final int largeTurns;

        Processes(String system, List<String> program, boolean isQuick) {
            super(system, 2);
            this.program = program;
            this.smallTurns = isQuick ? SMALL_TURNS / 100 : SMALL_TURNS;
            this.largeTurns = isQuick ? 2 : LARGE_TURNS;
        }

        /** Both processes warm up themselves. */
        @Override
        public boolean warmsUp() {
            return false;
        }

        @Override
        public Map<String, Double> round() throws IOException {
            List<String> command = new ArrayList<>(mpi.start());
            command.addAll(program);
            String answer;
            try (Program processes = Program.start(system() + " over " + mpi.key, new ProcessBuilder(command))) {
                answer = processes.ask(smallTurns + " " + largeTurns, "us( [0-9.]+){3}");
            }
            String[] figures = answer.split(" ", -1);
            Map<String, Double> micros = new LinkedHashMap<>();
            micros.put(MAIN, Double.parseDouble(figures[1]));
            micros.put(".large", Double.parseDouble(figures[2]));
            micros.put(".heap", Double.parseDouble(figures[3]));
            return micros;
        }
    }
}

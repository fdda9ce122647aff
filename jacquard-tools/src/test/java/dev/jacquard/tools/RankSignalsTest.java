package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.testkit.Watchdog;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ends of ranks by signals and failures, with {@code --mpi} and under a launcher that a user has started. */
@ParameterizedClass
@ValueSource(strings = {"openmpi", "mpich"})
@Timeout(170)
class RankSignalsTest {
    private static final long MOST_SECONDS = 60;
    private static final int RANKS = 2;
    private static final Pattern READY = Pattern.compile("rank (\\d) is ready: (\\d+)");

    @Parameter
    String implementation = "";

    @TempDir
    Path folder;

    /** The processes of ranks; and the lines that all have printed. */
    private final Map<Integer, Long> ranks = new TreeMap<>();

    private final List<String> lines = new ArrayList<>();

    @BeforeEach
    void isThere() {
        RankCommands.assumeThere(implementation);
    }

    /** Begins a program, and waits until all ranks are ready. */
    private Process start(boolean byUs, String end) throws Exception {
        Process process = begin(byUs, end);
        BufferedReader reader = process.inputReader();
        while (ranks.size() < RANKS) {
            String line = reader.readLine();
            assertTrue(line != null, () -> "ended before all ranks were ready: " + lines);
            add(line);
        }
        return process;
    }

    /** Begins a program as the leader of a group of processes, as a shell does. */
    private Process begin(boolean byUs, String end) throws Exception {
        Path file = Files.writeString(
                folder.resolve("p.yaml"),
                "mode: data-parallel\nranks: " + RANKS + "\ncomponents: {it: {component: lingering, end: " + end
                        + "}}\n");
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.addAll(
                byUs ? RankCommands.java("-Djacquard.home=" + folder) : RankCommands.mpirun(implementation, RANKS));
        command.addAll(
                List.of("run", file.toString(), "--out", folder.resolve("out").toString()));
        if (byUs) {
            command.addAll(List.of("--mpi", implementation));
            Files.writeString(
                    folder.resolve("jacquard"),
                    "#!/bin/sh\nexec '" + String.join("' '", RankCommands.java()) + "' \"$@\"\n");
            Files.setPosixFilePermissions(folder.resolve("jacquard"), PosixFilePermissions.fromString("rwx------"));
        }
        Process process = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .start();
        CompletableFuture.delayedExecutor(MOST_SECONDS, TimeUnit.SECONDS).execute(() -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
        return process;
    }

    private void add(String line) {
        lines.add(line);
        for (Matcher ready = READY.matcher(line); ready.find(); ) {
            ranks.put(Integer.valueOf(ready.group(1)), Long.valueOf(ready.group(2)));
        }
    }

    /** Returns the exit code of a program. Its ranks end too; a launcher may end just before them. */
    private int end(Process process) throws Exception {
        process.inputReader().lines().forEach(this::add);
        int code = process.waitFor();
        for (long rank : ranks.values()) {
            Watchdog.until(() -> isGone(rank), rank + " ends: " + lines);
        }
        return code;
    }

    /** Returns true for a process that has ended, also if its parent has not asked for its exit code. */
    private static boolean isGone(long process) {
        Path state = Path.of("/proc", String.valueOf(process), "stat");
        try {
            return Files.readString(state).contains(") Z ");
        } catch (IOException e) {
            return true; // there is no such process
        }
    }

    private void assertNothingWritten() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<String> names = files.map(each -> each.getFileName().toString())
                    .filter(name -> name.contains("out"))
                    .toList();
            assertEquals(List.of(), names, () -> String.valueOf(lines));
        }
    }

    private static void signal(String name, String target) throws Exception {
        Process kill =
                new ProcessBuilder("kill", "-" + name, "--", target).inheritIO().start();
        assertEquals(0, kill.waitFor());
    }

    /** Ctrl-C is a signal to the whole group. */
    @ParameterizedTest
    @CsvSource({"INT, group, 130", "HUP, launcher, 129"})
    void aSignalStopsRanksThatWeHaveStarted(String name, String target, int code) throws Exception {
        Signals.assumeTaken(name);
        Process process = start(true, "cancelled");
        signal(name, (target.equals("group") ? "-" : "") + process.pid());
        assertEquals(code, end(process), () -> String.valueOf(lines));
        assertNothingWritten();
        assertTrue(
                lines.contains("jacquard: stopped before the end; nothing was written"), () -> String.valueOf(lines));
    }

    /** Open MPI's launcher returns 1 then, and MPICH's 0 or the code of ranks. */
    @Test
    void ctrlCUnderALauncherLeavesNothing() throws Exception {
        Signals.assumeTaken("INT");
        Process process = start(false, "cancelled");
        signal("INT", "-" + process.pid());
        end(process);
        assertNothingWritten();
    }

    @Test
    void aSignalToOneRankStopsAllWithItsCode() throws Exception {
        Signals.assumeTaken("TERM");
        Process process = start(false, "cancelled");
        signal("TERM", String.valueOf(ranks.get(1)));
        assertEquals(143, end(process), () -> String.valueOf(lines));
        assertNothingWritten();
    }

    @Test
    void aRankThatIsKilledEndsAll() throws Exception {
        Process process = start(true, "cancelled");
        signal("KILL", String.valueOf(ranks.get(1)));
        assertEquals(1, end(process), () -> String.valueOf(lines));
        assertNothingWritten();
        assertTrue(
                lines.stream()
                        .anyMatch(line -> line.contains("one was killed: ")
                                && line.contains("rank 1 was process " + ranks.get(1))),
                () -> String.valueOf(lines));
    }

    @Test
    void aRankThatIsKilledUnderALauncherEndsAll() throws Exception {
        Process process = start(false, "cancelled");
        signal("KILL", String.valueOf(ranks.get(0)));
        assertNotEquals(0, end(process), () -> String.valueOf(lines));
    }

    @ParameterizedTest
    @CsvSource({"input, 2", "abort, 7", "exit, 1"})
    void theExitCodeIsThatOfTheRankThatFailed(String how, int code) throws Exception {
        assertEquals(code, end(begin(true, how)), () -> String.valueOf(lines));
        assertNothingWritten();
    }
}

package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs over ranks that the launchers of this machine start. */
@ParameterizedClass
@ValueSource(strings = {"openmpi", "mpich"})
@Timeout(170)
class RankProcessesTest {
    private static final long MOST_SECONDS = 150;
    private static final Path EXAMPLES =
            Path.of("..", "examples").toAbsolutePath().normalize();

    @Parameter
    String implementation = "";

    @TempDir
    Path folder;

    private record Result(int code, String out, String errors) {}

    @BeforeEach
    void isThere() {
        RankCommands.assumeThere(implementation);
    }

    private Process start(int ranks, String... arguments) throws Exception {
        List<String> command = ranks > 0 ? RankCommands.mpirun(implementation, ranks) : RankCommands.java();
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(folder.resolve("stdout").toFile())
                .redirectError(folder.resolve("stderr").toFile())
                .start();
    }

    private Result run(int ranks, String... arguments) throws Exception {
        return end(start(ranks, arguments));
    }

    private Result end(Process process) throws Exception {
        boolean hasEnded = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
        if (!hasEnded) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return new Result(
                process.exitValue(),
                Files.readString(folder.resolve("stdout"), StandardCharsets.UTF_8),
                (hasEnded ? "" : "did not end; ") + Files.readString(folder.resolve("stderr"), StandardCharsets.UTF_8));
    }

    /** Returns the results in a report. */
    private static String results(Path out) throws Exception {
        String report = Files.readString(out.resolve("report.json"));
        return report.substring(report.indexOf("\"results\""));
    }

    /** The results are those of a run in one process, and one document is printed. */
    @ParameterizedTest
    @CsvSource({"refine, task-parallel, 2", "bratu, task-parallel, 3", "solve-ranks, data-parallel, 2"})
    void processesComputeTheSame(String example, String mode, int ranks) throws Exception {
        String file = EXAMPLES.resolve(example + ".yaml").toString();
        Path one = folder.resolve("one");
        Path several = folder.resolve("several");
        String number = String.valueOf(ranks);
        Result inProcess = run(0, "run", file, "--mode", mode, "--ranks", number, "--out", one.toString());
        assertEquals(0, inProcess.code, inProcess.errors);
        Result result = run(ranks, "run", file, "--mode", mode, "--out", several.toString(), "--json");
        assertEquals(0, result.code, result.errors);
        assertEquals(results(one), results(several));
        assertEquals(result.out, Files.readString(several.resolve("report.json")));
        for (String each : List.of("solve/x.npy", "solve/x.mtx")) {
            if (Files.exists(one.resolve(each))) {
                assertEquals(-1, Files.mismatch(one.resolve(each), several.resolve(each)), each);
            }
        }
    }

    /** Ends as Ctrl-C ends it, or at once; what rank 1 has written is a part of the checkpoint, too. */
    @ParameterizedTest
    @CsvSource({"task-parallel, true", "data-parallel, false"})
    void aStoppedRunGoesOn(String mode, boolean atOnce) throws Exception {
        Path go = folder.resolve("go");
        Path file = Files.writeString(folder.resolve("p.yaml"), """
                mode: %s
                checkpoint: {every: 2}
                components:
                  first: {component: tally}
                  second: {component: tally, passes: 9, holds: 6, file: %s}
                wires: {first.in: second.again, second.in: first.value}
                """.formatted(mode, go));
        Files.createFile(go);
        Path whole = folder.resolve("whole");
        Result reference = run(2, "run", file.toString(), "--out", whole.toString());
        assertEquals(0, reference.code, reference.errors);
        Files.delete(go);
        Path out = folder.resolve("out");
        Process process = start(2, "run", file.toString(), "--out", out.toString());
        Path part = out.resolve("checkpoint.ranks/rank-1-2");
        for (int i = 0; i < 1_000 && !isNamed(out.resolve("checkpoint"), part); i++) {
            assertFalse(process.waitFor(100, TimeUnit.MILLISECONDS), () -> "has ended");
        }
        if (atOnce) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
        } else {
            process.destroy();
        }
        end(process); // a launcher that a signal ends may have any code
        Files.createFile(go);
        Result other = run(1, "run", file.toString(), "--mode", mode, "--out", out.toString(), "--resume");
        assertEquals(2, other.code);
        assertTrue(
                other.errors.contains(
                        "is a checkpoint of a run " + mode + " on 2 ranks of a launcher, and this one is to" + " run "
                                + mode + " on 1 rank of a launcher; give --mode " + mode + " --ranks 2 with --mpi"),
                other.errors);
        Result resumed = run(2, "run", file.toString(), "--out", out.toString(), "--resume");
        assertEquals(0, resumed.code, resumed.errors);
        assertEquals(results(whole), results(out));
        for (String each : List.of("first/sums.txt", "second/sums.txt")) {
            assertEquals(Files.readString(whole.resolve(each)), Files.readString(out.resolve(each)), each);
        }
        assertFalse(Files.exists(out.resolve("checkpoint")) || Files.exists(out.resolve("checkpoint.ranks")));
    }

    /** Returns true if the second savepoint is complete: then no file of the first one is there. */
    private static boolean isNamed(Path manifest, Path part) {
        return Files.exists(manifest)
                && Files.exists(part)
                && !Files.exists(part.resolveSibling("rank-1-1"))
                && !Files.exists(part.resolveSibling("rank-0-1"));
    }

    @Test
    void ranksThatWaitForEachOtherAreToldAndEnd() throws Exception {
        Path file = Files.writeString(
                folder.resolve("p.yaml"),
                "mode: data-parallel\nranks: 2\ncomponents: {ring: {component: standstill}}\n");
        Result result =
                run(2, "run", file.toString(), "--out", folder.resolve("out").toString());
        assertEquals(1, result.code, result.errors);
        assertTrue(
                result.errors.contains(
                        "rank 0: all ranks wait for each other: rank 0 waits for a message of rank 1 with"
                                + " tag 7 in communicator 'ring'; rank 1 waits for a message of rank 0 with tag 7 in communicator"
                                + " 'ring'"),
                result.errors);
    }

    @Test
    void aNumberOfRanksThatDoesNotFitIsNamed() throws Exception {
        Path file = Files.writeString(
                folder.resolve("p.yaml"), "mode: data-parallel\ncomponents: {ring: {component: standstill}}\n");
        Result result = run(2, "run", file.toString(), "--ranks", "3");
        assertNotEquals(0, result.code);
        assertTrue(
                result.errors.contains("--ranks is 3, and mpirun") && result.errors.contains("has started 2 ranks"),
                result.errors);
    }
}

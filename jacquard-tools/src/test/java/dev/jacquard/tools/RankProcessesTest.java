package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

    private Result run(int ranks, String... arguments) throws Exception {
        List<String> command = ranks > 0 ? RankCommands.mpirun(implementation, ranks) : RankCommands.java();
        command.addAll(List.of(arguments));
        Path out = folder.resolve("stdout");
        Path errors = folder.resolve("stderr");
        Process process = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile())
                .start();
        boolean hasEnded = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
        if (!hasEnded) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return new Result(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                (hasEnded ? "" : "did not end; ") + Files.readString(errors, StandardCharsets.UTF_8));
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

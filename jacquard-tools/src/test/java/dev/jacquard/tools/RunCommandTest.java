package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.components.program.OutputFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of several components on the command line. */
class RunCommandTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String several = "";
    private String alone = "";
    private Path trace = Path.of("");

    @BeforeEach
    void writePrograms() throws IOException {
        several = Files.writeString(folder.resolve("several.yaml"), "components:\n  a: {component: echo}\n")
                .toString();
        alone = Files.writeString(folder.resolve("alone.yaml"), "component: echo\n")
                .toString();
        trace = folder.resolve("trace.json");
    }

    private int run(boolean terminal, String file, String... more) {
        String[] args = new String[more.length + 4];
        args[0] = "run";
        args[1] = file;
        args[2] = "--out";
        args[3] = folder.resolve("results").toString();
        System.arraycopy(more, 0, args, 4, more.length);
        return Main.run(
                args, new Environment(new PrintWriter(out), new PrintWriter(err), terminal, null, folder, false));
    }

    @Test
    void theDocumentHasStandardOutputForItself() {
        PrintStream realOut = System.out;
        PrintStream realErr = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        String[] args = {"run", several, "--out", folder.resolve("results").toString(), "--set", "a.end=printed"};
        try {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
            assertEquals(0, Main.runHere(args));
            assertTrue(printed.toString(StandardCharsets.UTF_8).startsWith("by itself\n"), printed::toString);
            printed.reset();
            assertEquals(
                    0,
                    Main.runHere(
                            Stream.concat(Stream.of(args), Stream.of("--json")).toArray(String[]::new)));
        } finally {
            System.setOut(realOut);
            System.setErr(realErr);
        }
        assertTrue(printed.toString(StandardCharsets.UTF_8).startsWith("{"), printed::toString);
        assertEquals("by itself\n", told.toString(StandardCharsets.UTF_8));
    }

    @Test
    void componentsAreTracedOnRequest() throws IOException {
        assertEquals(0, run(false, several, "--trace", trace.toString()), err::toString);
        assertTrue(Files.readString(trace).contains("\"name\":\"component a\""));
        assertEquals(0, run(false, alone, "--trace", trace.toString(), "--mode", "serial"), err::toString);
        assertTrue(Files.readString(trace).contains("\"name\":\"component echo\""));
    }

    /** The results are there, and the trace is not. */
    @Test
    void aTraceInThePlaceOfAResultIsTold() throws IOException {
        assertEquals(0, run(false, alone, "--mode", "serial"), err::toString);
        Path echo = folder.resolve("results/echo.txt");
        String text = Files.readString(echo);
        assertEquals(1, run(false, alone, "--mode", "serial", "--trace", echo.toString()));
        assertTrue(
                err.toString().contains("--trace " + echo + ": the run has written a file of this name"),
                err.toString());
        assertEquals(text, Files.readString(echo));
    }

    @Test
    void whatCannotBeTracedIsToldBeforeTheRun() {
        assertEquals(2, run(false, alone, "--trace", trace.toString()));
        assertEquals(
                "jacquard: --trace: the program " + alone + " is an application alone; give --mode serial, too, to run"
                        + " it as a component that is traced\n",
                err.toString());
        assertEquals(
                2,
                run(false, several, "--trace", folder.resolve("no/trace.json").toString()));
        assertTrue(err.toString().contains("trace.json: expected a file in a folder that exists"), err.toString());
        assertFalse(Files.exists(trace));
        assertFalse(Files.exists(folder.resolve("results")));
    }

    @Test
    void aFileThatCannotBeWrittenIsToldBeforeTheRun() throws IOException {
        String nowhere = folder.resolve("no/graph.svg").toString();
        Environment its = new Environment(new PrintWriter(out), new PrintWriter(err), false, null, folder, false);
        assertEquals(2, Main.run(new String[] {"graph", several, "--svg", nowhere}, its));
        assertEquals("jacquard: --svg " + nowhere + ": expected a file in a folder that exists\n", err.toString());
        Path device = Path.of("/dev/full");
        assumeTrue(Files.isWritable(device), "there is a device that is full");
        assertEquals(1, run(false, several, "--trace", device.toString()));
        assertTrue(
                err.toString().endsWith("jacquard: the trace /dev/full cannot be written: No space left on device\n"),
                err::toString);
    }

    @Test
    void theProgramIsNotOverwritten() throws IOException {
        String before = Files.readString(Path.of(several));
        String text = " " + several + ": that is the program; expected another file\n";
        assertEquals(2, run(false, several, "--trace", several));
        assertEquals("jacquard: --trace" + text, err.toString());
        Environment its = new Environment(new PrintWriter(out), new PrintWriter(err), false, null, folder, false);
        assertEquals(2, Main.run(new String[] {"graph", several, "--svg", several}, its));
        assertTrue(err.toString().endsWith("jacquard: --svg" + text), err::toString);
        assertEquals(before, Files.readString(Path.of(several)));
    }

    @Test
    void theTraceIsNoneOfTheResults() throws IOException {
        Path results = folder.resolve("results");
        assertEquals(2, run(false, several, "--trace", results.toString()));
        assertEquals(
                "jacquard: --trace " + results + ": that is the folder of the results; expected another file\n",
                err.toString());
        Path report = Files.createDirectory(results).resolve("report.json");
        assertEquals(2, run(false, several, "--trace", report.toString()));
        assertTrue(err.toString().endsWith(": that is the report of the run; expected another file\n"), err::toString);
    }

    @Test
    void modesThatRunAreProposed() {
        assertEquals(2, run(false, several, "--mode", "foo"));
        assertEquals(
                "jacquard: --mode is 'foo'; expected one of serial, parallel, task-parallel, data-parallel\n",
                err.toString());
    }

    @Test
    void aPlaceWhereNoFileCanBeMadeIsToldBeforeTheRun() {
        Path nowhere = Path.of("/proc/nope.json");
        assumeTrue(Files.isDirectory(Path.of("/proc")), "there is a folder of the system's, without files of users");
        assertEquals(2, run(false, several, "--trace", nowhere.toString()));
        String text = "--trace " + nowhere + ": no file can be made in /proc; expected a file in a folder where files"
                + " can be made\n";
        if (Files.isWritable(Path.of("/proc"))) { // so it says to the superuser
            assertEquals("jacquard: " + text, err.toString());
        }
        assertFalse(Files.exists(folder.resolve("results")));
        Environment its = new Environment(new PrintWriter(out), new PrintWriter(err), false, null, folder, false);
        assertEquals(2, Main.run(new String[] {"graph", several, "--svg", nowhere.toString()}, its));
        assertTrue(err.toString().contains("jacquard: --svg " + nowhere + ": "), err::toString);
    }

    @Test
    void resultsAreKeptThoughTheirTraceCannotBeWritten() throws IOException {
        Path device = Path.of("/dev/full");
        assumeTrue(Files.isWritable(device), "there is a device that is full");
        assertEquals(1, run(false, several, "--trace", device.toString(), "--json"));
        assertEquals("jacquard: the trace /dev/full cannot be written: No space left on device\n", err.toString());
        Path report = folder.resolve("results/report.json");
        assertEquals(Files.readString(report), out.toString());
        assertTrue(Files.exists(folder.resolve("results/graph.svg")));
    }

    @Test
    void theCheckpointIsGoneWithTheResultsInPlaceThoughTheTraceIsNot() throws IOException {
        Path device = Path.of("/dev/full");
        assumeTrue(Files.isWritable(device), "there is a device that is full");
        Path loop = Files.writeString(folder.resolve("loop.yaml"), """
                checkpoint: {every: 1}
                components:
                  one: {component: number, value: 1}
                  all: {component: sum}
                  end: {component: until, passes: 3}
                wires: {all.in1: one.value, all.in2: end.again, end.value: all.value}
                """);
        assertEquals(1, run(false, loop.toString(), "--trace", device.toString()), err::toString);
        assertTrue(err.toString().startsWith("jacquard: the trace /dev/full cannot be written"), err::toString);
        assertTrue(Files.exists(folder.resolve("results/report.json")));
        assertFalse(Files.exists(folder.resolve("results/checkpoint")));
    }

    private static final String FAILS = """
            checkpoint: {every: 2}
            components:
              one: {component: number, value: 1}
              all: {component: sum}
              bad: {component: fail, at: 4}
              end: {component: until, passes: 6}
            wires: {all.in1: one.value, all.in2: end.again, bad.value: all.value, end.value: bad.value}
            """;

    /** The command of a run that failed goes on from its checkpoint, also with another number of passes. */
    @Test
    void aFailedRunSaysHowItIsResumed() throws IOException {
        Path file = Files.writeString(folder.resolve("fails.yaml"), FAILS);
        assertEquals(1, run(false, file.toString()));
        String resume = "./jacquard run " + file + " --out " + folder.resolve("results") + " --resume";
        List<String> lines = err.toString().lines().toList();
        assertTrue(lines.getFirst().startsWith("jacquard: component 'bad' "), err::toString);
        assertEquals("jacquard: to resume from the checkpoint: " + resume, lines.get(1));
        assertEquals(2, lines.size(), err::toString);

        err.getBuffer().setLength(0);
        assertEquals(1, run(false, file.toString()));
        assertEquals(
                "jacquard: starts from the beginning: the first checkpoint of this run replaces "
                        + folder.resolve("results").resolve("checkpoint") + "; --resume goes on from it",
                err.toString().lines().toList().getFirst());

        err.getBuffer().setLength(0);
        assertEquals(1, run(false, file.toString(), "--resume", "--json"));
        String place = "resumed at pass 3 of the loop 'all' to 'end'; not executed again: 'one'";
        assertEquals("jacquard: " + place, err.toString().lines().toList().getFirst());
        assertTrue(out.toString().contains("\"resume\" : \"" + resume + " --json\""), out::toString);

        out.getBuffer().setLength(0);
        assertEquals(0, run(false, file.toString(), "--resume", "--set", "end.passes=3"), err::toString);
        assertTrue(out.toString().startsWith(place + System.lineSeparator()), out::toString);
        assertTrue(Files.readString(folder.resolve("results/report.json")).contains("\"pass\" : 3"));
    }

    @Test
    void aRunWithoutACheckpointIsNotResumed() throws IOException {
        Path file = Files.writeString(folder.resolve("fails.yaml"), FAILS.replace("at: 4", "at: 1"));
        assertEquals(1, run(false, file.toString()));
        assertEquals(1, err.toString().lines().count(), err::toString);
    }

    @Test
    void argumentsThatAShellChangesAreQuoted() {
        assertEquals(
                "mpirun -n 2 ./jacquard run 'my program.yaml' --resume --set 'it='\\''s'",
                ResumeLine.of(
                        List.of("mpirun", "-n", "2"), List.of("run", "my program.yaml", "--resume", "--set", "it='s")));
    }

    @Test
    void theLineHasTheNameOfTheComponent() {
        assertEquals(0, run(true, several), err::toString);
        assertTrue(err.toString().contains("la: echoing ["), err.toString());
    }

    @Test
    void jarsOfTheEnvironmentAreNamedAsSuch() {
        Path none = folder.resolve("none.jar");
        Environment of = new Environment(new PrintWriter(out), new PrintWriter(err), false, null, folder, false);
        Environment with = new Environment(
                of.out(), of.err(), of.screen(), false, of.columns(), null, List.of(none), folder, false, false);
        String message = none + ": there is no such file; expected a jar with components\n";
        assertEquals(2, Main.run(new String[] {"run", several}, with));
        assertEquals("jacquard: JACQUARD_JARS: " + message, err.toString());
        err.getBuffer().setLength(0);
        assertEquals(2, Main.run(new String[] {"run", several, "--jar", none.toString()}, of));
        assertEquals("jacquard: --jar " + message, err.toString());
    }

    @Test
    void aSolutionThatGrowsWithoutBoundsIsFailedWork() throws IOException {
        Path grows = Files.writeString(folder.resolve("grows.yaml"), """
                component: pde
                grid: {cells: 8}
                unknowns:
                  c: {initial: "1", rate: "c*c"}
                time: {method: ssp3, step: 0.01, end: 20}
                """);
        assertEquals(1, run(false, grows.toString()));
        assertTrue(
                err.toString().startsWith("jacquard: 'c' is not finite in cell [0, 0, 0] after step "), err::toString);
        assertEquals(1, err.toString().lines().count(), err::toString);
    }

    @Test
    void aStoppedRunSaysWhatItHasLeft() throws IOException {
        try (OutputFolder results = OutputFolder.open(folder.resolve("results"))) {
            assertEquals("stopped before the end; nothing was written", RunCommand.stopped(results));
            results.forPart("b", Set.of()).kept("b.txt");
            String part = "stopped before the end; nothing was written but what stays in " + results.folder()
                    + ", of component";
            assertEquals(part + " 'b'", RunCommand.stopped(results));
            results.forPart("a", Set.of()).kept("a.txt");
            assertEquals(part + "s 'a', 'b'", RunCommand.stopped(results));
            results.keeps();
            assertEquals(
                    "stopped before the end; the checkpoint is kept, and --resume goes on from it",
                    RunCommand.stopped(results));
        }
    }
}

package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.apps.replay.ReplayResult;
import dev.jacquard.apps.replay.ReplayResult.EndState;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplayCommandTest {
    private static final String EXAMPLES = "../examples/";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource({"replay-stencil.json, 0, 18", "replay-particles.json, 0, 14", "replay-tour.json, 1, 4"})
    void theExamplesKeepToTheirOrder(String example, int exitCode, int tasks) {
        for (String workers : new String[] {"1", "2", "3"}) {
            assertEquals(exitCode, run("replay", EXAMPLES + example, "--workers", workers, "--check"), err.toString());
            assertTrue(out.toString().contains(tasks + " tasks: "), out.toString());
            assertTrue(out.toString().endsWith("checked: the run kept to the program\n"), out.toString());
            out.getBuffer().setLength(0);
        }
        assertEquals("", err.toString());
    }

    @Test
    void jsonIsTheResultAndNothingElse() {
        assertEquals(1, run("replay", EXAMPLES + "replay-tour.json", "--workers", "2", "--json", "--check"));
        ReplayResult result = ReplayResult.parse("out", out.toString());
        assertEquals(2, result.workers());
        assertEquals(1, result.count(EndState.FAILED));
        assertEquals("", err.toString());
    }

    @Test
    void aTaskIsExplained() throws IOException {
        Path program = Files.writeString(folder.resolve("p.json"), """
                {"resources": [{"name": "x"}],
                 "tasks": [{"name": "write", "micros": 200, "accesses": [{"resource": "x", "mode": "write"}]},
                           {"name": "read", "micros": 100, "accesses": [{"resource": "x", "mode": "read"}],
                            "refine": [{"name": "inside", "micros": 10}]},
                           {"name": "fail", "micros": 10, "fails": true,
                            "accesses": [{"resource": "x", "mode": "write"}]},
                           {"name": "never", "accesses": [{"resource": "x", "mode": "read"}]},
                           {"name": "main", "flags": ["main"]}]}
                """);
        for (String policy : new String[] {"stealing", "earliest-finish"}) {
            List<String> read = why(program, policy, "read");
            assertTrue(
                    read.get(0).matches("task \"read\" ran on (main|w1) from [0-9.]+ to [0-9.]+ µs, under .*"),
                    read::toString);
            assertTrue(
                    read.get(1)
                            .matches("it was ready at [0-9.]+, when \"write\" ended on (main|w1): both access \"x\""),
                    read::toString);
            assertTrue(read.get(2).startsWith("it began "), read::toString);
            assertTrue(read.getLast().matches("(main|w1): free at [0-9.]+.*, over at [0-9.]+"), read::toString);
            boolean weighs = policy.equals("earliest-finish");
            assertEquals(
                    weighs ? 2 : 0,
                    read.stream()
                            .filter(line -> line.startsWith("the policy expected, once it was ready, on worker "))
                            .count(),
                    read::toString);
            List<String> inside = why(program, policy, "inside");
            assertTrue(
                    inside.get(1).startsWith("it waits for no task; \"read\", which it is inside, began at "),
                    inside::toString);
            assertEquals(
                    List.of("task \"never\" did not run: it needs \"fail\", which is failed"),
                    why(program, policy, "never"));
            assertEquals(
                    "only the main thread may run it",
                    why(program, policy, "main").getLast());
        }
        out.getBuffer().setLength(0);
        assertEquals(1, run("replay", program.toString(), "--workers", "2", "--why", "read", "--json"), err::toString);
        assertTrue(out.toString().contains("\"why\" : [ \"task "), out::toString);
        ReplayResult.parse("out", out.toString());
        assertEquals(2, run("replay", program.toString(), "--why", "raed"));
        assertTrue(
                err.toString()
                        .contains("--why raed: the program has no task of this name; expected one such as \"write\""),
                err::toString);
    }

    private List<String> why(Path program, String policy, String task) {
        out.getBuffer().setLength(0);
        assertEquals(
                1,
                run("replay", program.toString(), "--workers", "2", "--policy", policy, "--why", task),
                err::toString);
        List<String> lines = out.toString().lines().toList();
        int summary = 0;
        while (!lines.get(summary).contains(" tasks: ")) {
            summary++;
        }
        return lines.subList(summary + 1, lines.size()).stream()
                .map(String::strip)
                .toList();
    }

    @Test
    void timesAreScaled() {
        assertEquals(1, run("replay", EXAMPLES + "replay-tour.json", "--json", "--scale", "50", "--workers", "1"));
        assertTrue(ReplayResult.parse("out", out.toString()).makespan() >= 50 * 50_000);
    }

    @Test
    void theTraceIsAFile() throws IOException {
        Path trace = folder.resolve("trace.json");
        assertEquals(0, run("replay", EXAMPLES + "replay-stencil.json", "--trace", trace.toString()));
        assertTrue(Files.readString(trace).contains("\"name\":\"step 3 block 3\""));
    }

    @Test
    void resultsAreToldThoughTheirTraceCannotBeWritten() {
        assumeTrue(Files.isWritable(Path.of("/dev/full")), "there is a device that is full");
        assertEquals(1, run("replay", EXAMPLES + "replay-stencil.json", "--json", "--trace", "/dev/full"));
        assertEquals(18, ReplayResult.parse("out", out.toString()).count(EndState.DONE));
        assertEquals("jacquard: /dev/full cannot be written: No space left on device\n", err.toString());
    }

    @Test
    void aPlaceWhereNoFileCanBeMadeIsToldBeforeTheRun() {
        assumeTrue(Files.isDirectory(Path.of("/proc")), "there is a folder of the system's, without files of users");
        assertEquals(2, run("replay", EXAMPLES + "replay-stencil.json", "--svg", "/proc/nope.svg"));
        assertTrue(err.toString().startsWith("jacquard: --svg /proc/nope.svg: "), err::toString);
        assertEquals("", out.toString());
    }

    @Test
    void theGraphIsDrawn() throws IOException {
        Path svg = folder.resolve("graph.svg");
        assertEquals(0, run("replay", EXAMPLES + "replay-particles.json", "--svg", svg.toString()));
        String drawn = Files.readString(svg);
        assertTrue(drawn.startsWith("<svg") && drawn.contains("push left, first"), drawn.substring(0, 80));
        assertTrue(drawn.contains("replay-particles.json: dependency graph"), "its heading");
    }

    @Test
    void wrongProgramsAreExplainedBeforeAnythingRuns() throws IOException {
        Path file = Files.writeString(folder.resolve("wrong.json"), """
                {"resources": [{"name": "E"}],
                 "tasks": [{"name": "a", "accesses": [{"resource": "E", "mode": "read"}],
                   "demote": [{"at": 0, "resource": "E", "mode": "write"}]}]}
                """);
        assertEquals(2, run("replay", file.toString(), "--json"));
        assertTrue(
                err.toString()
                        .startsWith("jacquard: " + file + ":3:4: task \"a\": its demotion at 0.0 to write of \"E\""),
                err.toString());
        assertTrue(out.toString().contains("\"exitCode\" : 2"), out.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "replay no.json | no.json: there is no such file",
                "replay ../examples/replay-tour.json --workers 0 | --workers 0: expected 1 to 4096",
                "replay ../examples/replay-tour.json --scale -1 | --scale -1.0: expected a number from 0 on",
                "replay ../examples/replay-tour.json --scale 1e308 | --scale 1.0E308: too much",
                "replay ../examples/replay-tour.json --trace no/trace.json | --trace no/trace.json: expected a file in a folder",
                "replay ../examples/replay-tour.json --policy fofi | --policy fofi: there is no policy \"fofi\"; did you mean \"fifo\"?",
                "replay | Missing required parameter: 'FILE'",
            })
    void badUsageIsExplained(String line, String part) {
        assertEquals(2, run(line.split(" ")));
        assertTrue(err.toString().contains(part), err.toString());
        assertEquals("", out.toString());
    }

    /** Also by a link, and by a path with detours; a device may be named twice. */
    @Test
    void filesThatAreReadOrWrittenAlreadyAreNotOverwritten() throws IOException {
        Path file = Files.copy(Path.of(EXAMPLES + "replay-stencil.json"), folder.resolve("a.json"));
        String program = file.toString();
        String detour = folder.resolve("./b.svg").toString();
        for (String option : new String[] {"--svg", "--trace"}) {
            assertEquals(2, run("replay", program, option, program));
            assertEquals(
                    "jacquard: " + option + " " + program + ": that is the program; expected another file\n",
                    err.toString());
            err.getBuffer().setLength(0);
        }
        assertEquals(
                2, run("replay", program, "--trace", folder.resolve("b.svg").toString(), "--svg", detour));
        assertTrue(err.toString().contains("that is the file of --trace; expected another file"), err.toString());
        assertEquals(-1, Files.mismatch(Path.of(EXAMPLES + "replay-stencil.json"), file));
        assumeTrue(Files.exists(Path.of("/dev/null")), "there is a device that takes all");
        assertEquals(0, run("replay", program, "--trace", "/dev/null", "--svg", "/dev/null"));
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), file);
        assertEquals(2, run("replay", link.toString(), "--svg", program));
    }

    @Test
    void progressIsShownOnATerminalOnly() {
        Environment terminal = new Environment(new PrintWriter(out), new PrintWriter(err), true, null, folder, false);
        assertEquals(0, Main.run(new String[] {"replay", EXAMPLES + "replay-stencil.json"}, terminal));
        assertTrue(err.toString().contains("replaying ["), err.toString());
        assertFalse(out.toString().contains("replaying ["));
    }

    private int run(String... args) {
        return Main.run(args, new Environment(new PrintWriter(out), new PrintWriter(err), false, null, folder, false));
    }
}

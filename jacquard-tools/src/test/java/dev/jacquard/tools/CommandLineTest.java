package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.device.link.LinkFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandLineTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String program = "";
    private String results = "";

    @BeforeEach
    void writeProgram() throws IOException {
        program = Files.writeString(folder.resolve("echo.yaml"), "component: echo\n")
                .toString();
        results = folder.resolve("results").toString();
    }

    @Test
    void runWritesItsFilesAndSaysSo() throws IOException {
        assertEquals(0, run("run", program, "--out", results, "--set", "text=good day"));
        assertEquals("said good day\n", out.toString());
        assertEquals("", err.toString());
        assertEquals("good day", Files.readString(folder.resolve("results/echo.txt")));
        assertEquals(
                "{ \"said\" : \"good day\" } ",
                Files.readString(folder.resolve("results/report.json")).replaceAll("\\s+", " "));
    }

    @Test
    void jsonIsTheReportAndNothingElse() throws IOException {
        assertEquals(0, run("run", program, "--out", results, "--json"));
        assertEquals(Files.readString(folder.resolve("results/report.json")), out.toString());
        assertEquals("", err.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "input, 2, tile 3 is bad",
        "work, 1, the disk is full",
        "file, 1, c.npy cannot be written: No space left on device",
        "cancelled, 1, stopped before the end; nothing was written"
    })
    void failuresAreOneLineAndLeaveNothing(String end, int exitCode, String message) throws IOException {
        assertEquals(exitCode, run("run", program, "--out", results, "--set", "end=" + end));
        assertEquals("", out.toString());
        assertEquals("jacquard: " + message + "\n", err.toString());
        assertEquals(List.of("echo.yaml"), names());
    }

    @Test
    void aFullDiskIsToldWithTheFolderOfTheResults() {
        assertEquals(1, run("run", program, "--out", results, "--set", "end=space"));
        assertEquals(
                "jacquard: the output folder " + results + " cannot be written: No space left on device\n",
                err.toString());
    }

    @Test
    void failuresAreAJsonDocumentToo() {
        assertEquals(2, run("run", program, "--out", results, "--json", "--set", "end=input"));
        assertEquals(
                "{ \"error\" : \"tile 3 is bad\", \"exitCode\" : 2 } ",
                out.toString().replaceAll("\\s+", " "));
        assertEquals("jacquard: tile 3 is bad\n", err.toString());
    }

    @Test
    void faultsOfOursShowWhereTheyArose() {
        assertEquals(1, run("run", program, "--out", results, "--set", "end=fault"));
        assertTrue(
                err.toString()
                        .startsWith("jacquard: internal error: java.lang.IllegalStateException: this cannot be\n"),
                err.toString());
        assertTrue(err.toString().contains("at dev.jacquard.tools.EchoComponent.run"), err.toString());
    }

    @Test
    void componentsAreListedByNameAndAsSchema() {
        assertEquals(0, Main.run(new String[] {"components", "until"}, environment(false, false)));
        assertTrue(out.toString().contains("source that closes a loop, again: Double"), out.toString());
        assertEquals(2, Main.run(new String[] {"components", "untill"}, environment(false, false)));
        assertTrue(err.toString().contains("did you mean 'until'?"), err.toString());
        assertEquals(0, Main.run(new String[] {"components", "--schema"}, environment(false, false)));
        assertTrue(out.toString().contains("json-schema.org/draft/2020-12"), out.toString());
    }

    @Test
    void programsAreDrawnAndChecked() throws IOException {
        Path file = folder.resolve("two.yaml");
        Files.writeString(file, "components:\n  a: {component: number, value: 2}\n  b: {component: show}\n");
        Path svg = folder.resolve("two.svg");
        assertEquals(
                0,
                Main.run(new String[] {"graph", file.toString(), "--svg", svg.toString()}, environment(false, false)));
        assertTrue(Files.readString(svg).contains("a.value to b.value: Double"), out.toString());
        out.getBuffer().setLength(0);
        assertEquals(0, Main.run(new String[] {"graph", file.toString(), "--svg", "-"}, environment(false, false)));
        assertEquals(Files.readString(svg), out.toString());
        assertEquals(0, Main.run(new String[] {"run", file.toString(), "--check"}, environment(false, false)));
        assertTrue(out.toString().contains(file + ": can run"), out.toString());
        assertEquals(2, Main.run(new String[] {"run", file.toString(), "--mode", "fast"}, environment(false, false)));
        assertTrue(
                err.toString()
                        .contains("--mode is 'fast'; expected one of serial, parallel, task-parallel, data-parallel"),
                err.toString());
        Path results = folder.resolve("two");
        assertEquals(
                0,
                Main.run(
                        new String[] {"run", file.toString(), "--out", results.toString(), "--mode", "parallel"},
                        environment(false, false)));
        assertTrue(out.toString().contains("b: 2.0"), out.toString());
        assertTrue(Files.readString(results.resolve("graph.svg")).contains("1 × "), "the times");
        assertTrue(Files.readString(results.resolve("report.json")).contains("\"mode\" : \"parallel\""), "the mode");
    }

    @Test
    void debuggingShowsWhereAnErrorArose() {
        assertEquals(2, Main.run(new String[] {"run", "no.yaml"}, environment(true, false)));
        assertTrue(err.toString().contains("at dev.jacquard.components.program.ProgramText"), err.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run no.yaml | no.yaml: there is no such file",
                "run | Missing required parameter: 'FILE'",
                "'' | a command is missing",
                "rum x | there is no command 'rum'",
                "help rum | there is no command 'rum'; did you mean 'run'?",
                "run x --sett a=b | has no option '--sett'",
                "run x y | takes no argument 'y'",
                "run x --out | Missing required parameter for option '--out'",
            })
    void badUsageIsExplained(String line, String part) {
        String[] args = line.isEmpty() ? new String[0] : line.split(" ", -1);
        assertEquals(2, run(args));
        assertEquals("", out.toString());
        assertTrue(err.toString().startsWith("jacquard: "), err.toString());
        assertTrue(err.toString().contains(part), err.toString());
        assertFalse(err.toString().contains("\tat "), err.toString());
    }

    @Test
    void misspeltCommandsAndOptionsAreGuessed() {
        run("rum", "x");
        assertTrue(err.toString().contains("did you mean 'run'?"), err.toString());
        err.getBuffer().setLength(0);
        run("comp");
        assertTrue(err.toString().contains("did you mean 'components'?"), err.toString());
        run("qqqqqqqq");
        assertTrue(err.toString().contains("known are run, java, replay"), err.toString());
        err.getBuffer().setLength(0);
        run("run", "x", "--jsn=1");
        assertTrue(err.toString().contains("did you mean '--json'?"), err.toString());
        assertTrue(err.toString().endsWith("Try './jacquard run --help'.\n"), err.toString());
    }

    @Test
    void aBadSettingIsExplained() {
        assertEquals(2, run("run", program, "--out", results, "--set", "end=badly"));
        assertEquals(
                "jacquard: --set end=badly: 'end' is 'badly';"
                        + " expected one of well, printed, input, work, fault, cancelled, space, file, int, term,"
                        + " hup\n",
                err.toString());
    }

    @Test
    void anOutputFolderThatIsAFileIsRefused() throws IOException {
        assertEquals(2, run("run", program, "--out", program));
        assertEquals("component: echo\n", Files.readString(Path.of(program)));
        assertTrue(err.toString().contains("is a file; give another folder with --out"), err.toString());
    }

    @Test
    void anEmptyOutputFolderIsRefused() {
        assertEquals(2, run("run", program, "--out", ""));
        assertTrue(err.toString().startsWith("jacquard: --out is empty; expected a folder"), err.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "run --help",
                "components --help",
                "machine --help",
                "bench --help",
                "replay --help",
                "java --help",
                "completion --help",
                "help",
                "help run",
                "--version"
            })
    void helpGoesToStandardOutput(String line) {
        assertEquals(0, run(line.split(" ", -1)));
        assertFalse(out.toString().isBlank());
        assertEquals("", err.toString());
    }

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        assertEquals(0, run("completion"));
        Path script = Files.writeString(folder.resolve("completion"), out.toString());
        assertEquals("replay", completed(script, "rep"));
        assertEquals("--policy", completed(script, "replay", "--pol"));
    }

    private static String completed(Path script, String... words) throws Exception {
        String line = "jacquard " + String.join(" ", words);
        Process bash = new ProcessBuilder(
                        "bash",
                        "-c",
                        "source \"$1\"; COMP_WORDS=($2); COMP_CWORD=$3; COMP_LINE=$2; COMP_POINT=${#2};"
                                + " _complete_jacquard 2>/dev/null; echo ${COMPREPLY[@]}",
                        "bash",
                        script.toString(),
                        line,
                        "" + words.length)
                .redirectErrorStream(true)
                .start();
        String text = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertEquals(0, bash.waitFor(), text);
        return text;
    }

    @Test
    void aTaskProgramIsNoProgramAndTheOtherWayRound() throws IOException {
        Path tasks = Files.writeString(folder.resolve("tasks.json"), "{\"tasks\": []}");
        assertEquals(2, run("run", tasks.toString(), "--out", results));
        assertTrue(err.toString().contains("./jacquard replay " + tasks), err.toString());
        err.getBuffer().setLength(0);
        assertEquals(2, run("replay", program));
        assertTrue(err.toString().contains("./jacquard run " + program), err.toString());
    }

    @Test
    void controlCharactersDoNothingToATerminal() {
        assertEquals(2, run("run", "\u001b[31mred\u0007\u009b\u202e.yaml"));
        assertTrue(
                err.toString().contains("\\u001b[31mred\\u0007\\u009b\\u202e.yaml: there is no such file"),
                err.toString());
    }

    @Test
    void standardOutputThatTakesNothingIsAFailure() {
        PrintWriter full = new PrintWriter(new Writer() {
            @Override
            public void write(char[] from, int offset, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
        Environment environment = new Environment(full, new PrintWriter(err), false, null, folder, false);
        assertEquals(1, Main.run(new String[] {"run", program, "--out", results, "--json"}, environment));
        assertTrue(err.toString().contains("standard output could not be written"), err.toString());
        err.getBuffer().setLength(0);
        PrintWriter errors = new PrintWriter(err);
        Environment pipe = new Environment(full, errors, errors, false, 80, null, List.of(), folder, false, true);
        assertEquals(0, Main.run(new String[] {"components", "until"}, pipe));
        assertEquals("", err.toString());
    }

    @ParameterizedTest
    @CsvSource({"int, 130", "term, 143", "hup, 129"})
    void aSignalStopsARunWithTheShellsExitCode(String signal, int exitCode) throws IOException {
        Signals.assumeTaken(signal);
        assertEquals(exitCode, run("run", program, "--out", results, "--json", "--set", "end=" + signal));
        assertTrue(err.toString().contains("jacquard: stopped before the end; nothing was written\n"), err.toString());
        assertTrue(out.toString().contains("\"exitCode\" : " + exitCode), out.toString());
        assertEquals(List.of("echo.yaml"), names());
    }

    @Test
    void aProgramThatIsMuchTooLongIsRefusedAtOnce() throws IOException {
        Files.writeString(Path.of(program), "component: " + "a, ".repeat(2_000_000));
        assertEquals(2, run("run", program, "--out", results));
        assertTrue(err.toString().contains("it has more than 1048576 bytes"), err.toString());
    }

    @Test
    void versionIsTheBuilds() {
        run("--version");
        assertTrue(out.toString().matches("(?s)jacquard \\d+\\.\\d+\\.\\d+.*\nJava 25.*\n"), out.toString());
    }

    @Test
    void componentsAreListedWithTheirSettings() {
        assertEquals(0, run("components"));
        assertTrue(out.toString().matches("(?s).*\nmake-plate +cuts [^\n]*\n.*"), out.toString());
        assertFalse(out.toString().contains("plate.rows"), out.toString());
        out.getBuffer().setLength(0);
        assertEquals(0, run("components", "--all"));
        assertTrue(out.toString().contains("component: make-plate\n"), out.toString());
        assertTrue(out.toString().contains("  plate.rows  (required)\n"), out.toString());
        assertTrue(out.toString().contains("  seed  (default 1)\n"), out.toString());
        out.getBuffer().setLength(0);
        assertEquals(0, run("components", "--json"));
        assertTrue(out.toString().startsWith("[ {"), out.toString());
    }

    @Test
    void theMachineIsDescribed() {
        assertEquals(0, run("machine"));
        assertTrue(
                out.toString().contains("processors     " + Runtime.getRuntime().availableProcessors()),
                out.toString());
        assertTrue(out.toString().contains("jtransforms: available"), out.toString());
        out.getBuffer().setLength(0);
        assertEquals(0, run("machine", "--json"));
        assertTrue(out.toString().startsWith("{\n  \"system\""), out.toString());
    }

    @Test
    void linksAreMeasuredOnRequestAndKept() {
        LinkFile kept = new LinkFile(folder.resolve("cache/links.tsv"));
        MachineCommand command = new MachineCommand(environment(false, false), kept);
        assertEquals(0, new CommandLine(command).execute("--measure", "--json"));
        assertTrue(Files.exists(kept.path()));
        assertTrue(out.toString().contains("\"memories\""), out.toString());
        assertTrue(out.toString().contains("\"links\""), out.toString());
        assertFalse(out.toString().contains("\"measured\" : false"), out.toString());
    }

    /** The figures are there although no file can be. */
    @Test
    void linksThatCannotBeKeptAreShown() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        MachineCommand command = new MachineCommand(environment(false, false), new LinkFile(file.resolve("links.tsv")));
        assertEquals(1, new CommandLine(command).execute("--measure", "--json"));
        assertFalse(out.toString().contains("\"measured\" : false"), out.toString());
        assertTrue(err.toString().contains("the measured links are not kept"), err.toString());
    }

    @Test
    void progressIsShownOnATerminalOnly() {
        assertEquals(0, Main.run(new String[] {"run", program, "--out", results}, environment(false, true)));
        assertTrue(err.toString().contains("echoing [" + "=".repeat(40) + "] 100 %"), err.toString());
        assertTrue(err.toString().endsWith("\r\033[2K"), "the line is taken away");
    }

    private int run(String... args) {
        return Main.run(args, environment(false, false));
    }

    private Environment environment(boolean debug, boolean terminal) {
        return new Environment(new PrintWriter(out), new PrintWriter(err), terminal, null, folder, debug);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}

package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.codec.Codecs;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.Program.Surroundings;
import dev.jacquard.engine.work.ThreadFunction;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checkpoints of programs: kept, refused, gone on from. Random programs have theirs in {@link RandomProgramsTest}. */
class CheckpointsTest {
    private static final String PROGRAM = """
            program: counts
            checkpoint: {every: 2}
            components:
              one: {component: number, value: 1}
              a: {component: sum}
              bad: {component: fail, at: 6}
              x: {component: until, passes: 8}
              s: {component: show}
            wires: {a.in1: one.value, a.in2: x.again, bad.value: a.value, x.value: bad.value, s.value: x.value}
            """;

    @TempDir
    Path folder;

    private Programs programs;

    @BeforeEach
    void make() {
        programs = new Programs(folder);
    }

    private Report goOn(String yaml) throws Exception {
        return Programs.complete(programs.load(yaml, RunMode.SERIAL), folder.resolve("out"), true);
    }

    private void stop() throws Exception {
        Program program = programs.load(PROGRAM, RunMode.SERIAL);
        assertThrows(ComponentFailedException.class, () -> programs.run(program));
        assertTrue(Files.exists(checkpoint()));
    }

    private Path checkpoint() {
        return folder.resolve("out/checkpoint");
    }

    /** A run that was stopped says whether there is something to go on from. */
    @Test
    void onlyWhatWasWrittenIsKept() throws Exception {
        for (String folder : List.of("", ", folder: " + this.folder.resolve("elsewhere"))) {
            String yaml = PROGRAM.replace("{every: 2}", "{every: 2" + folder + "}");
            for (int at : new int[] {1, 6}) {
                Program program = programs.load(yaml.replace("at: 6", "at: " + at), RunMode.PARALLEL);
                try (OutputFolder out = OutputFolder.open(this.folder.resolve("kept" + at))) {
                    Surroundings surroundings = new Surroundings(out, Progress.NONE, new Cancellation(), false);
                    assertThrows(ComponentFailedException.class, () -> program.run(surroundings));
                    assertEquals(at == 6, out.hasKept());
                }
            }
        }
    }

    /** The failing component fails behind the same number of executions again: its count is kept. */
    @Test
    void countsAreKept() throws Exception {
        stop();
        Exception failure = assertThrows(ComponentFailedException.class, () -> goOn(PROGRAM));
        assertTrue(
                String.valueOf(failure.getMessage()).contains(" failed in pass 6 of the loop 'a' to 'x'"),
                failure.toString());
    }

    @Test
    void aCheckpointOfAnotherProgramIsRefusedWithTheDifference() throws Exception {
        stop();
        assertEquals(
                "--resume: " + checkpoint() + " is a checkpoint of another program: 'one.value' is 1 there, and 2 here;"
                        + " 'wires.s.value' is x.value there, and a.value here. Give the file that it is of, or start"
                        + " without --resume",
                message(PROGRAM.replace("value: 1}", "value: 2}").replace("s.value: x.value", "s.value: a.value")));
    }

    private String message(String yaml) {
        return String.valueOf(
                assertThrows(InputException.class, () -> goOn(yaml)).getMessage());
    }

    @Test
    void whatIsNoCheckpointIsRefused() throws Exception {
        assertTrue(message(PROGRAM).startsWith("--resume: there is no checkpoint "), message(PROGRAM));
        stop();
        byte[] whole = Files.readAllBytes(checkpoint());
        for (int length : List.of(0, 7, 40, whole.length / 2, whole.length - 1)) {
            Files.write(checkpoint(), Arrays.copyOf(whole, length));
            assertTrue(message(PROGRAM).startsWith("--resume: "), "cut off at " + length);
        }
        whole[whole.length / 2] ^= 1;
        Files.write(checkpoint(), whole);
        assertTrue(message(PROGRAM).startsWith("--resume: "), "damaged");
    }

    @Test
    void checkpointsLieInAFolderOfTheUsers() throws Exception {
        String yaml = PROGRAM.replace("{every: 2}", "{every: 2, folder: " + folder.resolve("kept") + "}");
        Program program = programs.load(yaml, RunMode.PARALLEL);
        assertThrows(ComponentFailedException.class, () -> programs.run(program));
        assertTrue(Files.exists(folder.resolve("kept/counts.checkpoint")));
        Report report = programs.run(programs.load(yaml.replace("at: 6", "at: 9"), RunMode.SERIAL));
        assertEquals(Map.of("s", 8.0), report.values().get("results"));
    }

    @Test
    void whatCannotBeSavedIsToldBeforeTheRun() throws IOException {
        Path jar = new Jars(folder).component("a.jar", "A", "of-a", """
                        static final SocketType<Thread> T = SocketType.of(Thread.class);
                        static final Source<Thread> OUT = Source.of("thread", T, "");
                        static final Sink<Thread> IN = Sink.optional("thread", T, "");
                        public List<ComponentSocket<?>> sockets(Settings s) { return List.of(IN, OUT); }
                        public Instance open(ComponentContext c) { return () -> true; }
                        """);
        Catalog catalog = Catalog.of(List.of(jar));
        String yaml = """
                checkpoint: {every: 1}
                components: {a: {component: of-a}, b: {component: of-a}}
                wires: {b.thread: a.thread, a.thread: none}
                """;
        InputException error = assertThrows(InputException.class, () -> programs.load(yaml, RunMode.SERIAL, catalog));
        assertTrue(
                String.valueOf(error.getMessage())
                        .contains("source 'a.thread' (Thread) cannot be saved in a checkpoint: there is no codec for"
                                + " java.lang.Thread; expected a box"),
                error.getMessage());
        assertEquals(
                "FILE:1:14: 'checkpoint.every' is '0'; expected a whole number from 1 up",
                programs.error("checkpoint: {every: 0}\ncomponents: {a: {component: sum}}\n"));
        assertEquals(
                "FILE:1:14: 'checkpoint' has a folder and no 'every'; expected the passes of an outermost loop between"
                        + " two checkpoints, as in 'checkpoint: {every: 10}'",
                programs.error("checkpoint: {folder: x}\ncomponents: {a: {component: sum}}\n"));
    }

    @Test
    void aFolderThatIsNoPathIsRefusedAtItsPlace() throws IOException {
        assertEquals(
                "FILE:1:24: 'checkpoint.folder' is 'a\0b', which is no path: Nul character not allowed; expected a"
                        + " folder",
                programs.error("checkpoint: {every: 2, folder: \"a\\0b\"}\ncomponents: {a: {component: sum}}\n"));
    }

    /** The name of a program is no path: the file lies in the folder, whatever it is. */
    @Test
    void aProgramOfAnyNameIsKeptInTheFolder() throws Exception {
        Path kept = folder.resolve("kept");
        String yaml = PROGRAM.replace("{every: 2}", "{every: 2, folder: " + kept + "}")
                .replace("program: counts", "program: \"../a\\0/50% ü\"");
        Program program = programs.load(yaml, RunMode.SERIAL);
        assertThrows(ComponentFailedException.class, () -> programs.run(program));
        assertTrue(Files.exists(kept.resolve("..%2Fa%00%2F50%25 %C3%BC.checkpoint")));
        Exception failure = assertThrows(ComponentFailedException.class, () -> goOn(yaml));
        assertTrue(String.valueOf(failure.getMessage()).contains(" failed in pass 6 "), failure.toString());
    }

    /** What goes wrong in a component while its state is saved ends the program; an error, too. */
    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    @Timeout(180)
    void whatAComponentThrowsWhileItIsSavedEndsTheProgram(RunMode mode) throws Exception {
        for (Throwable why : List.of(new StackOverflowError("too deep"), new IllegalStateException("not now"))) {
            Scripted.is("ends badly", context -> {
                context.keep("state", Scripted.TEXT, () -> thrown(why), its -> {});
                return () -> {
                    context.output(Scripted.AGAIN).set("again");
                    return false;
                };
            });
            Program program = programs.load(loopTo("ends badly"), mode);
            Throwable failure = assertThrows(ComponentFailedException.class, () -> programs.run(program));
            assertEquals("the state 'x.state' cannot be saved in a checkpoint: " + why, failure.getMessage());
        }
    }

    /** The function around a program may be interrupted while the state is saved: the file is whole. */
    @Test
    @Timeout(180)
    void anInterruptOfWhatRunsTheProgramDoesNotCutTheFileOff() throws Exception {
        ThreadFunction around = new ThreadFunction() {};
        String yaml = loopTo("is interrupted");
        int[] saves = {0};
        Scripted.is("is interrupted", context -> {
            context.keep(
                    "state",
                    Scripted.TEXT,
                    () -> {
                        saves[0]++;
                        around.interrupt();
                        return "kept";
                    },
                    its -> {});
            return () -> {
                context.output(Scripted.AGAIN).set("again");
                return saves[0] > 3;
            };
        });
        Program program = programs.load(yaml, RunMode.SERIAL);
        around.begin();
        Throwable failure;
        try {
            failure = assertThrows(ComponentFailedException.class, () -> programs.run(program));
        } finally {
            around.end();
        }
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.endsWith("its thread is interrupted after it, by the component or from outside"), text);
        assertEquals(1, saves[0]);
        assertTrue(Files.exists(checkpoint()));
    }

    /** Returns a loop of a component that hands on what it gets, and one with this script, which is saved each pass. */
    private static String loopTo(String exit) {
        Scripted.is("hands on", context -> () -> {
            context.output(Scripted.OUT).set("on");
            return true;
        });
        return """
                checkpoint: {every: 1}
                components:
                  a: {component: scripted, id: hands on}
                  x: {component: scripted, id: %s, exit: true}
                wires: {a.in: x.again, x.in: a.out}
                """.formatted(exit);
    }

    private static String thrown(Throwable why) {
        if (why instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) why;
    }

    @Test
    void whatAComponentThrowsWhenItGetsItsStateIsTold() throws Exception {
        String yaml = loopTo("fails then");
        Scripted.is("fails then", context -> {
            int[] passes = {0};
            context.keep("state", Scripted.TEXT, () -> "kept", its -> thrown(new IllegalStateException("not mine")));
            return () -> {
                context.output(Scripted.AGAIN).set("again");
                if (++passes[0] == 2) {
                    throw new IllegalStateException("stopped by the test");
                }
                return false;
            };
        });
        assertThrows(ComponentFailedException.class, () -> programs.run(programs.load(yaml, RunMode.SERIAL)));
        assertEquals(
                "--resume: component 'x' does not take its state 'state' again: java.lang.IllegalStateException: not"
                        + " mine",
                message(yaml));
    }

    /** What components have told is the same document again. */
    @Test
    void findingsAreKept() throws Exception {
        Map<String, Object> findings = new LinkedHashMap<>();
        findings.put("text", "ä\n");
        findings.put("numbers", List.of(1, 2L, (short) 3, (byte) 4, 3.1f, 0.1, Float.NaN, Double.NEGATIVE_INFINITY));
        findings.put("large", List.of(BigInteger.TWO.pow(99), new BigDecimal("1.10"), Long.MIN_VALUE));
        findings.put("flags", List.of(true, false));
        findings.put("map", Map.of("none", List.of(), "map", Map.of("x", 1)));
        findings.put("null", null);
        Object copy = Codecs.read(Findings.CODEC, Codecs.write(Findings.CODEC, findings));
        String document = Report.json(findings);
        assertEquals(document, Report.json(copy));
        assertTrue(document.contains("633825300114114700748351602688, 1.10, -9223372036854775808"), document);
    }

    @Test
    void whatIsKeptIsDeclaredWhenAComponentIsOpened() throws Exception {
        Scripted.is("keeps late", context -> () -> {
            context.keep("state", Scripted.TEXT, () -> "kept", its -> {});
            return true;
        });
        programs.assertFailure(
                "component 'scripted' keeps 'state' when it is open already; expected that within open()",
                "components: {a: {component: scripted, id: keeps late}}\n",
                RunMode.SERIAL);
    }

    /** Not after the first hours. */
    @Test
    void aPlaceThatCannotBeWrittenIsToldBeforeTheRun() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        for (Path bad : List.of(file, file.resolve("below/deep"))) {
            requireNoPlace(PROGRAM.replace("{every: 2}", "{every: 2, folder: " + bad + "}"), file.toString());
        }
        Path kept = Files.createDirectory(folder.resolve("kept"));
        requireNoPlace(
                PROGRAM.replace("{every: 2}", "{every: 2, folder: " + kept + "}")
                        .replace("program: counts", "program: " + "n".repeat(240)),
                kept.toString());
        Files.createDirectory(kept.resolve("counts.checkpoint"));
        requireNoPlace(PROGRAM.replace("{every: 2}", "{every: 2, folder: " + kept + "}"), "it is a folder");
    }

    private void requireNoPlace(String yaml, String what) throws Exception {
        Program program = programs.load(yaml, RunMode.SERIAL);
        InputException refused = assertThrows(InputException.class, () -> programs.run(program));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.startsWith("'checkpoint': ") && message.contains(what), message);
    }
}

package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.run.Program.Choices;
import dev.jacquard.components.run.Program.Surroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Resumed programs with other limits of passes than the run that was stopped, and what they say. */
@Timeout(120)
class PassLimitsTest {
    private static final String PROGRAM = """
            program: counts
            workers: 4
            checkpoint: {every: 2}
            components:
              first: {component: scripted, id: says hello}
              grow: {component: scripted, id: counts}
              end: {component: scripted, id: ends, exit: true, passes: 8}
            wires: {first.in: none, grow.in: end.again, end.in: grow.out}
            """;

    /** Two loops one after the other, the second one with a loop inside. */
    private static final String NESTED = """
            checkpoint: {every: 1}
            components:
              a: {component: scripted, id: says hello}
              x: {component: scripted, id: ends, exit: true, passes: 2}
              b: {component: scripted, id: says hello, needs: true}
              c: {component: scripted, id: counts, needs: true}
              z: {component: scripted, id: ends, exit: true, passes: 3}
              y: {component: scripted, id: ends, exit: true, passes: 4}
            wires:
              {a.in: x.again, x.in: a.out, b.need: x.out, b.in: y.again, c.need: b.out, c.in: z.again,
              z.in: c.out, y.in: z.out}
            """;

    @TempDir
    Path folder;

    /** The count at which the component 'counts' fails; 0 for none. */
    private final AtomicInteger failsAt = new AtomicInteger();
    /** The notes of the last run. Guarded by itself. */
    private final List<String> notes = new ArrayList<>();

    @BeforeEach
    void scripts() {
        Scripted.endsBySetting("ends");
        Scripted.is("says hello", context -> () -> {
            context.output(Scripted.OUT).set("hello");
            return true;
        });
        Scripted.is("counts", this::counting);
    }

    private Component.Instance counting(ComponentContext context) {
        int[] count = {0};
        context.keep("count", SocketType.of(Integer.class), () -> count[0], its -> count[0] = its);
        return () -> {
            if (++count[0] == failsAt.get()) {
                throw new IllegalStateException("stopped by the test");
            }
            context.output(Scripted.OUT).set("x");
            context.result(count[0]);
            return true;
        };
    }

    /** Collects notes. */
    private final class Noted implements Progress {
        @Override
        public void start(String stage, long steps) {}

        @Override
        public void advance(long steps) {}

        @Override
        public void note(String line) {
            synchronized (notes) {
                notes.add(line);
            }
        }
    }

    private Report run(String yaml, RunMode mode, boolean resumes, String... overrides) throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), yaml);
        int ranks = mode.hasRanks() ? 2 : 0;
        Program program = Program.load(file, new Choices(List.of(overrides), null, Catalog.of(List.of()), mode, ranks));
        synchronized (notes) {
            notes.clear();
        }
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            Report report = program.run(new Surroundings(out, new Noted(), new Cancellation(), resumes));
            out.commit();
            return report;
        }
    }

    private void stopAt(int count, String yaml, RunMode mode, boolean resumes, String... overrides) {
        failsAt.set(count);
        assertThrows(ComponentFailedException.class, () -> run(yaml, mode, resumes, overrides));
        failsAt.set(0);
    }

    private String refusal(String yaml, RunMode mode, String... overrides) {
        return String.valueOf(assertThrows(InputException.class, () -> run(yaml, mode, true, overrides))
                .getMessage());
    }

    private static List<?> passes(Report report) {
        List<?> loops = (List<?>) Objects.requireNonNull(report.values().get("loops"));
        return loops.stream().map(loop -> ((Map<?, ?>) loop).get("passes")).toList();
    }

    @ParameterizedTest
    @EnumSource
    void aResumedLoopIsLengthenedAndShortened(RunMode mode) throws Exception {
        for (int passes : List.of(5, 7, 8, 11)) {
            stopAt(6, PROGRAM, mode, false);
            Report report = run(PROGRAM, mode, true, "end.passes=" + passes);
            assertEquals(Map.of("grow", passes), report.values().get("results"));
            assertEquals(List.of(List.of((long) passes)), passes(report));
        }
        stopAt(6, PROGRAM, mode, false);
        String message = refusal(PROGRAM, mode, "end.passes=4");
        String begin = "--set end.passes=4: --resume: 'end.passes' is 4, and 8 in the checkpoint ";
        assertTrue(message.matches("(rank \\d: )?" + begin + ".*"), message);
        assertTrue(message.endsWith(", where the loop 'grow' to 'end' has run 4 passes; expected 5 or more"), message);
    }

    /** The limit of the resumed run is that of its checkpoints: it is changed once more. */
    @ParameterizedTest
    @EnumSource
    void aLengthenedLoopIsStoppedAndResumed(RunMode mode) throws Exception {
        stopAt(6, PROGRAM, mode, false);
        stopAt(10, PROGRAM, mode, true, "end.passes=11");
        assertTrue(refusal(PROGRAM, mode).contains("'end.passes' is 8, and 11 in the checkpoint "));
        assertEquals(
                Map.of("grow", 9),
                run(PROGRAM, mode, true, "end.passes=9").values().get("results"));
    }

    @ParameterizedTest
    @EnumSource
    void aResumedRunSaysWhereItWentOn(RunMode mode) throws Exception {
        stopAt(6, PROGRAM, mode, false);
        Report report = run(PROGRAM, mode, true);
        String line = "resumed at pass 5 of the loop 'grow' to 'end'; not executed again: 'first'";
        synchronized (notes) {
            assertEquals(List.of(line), notes);
        }
        assertEquals(line, report.lines().getFirst());
        assertEquals(
                Map.of("loops", List.of(Map.of("entry", "grow", "exit", "end", "pass", 5L)), "over", List.of("first")),
                report.values().get("resumed"));
        Report whole = run(PROGRAM, mode, false);
        assertTrue(!whole.values().containsKey("resumed"), whole.toJson());
        synchronized (notes) {
            assertEquals(List.of(), notes);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL", "TASK_PARALLEL"})
    void loopsInsideAreChangedAndLoopsThatAreOverAreNot(RunMode mode) throws Exception {
        stopAt(5, NESTED, mode, false);
        assertTrue(refusal(NESTED, mode, "x.passes=3")
                .endsWith(", where the loop 'a' to 'x' is over; expected 2, or a run without --resume"));
        Report report = run(NESTED, mode, true, "z.passes=1", "y.passes=6");
        assertEquals(
                List.of(List.of(2L), List.of(6L), List.of(3L, 1L, 1L, 1L, 1L, 1L)), passes(report), report::toJson);
    }

    /** Other settings of an exit are those of the run that was stopped. */
    @Test
    void otherSettingsAreRefused() throws Exception {
        stopAt(6, PROGRAM, RunMode.SERIAL, false);
        assertTrue(refusal(PROGRAM, RunMode.SERIAL, "end.id=counts", "end.passes=9")
                .contains("is a checkpoint of another program: 'end.id' is ends there, and counts here. Give"));
        assertTrue(
                refusal(PROGRAM, RunMode.SERIAL, "grow.passes=9").contains("'grow.passes' is 1000 there, and 9 here"));
    }

    @Test
    void aPassLimitThatIsNoSettingIsReported() {
        Component wrong = new Component() {
            @Override
            public String name() {
                return "wrong";
            }

            @Override
            public String description() {
                return "has a limit that it does not declare";
            }

            @Override
            public Optional<Setting<Integer>> passLimit() {
                return Optional.of(Scripted.PASSES);
            }

            @Override
            public Instance open(ComponentContext context) {
                return () -> true;
            }
        };
        InputException error = assertThrows(
                InputException.class,
                () -> new Programs(folder)
                        .load(
                                "components: {a: {component: wrong}}",
                                RunMode.SERIAL,
                                Catalog.of(List.of()).plus(List.of(wrong))));
        assertTrue(
                String.valueOf(error.getMessage())
                        .endsWith(" has the passLimit 'passes', which is none of its settings; expected one of them"),
                error.getMessage());
    }
}

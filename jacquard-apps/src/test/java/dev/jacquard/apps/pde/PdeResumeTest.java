package dev.jacquard.apps.pde;

import static dev.jacquard.apps.pde.PdeRuns.member;
import static dev.jacquard.apps.pde.PdeRuns.number;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.SingleProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that are stopped, and go on. */
class PdeResumeTest {
    @TempDir
    Path folder;

    private PdeRuns runs;
    private Path file;

    @BeforeEach
    void open() throws Exception {
        runs = new PdeRuns(folder);
        file = runs.file(TwoUnknowns.PROGRAM);
    }

    /** Cancels, or fails, after a number of steps. */
    private static final class Stop implements Progress {
        private final int after;
        private final Runnable how;
        private int steps;
        /** True after the look for the stable step. */
        private boolean isStepping;

        Stop(int after, Runnable how) {
            this.after = after;
            this.how = how;
        }

        @Override
        public void start(String stage, long steps) {
            isStepping = stage.equals("steps") || stage.equals("thousandths of the time");
        }

        @Override
        public void advance(long steps) {
            if (isStepping && ++this.steps == after) {
                how.run();
            }
        }
    }

    private void stop(int after, String... settings) {
        Cancellation cancellation = new Cancellation();
        assertThrows(
                CancellationException.class,
                () -> runs.run(file, "out", false, new Stop(after, cancellation::cancel), cancellation, settings));
    }

    private Report resume(String... settings) throws Exception {
        return runs.run(file, "out", true, Progress.NONE, new Cancellation(), settings);
    }

    private void assertSame() throws Exception {
        for (String name : List.of("c.npy", "d.npy")) {
            assertArrayEquals(runs.bytes("whole", name), runs.bytes("out", name), name);
        }
    }

    /** Each time the folder is moved aside for a moment, with what is being written there. */
    @Test
    void anotherRunPutsItsResultsIntoTheFolderMeanwhile() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        FutureTask<Integer> others = new FutureTask<>(() -> {
            int count = 0;
            while (!isOver.get() || count == 0) {
                try (OutputFolder output = OutputFolder.open(folder.resolve("out"))) {
                    Files.writeString(output.file("other"), String.valueOf(++count));
                    output.commit();
                }
            }
            return count;
        });
        Thread.ofPlatform().start(others);
        try {
            runs.run(file, "out", "checkpoint.every=1");
        } finally {
            isOver.set(true);
        }
        assertEquals(String.valueOf(others.get()), Files.readString(folder.resolve("out/other")));
        assertTrue(Files.exists(folder.resolve("out/checkpoint")));
        runs.run(file, "whole");
        assertSame();
    }

    /** Also by another way: workers, loops and tiles say nothing to the result. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "time.method=ssp3",
                "time.method=ssp2",
                "time.method=ssp3 time.step=auto time.share=0.1",
                "time.method=ssp2 time.step=auto time.tolerance=1e-6",
                "time.method=euler time.step=auto grid.type=float32",
                "time.method=ssp3 grid.type=float32",
                "time.method=euler"
            })
    void aRunThatWasCancelledGoesOn(String all) throws Exception {
        List<String> settings = new ArrayList<>(List.of(all.split(" ", -1)));
        settings.add("checkpoint.every=3");
        String[] same = settings.toArray(String[]::new);
        Report whole = runs.run(file, "whole", same);
        stop(8, same);
        assertEquals(List.of("checkpoint"), names());
        settings.addAll(List.of("workers=1", "loops=plain", "tile=4x4", "fuse=false"));
        Report report = resume(settings.toArray(String[]::new));
        boolean areTwoAtATime = all.startsWith("time.method=euler time.step=auto");
        assertEquals(areTwoAtATime ? 16 : 6, number(report, "resumed"));
        for (String key : List.of("steps", "time", "step", "stableStep")) {
            assertEquals(number(whole, key), number(report, key), key);
        }
        assertEquals(
                number(whole, "unknowns", "c", "integral", "start"),
                number(report, "unknowns", "c", "integral", "start"));
        assertSame();
        assertTrue(Files.exists(folder.resolve("out/checkpoint")));
    }

    /** Also before it has written a checkpoint of its own: there is that of before. */
    @Test
    void aRunThatGoesOnHasACheckpoint() throws Exception {
        stop(8, "checkpoint.every=5");
        SingleProgram program = SingleProgram.load(file, List.of("checkpoint.every=5"), null);
        Cancellation cancellation = new Cancellation();
        try (OutputFolder output = OutputFolder.open(folder.resolve("out"))) {
            assertFalse(output.hasKept());
            Job job = new Job(program.settings(), output, new Stop(1, cancellation::cancel), cancellation, true);
            assertThrows(
                    CancellationException.class, () -> program.application().run(job));
            assertTrue(output.hasKept());
        }
        assertEquals(5, number(resume("checkpoint.every=5"), "resumed"));
    }

    @Test
    void aFolderInThePlaceOfTheCheckpointIsToldBeforeTheFirstStep() throws Exception {
        Path place = Files.createDirectories(folder.resolve("out/checkpoint"));
        Stop never = new Stop(1, () -> {
            throw new AssertionError("a step was done");
        });
        InputException refused = assertThrows(
                InputException.class,
                () -> runs.run(file, "out", false, never, new Cancellation(), "checkpoint.every=5"));
        assertEquals(
                "the checkpoint " + place + " cannot be written: it is a folder; move it away, or give another output"
                        + " folder with --out",
                refused.getMessage());
    }

    private List<String> names() throws Exception {
        try (var files = Files.list(folder.resolve("out"))) {
            return files.map(path -> String.valueOf(path.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aRunThatFailedGoesOn() throws Exception {
        runs.run(file, "whole");
        Stop stop = new Stop(11, () -> {
            throw new IllegalStateException("a failure");
        });
        assertThrows(
                IllegalStateException.class,
                () -> runs.run(file, "out", false, stop, new Cancellation(), "checkpoint.every=5"));
        assertEquals(10, number(resume("checkpoint.every=5"), "resumed"));
        assertSame();
    }

    /** A run to an earlier end stops there, too; and one that has ended may end again. */
    @Test
    void aRunGoesOnToALaterEnd() throws Exception {
        runs.run(file, "whole");
        runs.run(file, "out", "checkpoint.every=5", "time.end=0.07");
        assertEquals(10, number(resume("checkpoint.every=5"), "resumed"));
        assertSame();
        assertEquals(10, number(resume(), "resumed")); // the last step is a shorter one
        assertSame();
    }

    /** Where rates depend on the time, the steps of a checkpoint may become too long. */
    @Test
    void aRunToALaterEndWarnsOfStepsThatAreTooLongThere() throws Exception {
        file = runs.file("""
                component: pde
                grid: {cells: 32}
                unknowns:
                  c: {initial: "sin(2*pi*x)", rate: "(0.01+t)*laplacian(c)", boundaries: {x: periodic}}
                time: {end: 0.1, method: euler, step: 0.004}
                checkpoint: {every: 5}
                """);
        assertEquals(List.of(), member(runs.run(file, "out"), "warnings"));
        List<?> warnings = (List<?>) member(resume("time.end=0.3"), "warnings");
        assertEquals(1, warnings.size());
        String warning = String.valueOf(warnings.getFirst());
        assertTrue(
                warning.contains(
                        "'time.step' is 0.004, which is unstable from about t = 0.3000 on, step 75: the longest"
                                + " stable step is 0.00157"),
                warning);
    }

    /** Automatic steps look at the fields as they go, and are repeated or not as in a run that was never stopped. */
    @ParameterizedTest
    @ValueSource(strings = {"time.stability=refuse", "time.stability=off"})
    void automaticStepsGoOnAfterAnyStep(String stability) throws Exception {
        file = runs.file("""
                component: pde
                grid: {cells: 20, lengths: 10}
                unknowns:
                  c:
                    initial: "0"
                    rate: "div(faces(c)*grad(c)) + where(abs(x - 5) < 1, 0.1, 0) + where(t > 3, c, -c)"
                    boundaries: {x: "neumann 0"}
                  d: {initial: "1", rate: "-c*d", boundaries: {x: "neumann 0"}}
                time: {end: 6}
                checkpoint: {every: 1}
                """);
        Report whole = runs.run(file, "whole", stability);
        assertTrue(number(whole, "automatic", "rejected") > 0, whole::toString);
        Random random = new Random(7);
        for (int i = 0; i < 4; i++) {
            int after = 1 + random.nextInt((int) number(whole, "steps") - 1);
            stop(after, stability);
            Report report = resume("workers=" + (1 + i % 3), stability);
            assertEquals(after, number(report, "resumed"));
            assertSame();
            assertEquals(member(whole, "automatic"), member(report, "automatic"));
            assertEquals(number(whole, "steps"), number(report, "steps"));
        }
        assertMentions(
                assertThrows(InputException.class, () -> resume("time.end=1", stability)),
                "--resume: the checkpoint is of t = ",
                "and 'time.end' is 1, before it");
    }

    /** On a large grid the look for the stable step takes longer than some steps. */
    @Test
    void theLookForTheStableStepCanBeStopped() {
        Cancellation cancellation = new Cancellation();
        List<String> stages = new ArrayList<>();
        Progress stops = new Progress() {
            @Override
            public void start(String stage, long steps) {
                stages.add(stage);
                if (stage.equals("stable step")) {
                    cancellation.cancel();
                }
            }

            @Override
            public void advance(long steps) {}
        };
        assertThrows(CancellationException.class, () -> runs.run(file, "out", false, stops, cancellation));
        assertEquals(List.of(Solver.VALUES, "stable step"), stages);
    }

    /** It is shorter than the others of a run to a later end, which cannot go on from it. */
    @Test
    void theOnlyStepMayBeAShorterOne() throws Exception {
        Report report = runs.run(file, "out", "checkpoint.every=1", "time.end=0.002");
        assertEquals(1, number(report, "steps"));
        assertEquals(0.002, number(report, "step"));
        assertMentions(assertThrows(InputException.class, this::resume), "--resume: there is no checkpoint");
    }

    @Test
    void thereIsNothingToGoOnFrom() throws Exception {
        assertMentions(assertThrows(InputException.class, this::resume), "--resume: there is no checkpoint");
        assertFalse(Files.exists(folder.resolve("out")));
        stop(2, "checkpoint.every=3");
        assertFalse(Files.exists(folder.resolve("out")));
    }

    @Test
    void anotherModelOrGridIsRefused() throws Exception {
        stop(8, "checkpoint.every=3");
        assertDifference("parameters.kappa=0.05", "'parameters.kappa' is '0.03' there, and '0.05' here");
        assertDifference("grid.cells=12x10", "'grid.cells' is '12x9' there, and '12x10' here");
        assertDifference("grid.type=float32", "'grid.type' is 'float64' there, and 'float32' here");
        assertDifference("unknowns.d.rate=-d", "'unknowns.d.rate' is '0.1*div(faces(m)*grad(d))");
        assertDifference("unknowns.d.boundaries.y=neumann 1", "'unknowns.d.boundaries.y' is 'neumann 0' there");
        assertDifference("time.step=5e-3", "'time.step' is '7e-3' there, and '5e-3' here");
        assertMentions(
                assertThrows(InputException.class, () -> resume("time.end=0.02")),
                "the checkpoint is of step 6, and 'time.end' 0.02 is reached after 3");
        assertMentions(
                assertThrows(InputException.class, () -> resume("time.end=0.04")), // between steps 5 and 6
                "the checkpoint is of step 6, and 'time.end' 0.04 is reached before that one's end");
    }

    @Test
    void numbersAreTheSameHoweverTheyAreWritten() throws Exception {
        stop(8, "checkpoint.every=3");
        String[] same = {"parameters.kappa=3e-2", "parameters.lambda=0.40", "time.step=0.007", "grid.lengths=1.50x.9"};
        assertEquals(6, number(resume(same), "resumed"));
        runs.run(file, "whole");
        assertSame();
        stop(8, "checkpoint.every=3", "time.step=auto", "time.share=0.10");
        assertEquals(6, number(resume("time.step=auto", "time.share=1e-1"), "resumed"));
        assertDifference("time.step=0.007", "'time.step' is 'auto' there, and '0.007' here");
    }

    private void assertDifference(String setting, String difference) {
        assertMentions(
                assertThrows(InputException.class, () -> resume(setting)),
                "checkpoint of another model or grid: " + difference);
    }

    @Test
    void aDamagedCheckpointIsRefused() throws Exception {
        stop(8, "checkpoint.every=3");
        Path checkpoint = folder.resolve("out/checkpoint");
        byte[] bytes = Files.readAllBytes(checkpoint);
        bytes[bytes.length / 2] ^= 1;
        Files.write(checkpoint, bytes);
        assertMentions(assertThrows(InputException.class, this::resume), "is damaged");
    }
}

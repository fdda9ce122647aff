package dev.jacquard.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of several components, stopped: the results and files are those of runs that were not. */
class ComposedExamplesTest {
    /** The pictures that show times. */
    private static final Set<String> TIMES = Set.of("profile.svg", "graph.svg");

    /** Stopped when the first checkpoint is there, gone on from, in another mode. */
    @ParameterizedTest
    @ValueSource(strings = {"refine", "bratu"})
    void stoppedRunsGoOnToTheSame(String name, @TempDir Path folder) throws Exception {
        Path file = Path.of("../examples").resolve(name + ".yaml");
        ProgramRun whole = ProgramRun.example(name, RunMode.SERIAL, 1, folder.resolve("whole"));
        for (RunMode mode : new RunMode[] {RunMode.SERIAL, RunMode.PARALLEL}) {
            Path out = folder.resolve(mode.name());
            Path checkpoint = out.resolve("checkpoint");
            Cancellation cancellation = new Cancellation();
            Thread watcher = Thread.ofPlatform().start(() -> {
                while (!Files.exists(checkpoint) && !cancellation.isCancelled()) {
                    Thread.onSpinWait();
                }
                cancellation.cancel();
            });
            try {
                ProgramRun.of(file, mode, 2, out, cancellation, false, "checkpoint.every=1");
            } catch (CancellationException e) {
                // as it should be; a short program may be over before
            }
            cancellation.cancel();
            watcher.join();
            RunMode other = mode == RunMode.SERIAL ? RunMode.PARALLEL : RunMode.SERIAL;
            boolean resumes = Files.exists(checkpoint);
            ProgramRun run = ProgramRun.of(file, other, 1, out, new Cancellation(), resumes, "checkpoint.every=1");
            assertEquals(whole.results(), run.results(), name + ", " + mode + ", resumed: " + resumes);
            assertEquals(whole.digests(TIMES), run.digests(TIMES), name + ", " + mode + ", resumed: " + resumes);
        }
    }

    /** Each component on one of some ranks: the results and files are those of a serial run. */
    @ParameterizedTest
    @ValueSource(strings = {"refine", "bratu", "loops", "plate-check", "walks"})
    void ranksComputeTheSame(String name, @TempDir Path folder) throws Exception {
        ProgramRun whole = ProgramRun.example(name, RunMode.SERIAL, 1, folder.resolve("whole"));
        for (int ranks = 1; ranks <= Math.min(4, whole.list("components").size()); ranks++) {
            ProgramRun run = ProgramRun.onRanks(name, RunMode.TASK_PARALLEL, ranks, folder.resolve("ranks" + ranks));
            assertEquals(
                    ExamplesInAllModesTest.steady(whole.results()),
                    ExamplesInAllModesTest.steady(run.results()),
                    name + ", " + ranks + " ranks");
            assertEquals(whole.digests(TIMES), run.digests(TIMES), name + ", " + ranks + " ranks");
            assertEquals(passes(whole), passes(run), name + ", " + ranks + " ranks");
        }
    }

    /** The passes of all loops, and the executions of all components. */
    private static String passes(ProgramRun run) {
        return run.list("loops") + " " + run.list("components").toString().replaceAll("seconds=[^,}]*", "");
    }

    /** A system of which each rank has rows: the solution has the same bits on any number of ranks. */
    @Test
    void aSolutionHasTheSameBitsOnAnyRanks(@TempDir Path folder) throws Exception {
        ProgramRun one = ProgramRun.onRanks("solve-ranks", RunMode.DATA_PARALLEL, 1, folder.resolve("one"));
        for (int ranks = 2; ranks <= 5; ranks++) {
            ProgramRun run =
                    ProgramRun.onRanks("solve-ranks", RunMode.DATA_PARALLEL, ranks, folder.resolve("ranks" + ranks));
            assertEquals(one.digests(TIMES), run.digests(TIMES), ranks + " ranks");
            assertEquals((double) ranks, run.number("solve", "ranks"));
        }
        ProgramRun serial = ProgramRun.example("solve-ranks", RunMode.SERIAL, 1, folder.resolve("serial"));
        assertEquals(one.digests(TIMES), serial.digests(TIMES));
    }
}

package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.Program.Choices;
import dev.jacquard.components.run.Program.Surroundings;
import dev.jacquard.testkit.Rounds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs of random shape, run in each mode, against an oracle that knows their loops. */
@Timeout(900)
class RandomProgramsTest {
    private static final Catalog CATALOG = Catalog.of(List.of());

    @TempDir
    Path folder;

    @Test
    void valuesAndOrderAreThoseOfTheOracle() throws Exception {
        for (int seed = 0; seed < Rounds.some(300); seed++) {
            RandomProgram program = new RandomProgram(seed);
            ProgramOracle oracle = new ProgramOracle(program);
            check(seed, program, oracle, RunMode.SERIAL, 1);
            check(seed, program, oracle, RunMode.PARALLEL, 1 + seed % 3);
            assertEquals(0, Mix.OPEN.get(), () -> "instances that are left open");
        }
    }

    @Test
    void ranksComputeTheSameValues() throws Exception {
        for (int seed = 0; seed < Rounds.some(150); seed++) {
            RandomProgram program = new RandomProgram(seed);
            ProgramOracle oracle = new ProgramOracle(program);
            for (int ranks = 1; ranks <= Math.min(4, program.parts.size()); ranks++) {
                check(seed, program, oracle, RunMode.TASK_PARALLEL, 2, ranks);
            }
            assertEquals(0, Mix.OPEN.get(), () -> "instances that are left open");
        }
    }

    @Test
    void stoppedProgramsGoOnToTheSameValues() throws Exception {
        Random random = new Random(7);
        int resumed = 0;
        for (int seed = 0; seed < Rounds.some(300); seed++) {
            RandomProgram program = new RandomProgram(seed);
            ProgramOracle oracle = new ProgramOracle(program);
            if (oracle.failed < 0) {
                resumed += stopAndGoOn(seed, program, oracle, random, 0) ? 1 : 0;
            }
        }
        assertTrue(resumed > 10, "programs that went on: " + resumed);
    }

    @Test
    void stoppedRanksGoOnToTheSameValues() throws Exception {
        Random random = new Random(8);
        int resumed = 0;
        for (int seed = 0; seed < Rounds.some(200); seed++) {
            RandomProgram program = new RandomProgram(seed);
            ProgramOracle oracle = new ProgramOracle(program);
            int ranks = 1 + random.nextInt(Math.min(4, program.parts.size()));
            if (oracle.failed < 0) {
                resumed += stopAndGoOn(seed, program, oracle, random, ranks) ? 1 : 0;
            }
        }
        assertTrue(resumed > 10, "programs that went on: " + resumed);
    }

    /** The user cancels from within an execution. A run that was over by then has its values. */
    @Test
    void cancelledRanksEnd() throws Exception {
        Random random = new Random(9);
        int cancelled = 0;
        for (int seed = 0; seed < Rounds.some(150); seed++) {
            RandomProgram program = new RandomProgram(seed);
            ProgramOracle oracle = new ProgramOracle(program);
            Cancellation cancellation = new Cancellation();
            Mix.AT_STOP.set(cancellation::cancel);
            try {
                Report report = stopped(program, program.yamlWithCheckpoints(1), oracle, random, cancellation);
                assertEquals(expected(oracle), report.values().get("results"), "seed " + seed + ": " + program);
            } catch (CancellationException e) {
                cancelled++;
            } catch (ComponentFailedException e) {
                assertTrue(oracle.failed >= 0, () -> "seed " + program + ": " + e);
            }
            requireNothingLeft("seed " + seed);
        }
        assertTrue(cancelled > 10, "programs that were cancelled: " + cancelled);
    }

    /** An execution waits until its limit has passed. */
    @Test
    void ranksWithAPartBeyondItsLimitEnd() throws Exception {
        Random random = new Random(10);
        for (int seed = 0; seed < Rounds.some(40); seed++) {
            RandomProgram program = new RandomProgram(seed);
            ProgramOracle oracle = new ProgramOracle(program);
            if (oracle.failed >= 0) {
                continue;
            }
            Mix.AT_STOP.set(new CountDownLatch(1)::await);
            String message = String.valueOf(assertThrows(
                            ComponentFailedException.class,
                            () -> stopped(program, program.yamlWithLimits(0.05), oracle, random, new Cancellation()),
                            "seed " + seed)
                    .getMessage());
            assertTrue(
                    message.matches("rank \\d: component 'p\\d+' .* took longer than its limit of 0.05 s.*"), message);
            requireNothingLeft("seed " + seed);
        }
    }

    /** Runs a program over ranks, a drawn execution of which ends the run. */
    private Report stopped(
            RandomProgram program, String yaml, ProgramOracle oracle, Random random, Cancellation cancellation)
            throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), yaml);
        int ranks = 1 + random.nextInt(Math.min(4, program.parts.size()));
        Mix.STOP.set(1 + random.nextInt(oracle.order.size()));
        try (OutputFolder output = OutputFolder.open(folder.resolve("stopped"))) {
            return load(file, random, ranks).run(new Surroundings(output, Progress.NONE, cancellation, false));
        } finally {
            Mix.STOP.set(0);
            Mix.AT_STOP.set(Mix::fail);
        }
    }

    /** Instances are closed, and the threads of ranks and sessions have ended, or are about to. */
    private static void requireNothingLeft(String what) throws InterruptedException {
        assertEquals(0, Mix.OPEN.get(), what + " leaves instances open");
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().startsWith("rank-") || each.getName().startsWith("jacquard-")) {
                assertTrue(each.join(Duration.ofSeconds(60)), () -> what + " leaves the thread " + each.getName());
            }
        }
    }

    /**
     * Returns true if there was a checkpoint to go on from.
     *
     * @param ranks 0 for a program without ranks
     */
    private boolean stopAndGoOn(int seed, RandomProgram program, ProgramOracle oracle, Random random, int ranks)
            throws Exception {
        Path file = folder.resolve("p.yaml");
        Path out = folder.resolve("out-" + seed);
        Files.writeString(file, program.yamlWithCheckpoints(1 + seed % 2));
        boolean goesOn = false;
        for (int stops = 2; stops > 0; stops--) {
            Mix.STOP.set(1 + random.nextInt(oracle.order.size()));
            try (OutputFolder output = OutputFolder.open(out)) {
                boolean resumes = Files.exists(out.resolve("checkpoint"));
                goesOn |= resumes;
                load(file, random, ranks).run(new Surroundings(output, Progress.NONE, new Cancellation(), resumes));
            } catch (ComponentFailedException e) {
                assertTrue(String.valueOf(e.getMessage()).contains("stopped by the test"), e.getMessage());
            }
            Mix.STOP.set(0);
        }
        boolean resumes = Files.exists(out.resolve("checkpoint"));
        try (OutputFolder output = OutputFolder.open(out)) {
            Report report =
                    load(file, random, ranks).run(new Surroundings(output, Progress.NONE, new Cancellation(), resumes));
            String what = "seed " + seed + ", " + ranks + " ranks: " + program;
            assertEquals(expected(oracle), report.values().get("results"), what);
            output.commit();
        }
        try (Stream<Path> left = Files.list(out)) {
            List<String> names = left.map(each -> String.valueOf(each.getFileName()))
                    .filter(name -> name.startsWith("checkpoint"))
                    .toList();
            assertEquals(List.of(), names, "a program that is over leaves no checkpoint");
        }
        return goesOn || resumes;
    }

    /** Loads a program in a drawn mode, or over ranks. */
    private static Program load(Path file, Random random, int ranks) {
        RunMode alone = random.nextBoolean() ? RunMode.SERIAL : RunMode.PARALLEL;
        RunMode mode = ranks > 0 ? RunMode.TASK_PARALLEL : alone;
        return Program.load(file, new Choices(List.of("workers=2"), null, CATALOG, mode, ranks));
    }

    private void check(int seed, RandomProgram program, ProgramOracle oracle, RunMode mode, int workers)
            throws Exception {
        check(seed, program, oracle, mode, workers, 0);
    }

    private void check(int seed, RandomProgram program, ProgramOracle oracle, RunMode mode, int workers, int ranks)
            throws Exception {
        String run = mode + "-" + seed;
        Path file = folder.resolve("p.yaml");
        Files.writeString(file, program.yaml(run));
        Program loaded = Program.load(file, new Choices(List.of("workers=" + workers), null, CATALOG, mode, ranks));
        String what = "seed " + seed + ", " + mode + ", " + workers + " workers, " + ranks + " ranks: " + program;
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            Surroundings surroundings = new Surroundings(out, Progress.NONE, new Cancellation(), false);
            if (oracle.failed >= 0) {
                Exception failure = assertThrows(ComponentFailedException.class, () -> loaded.run(surroundings), what);
                String message = String.valueOf(failure.getMessage());
                String where = ranks == 0 ? "" : message.substring(0, message.indexOf(": ") + 2);
                assertTrue(message.startsWith(where + "component 'p" + oracle.failed + "' "), message);
            } else {
                Report report = loaded.run(surroundings);
                assertEquals(expected(oracle), report.values().get("results"), what);
            }
        }
        List<Integer> order = Mix.ORDERS.remove(run);
        if (mode == RunMode.SERIAL) {
            assertEquals(oracle.order, order, what);
        }
    }

    private static Map<String, List<Long>> expected(ProgramOracle oracle) {
        Map<String, List<Long>> values = new TreeMap<>();
        oracle.values().forEach((id, its) -> values.put("p" + id, its));
        return values;
    }
}

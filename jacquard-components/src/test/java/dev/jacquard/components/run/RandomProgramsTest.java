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
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of random shape, run in each mode, against an oracle that knows their loops. */
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
                resumed += stopAndGoOn(seed, program, oracle, random) ? 1 : 0;
            }
        }
        assertTrue(resumed > 10, "programs that went on: " + resumed);
    }

    /** Returns true if there was a checkpoint to go on from. */
    private boolean stopAndGoOn(int seed, RandomProgram program, ProgramOracle oracle, Random random) throws Exception {
        Path file = folder.resolve("p.yaml");
        Path out = folder.resolve("out-" + seed);
        Files.writeString(file, program.yamlWithCheckpoints(1 + seed % 2));
        boolean goesOn = false;
        for (int stops = 2; stops > 0; stops--) {
            RunMode mode = random.nextBoolean() ? RunMode.SERIAL : RunMode.PARALLEL;
            Program loaded = Program.load(file, new Choices(List.of("workers=2"), null, CATALOG, mode));
            Mix.STOP.set(1 + random.nextInt(oracle.order.size()));
            try (OutputFolder output = OutputFolder.open(out)) {
                boolean resumes = Files.exists(out.resolve("checkpoint"));
                goesOn |= resumes;
                loaded.run(new Surroundings(output, Progress.NONE, new Cancellation(), resumes));
            } catch (ComponentFailedException e) {
                assertTrue(String.valueOf(e.getMessage()).contains("stopped by the test"), e.getMessage());
            }
            Mix.STOP.set(0);
        }
        RunMode mode = random.nextBoolean() ? RunMode.SERIAL : RunMode.PARALLEL;
        Program loaded = Program.load(file, new Choices(List.of("workers=2"), null, CATALOG, mode));
        boolean resumes = Files.exists(out.resolve("checkpoint"));
        try (OutputFolder output = OutputFolder.open(out)) {
            Report report = loaded.run(new Surroundings(output, Progress.NONE, new Cancellation(), resumes));
            assertEquals(expected(oracle), report.values().get("results"), "seed " + seed + ": " + program);
            output.commit();
        }
        assertTrue(!Files.exists(out.resolve("checkpoint")), "a program that is over leaves no checkpoint");
        return goesOn || resumes;
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

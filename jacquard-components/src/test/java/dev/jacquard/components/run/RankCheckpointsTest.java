package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Reduction;
import dev.jacquard.components.component.Component.Instance;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.Input;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.Program.Choices;
import dev.jacquard.components.run.Program.Surroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Programs over ranks that are stopped and go on: a loop of two components, the first of which keeps a number, adds to
 * it with all its ranks, and writes it to a file.
 */
@Timeout(120)
class RankCheckpointsTest {
    private static final String PROGRAM = """
            program: ranks
            workers: 4
            checkpoint: {every: 2}
            components:
              grow: {component: scripted, id: grows}
              end: {component: scripted, id: ends it, exit: true}
            wires: {grow.in: end.again, end.in: grow.out}
            """;

    private static final int PASSES = 7;
    private static final int RANKS = 2;

    @TempDir
    Path folder;

    /** Called by each execution with its rank and its pass. */
    private Step step = (rank, pass) -> {};
    /** Called where the rank saves its part, with the passes so far. */
    private Step saving = (rank, pass) -> {};
    /** By rank: the pass with which it has begun. */
    private final Map<Integer, Integer> begun = new ConcurrentHashMap<>();

    private interface Step {
        void run(int rank, int pass) throws Exception;
    }

    /** The instance that grows a number on a rank. */
    private final class Growing implements Instance {
        private final ComponentContext context;
        private final Input<String> input;
        private final int rank;
        private int pass;
        private long number;

        Growing(ComponentContext context) {
            this.context = context;
            this.input = context.input(Scripted.IN);
            this.rank = context.comm().rank();
            context.keep("pass", SocketType.of(Integer.class), this::passes, its -> pass = its);
            context.keep("number", SocketType.of(Long.class), () -> number, its -> number = its);
        }

        private int passes() {
            try {
                saving.run(rank, pass);
            } catch (Exception e) {
                throw new IllegalStateException(e.getMessage(), e);
            }
            return pass;
        }

        @Override
        public boolean execute() throws Exception {
            begun.putIfAbsent(rank, ++pass);
            step.run(rank, pass);
            long[] sum = {number + rank + 1 + input.orElse("").length()};
            context.comm().allreduce(Elements.of(sum), Reduction.sum());
            number = 3 * number + sum[0];
            if (rank == 0) {
                Files.writeString(
                        context.output().file("numbers.txt"),
                        number + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            }
            context.output(Scripted.OUT).set("x".repeat(pass));
            context.result(number);
            return true;
        }
    }

    @BeforeEach
    void scripts() {
        Scripted.is("grows", Growing::new);
        Scripted.is("ends it", context -> {
            int[] done = {0};
            context.keep("passes", SocketType.of(Integer.class), () -> done[0], its -> done[0] = its);
            return () -> {
                context.output(Scripted.AGAIN).set(context.input(Scripted.IN).get() + "!");
                return ++done[0] == PASSES;
            };
        });
    }

    private Report run(String yaml, RunMode mode, int ranks, boolean resumes, Cancellation cancellation)
            throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), yaml);
        Program program = Program.load(file, new Choices(List.of(), null, Catalog.of(List.of()), mode, ranks));
        begun.clear();
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            Report report = program.run(new Surroundings(out, Progress.NONE, cancellation, resumes));
            out.commit();
            return report;
        }
    }

    private Report run(RunMode mode, boolean resumes) throws Exception {
        return run(PROGRAM, mode, RANKS, resumes, new Cancellation());
    }

    private String refusal(String yaml, RunMode mode, int ranks) {
        return String.valueOf(assertThrows(InputException.class, () -> run(yaml, mode, ranks, true, new Cancellation()))
                .getMessage());
    }

    private void stopAt(RunMode mode, int rank, int pass) throws Exception {
        step = (its, now) -> {
            if (its == rank && now == pass) {
                throw new IllegalStateException("stopped by the test");
            }
        };
        assertThrows(ComponentFailedException.class, () -> run(mode, false));
        step = (its, now) -> {};
    }

    private String numbers() throws Exception {
        return Files.readString(folder.resolve("out/grow/numbers.txt"));
    }

    private List<String> left() throws Exception {
        try (Stream<Path> all = Files.list(folder.resolve("out"))) {
            return all.map(each -> String.valueOf(each.getFileName()))
                    .filter(each -> each.startsWith("checkpoint"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TASK_PARALLEL", "DATA_PARALLEL"})
    void aRunGoesOnToTheSameBitsWhereverItFailed(RunMode mode) throws Exception {
        Object results = run(mode, false).values().get("results");
        String numbers = numbers();
        int ranks = mode == RunMode.DATA_PARALLEL ? RANKS : 1;
        for (int rank = 0; rank < ranks; rank++) {
            for (int pass = 3; pass <= PASSES; pass++) {
                stopAt(mode, rank, pass);
                assertEquals(List.of("checkpoint", "checkpoint.files", "checkpoint.ranks"), left());
                assertEquals(results, run(mode, true).values().get("results"));
                assertEquals(numbers, numbers());
                int first = pass - (pass - 1) % 2;
                begun.forEach((its, begin) -> assertEquals(first, begin, "rank " + its));
                assertEquals(List.of(), left());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TASK_PARALLEL", "DATA_PARALLEL"})
    void aCancelledRunGoesOn(RunMode mode) throws Exception {
        Object results = run(mode, false).values().get("results");
        for (int pass = 3; pass <= PASSES; pass++) {
            int last = pass;
            Cancellation cancellation = new Cancellation();
            step = (rank, now) -> {
                if (now == last) {
                    cancellation.cancel();
                }
            };
            assertThrows(CancellationException.class, () -> run(PROGRAM, mode, RANKS, false, cancellation));
            step = (rank, now) -> {};
            assertEquals(results, run(mode, true).values().get("results"));
        }
    }

    /** Parts of a savepoint that not all ranks have written are not used. */
    @Test
    void aRankThatCannotSaveLeavesTheSavepointBefore() throws Exception {
        Object results = run(RunMode.DATA_PARALLEL, false).values().get("results");
        for (int rank = 0; rank < RANKS; rank++) {
            int fails = rank;
            saving = (its, passes) -> {
                if (its == fails && passes == 4) {
                    throw new IllegalStateException("no more room");
                }
            };
            ComponentFailedException failure =
                    assertThrows(ComponentFailedException.class, () -> run(RunMode.DATA_PARALLEL, false));
            assertTrue(
                    String.valueOf(failure.getMessage())
                            .matches("rank " + rank + ": the state 'grow.pass' .*no more room.*"),
                    failure.getMessage());
            saving = (its, passes) -> {};
            assertEquals(results, run(RunMode.DATA_PARALLEL, true).values().get("results"));
            assertEquals(Map.of(0, 3, 1, 3), begun);
        }
    }

    /** A run from the begin, in the place of an earlier checkpoint, leaves that whole until it has its own. */
    @Test
    void aNewRunKeepsTheEarlierCheckpointUntilItsFirst() throws Exception {
        Object results = run(RunMode.DATA_PARALLEL, false).values().get("results");
        stopAt(RunMode.DATA_PARALLEL, 1, 5);
        stopAt(RunMode.DATA_PARALLEL, 1, 2);
        assertEquals(results, run(RunMode.DATA_PARALLEL, true).values().get("results"));
        assertEquals(Map.of(0, 5, 1, 5), begun);
    }

    @Test
    void otherRanksModesAndPartsAreRefused() throws Exception {
        assertTrue(refusal(PROGRAM, RunMode.DATA_PARALLEL, 2).startsWith("--resume: there is no checkpoint "));
        stopAt(RunMode.DATA_PARALLEL, 1, 6);
        Path file = folder.resolve("out/checkpoint");
        assertEquals(
                "--resume: " + file
                        + " is a checkpoint of a run data-parallel on 2 ranks in one process, and this one is"
                        + " to run data-parallel on 3 ranks in one process; give --mode data-parallel --ranks 2 alone, or start without --resume",
                refusal(PROGRAM, RunMode.DATA_PARALLEL, 3));
        assertEquals(
                "--resume: " + file
                        + " is a checkpoint of a run data-parallel on 2 ranks in one process, and this one is"
                        + " to run task-parallel on 2 ranks in one process; give --mode data-parallel --ranks 2 alone, or start without --resume",
                refusal(PROGRAM, RunMode.TASK_PARALLEL, 2));
        assertEquals(
                "--resume: " + file + " is a checkpoint of a run data-parallel on 2 ranks in one process; give --mode"
                        + " data-parallel --ranks 2 alone, or start without --resume",
                refusal(PROGRAM, RunMode.SERIAL, 0));
        String other = refusal(PROGRAM.replace("ends it,", "ends at once,"), RunMode.DATA_PARALLEL, 2);
        assertTrue(other.contains("'end.id' is ends it there, and ends at once here"), other);
        Path part = folder.resolve("out/checkpoint.ranks/rank-1-2");
        byte[] bytes = Files.readAllBytes(part);
        bytes[bytes.length / 2] ^= 1;
        Files.write(part, bytes);
        String damaged = refusal(PROGRAM, RunMode.DATA_PARALLEL, 2);
        assertTrue(damaged.startsWith("rank 1: --resume: " + part + " is damaged"), damaged);
        Files.delete(part);
        String missing = refusal(PROGRAM, RunMode.DATA_PARALLEL, 2);
        assertTrue(missing.startsWith("rank 1: --resume: " + part + " is missing, which " + file + " names"), missing);
    }

    @Test
    void aCheckpointWithoutRanksIsRefusedByRanks() throws Exception {
        Cancellation cancellation = new Cancellation();
        step = (rank, pass) -> {
            if (pass == 4) {
                throw new IllegalStateException("stopped by the test");
            }
        };
        assertThrows(ComponentFailedException.class, () -> run(PROGRAM, RunMode.PARALLEL, 0, false, cancellation));
        assertEquals(
                "--resume: " + folder.resolve("out/checkpoint") + " is a checkpoint of a run without ranks; give --mode"
                        + " serial or --mode parallel, or start without --resume",
                refusal(PROGRAM, RunMode.TASK_PARALLEL, 2));
        assertFalse(Files.exists(folder.resolve("out/checkpoint.ranks")));
    }

    /** A rank that leaves a loop which another one does not leave is named, and nothing hangs. */
    @Test
    void loopsOfDifferentPassesAreTold() throws Exception {
        AtomicInteger opened = new AtomicInteger();
        Scripted.is("ends differently", context -> {
            int passes = context.comm().rank() == 0 ? 6 : 3;
            int[] done = {0};
            opened.incrementAndGet();
            return () -> {
                context.output(Scripted.AGAIN).set("");
                return ++done[0] == passes;
            };
        });
        String yaml = """
                checkpoint: {every: 2}
                components:
                  begin: {component: scripted, id: hands on}
                  end: {component: scripted, id: ends differently, exit: true}
                wires: {begin.in: end.again, end.in: begin.out}
                """;
        Scripted.is("hands on", context -> () -> {
            context.output(Scripted.OUT).set("on");
            return true;
        });
        ComponentFailedException failure = assertThrows(
                ComponentFailedException.class, () -> run(yaml, RunMode.DATA_PARALLEL, 2, false, new Cancellation()));
        assertTrue(String.valueOf(failure.getMessage()).contains("in communicator 'checkpoint'"), failure.getMessage());
        assertEquals(2, opened.get());
    }
}

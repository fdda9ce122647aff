package dev.jacquard.apps.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.replay.ReplayResult.EndState;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.Progress;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {
    private static final Path EXAMPLES = Path.of("../examples");
    private static final int PROGRAMS = Integer.getInteger("jacquard.programs", 1000);
    private static final long SEED = Long.getLong("jacquard.seed", 20_261_120L);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theTourKeepsItsOrderAndItsFailure(int workers) {
        TaskProgram program = TaskProgram.read(EXAMPLES.resolve("replay-tour.json"));
        ReplayResult result = Replay.run(program, Replay.Options.of(workers)).result();
        assertEquals(List.of(), OrderOracle.check(program, result));
        assertEquals(3, result.count(EndState.DONE));
        assertEquals(EndState.FAILED, result.tasks().getLast().state());
        assertEquals(workers, result.workers());
        assertEquals(result, ResultReader.parse("r", result.toJson()));
    }

    /** Everything that the format has, mixed at random; the seed and the program are in the message. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void noRandomProgramIsRunAgainstItsOrder(int workers) {
        for (int i = 0; i < PROGRAMS; i++) {
            long seed = SEED + 10L * i + workers;
            TaskProgram program = RandomPrograms.of(seed, 25);
            ReplayResult result;
            try {
                result = Replay.run(program, Replay.Options.of(workers)).result();
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed + ", " + ProgramWriter.write(program), e);
            }
            List<String> violations = OrderOracle.check(program, result);
            assertTrue(
                    violations.isEmpty(),
                    () -> "seed " + seed + ", " + workers + " workers: " + violations + '\n'
                            + ProgramWriter.write(program) + result.toJson());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sequential", "fifo", "priority", "stealing", "pinned", "round-robin", "minimum-load"})
    void noPolicyRunsAProgramAgainstItsOrder(String name) {
        Policy policy = Policies.named(name);
        for (int i = 0; i < PROGRAMS / 5; i++) {
            long seed = SEED + 10L * i + 7;
            TaskProgram program = RandomPrograms.of(seed, 25);
            ReplayResult result = Replay.run(
                            program, Replay.Options.of(1 + i % 3).withPolicy(policy))
                    .result();
            assertEquals(name, result.policy());
            List<String> violations = OrderOracle.check(program, result);
            assertTrue(
                    violations.isEmpty(),
                    () -> "seed " + seed + ", " + name + ": " + violations + '\n' + ProgramWriter.write(program)
                            + result.toJson());
        }
    }

    @Test
    void randomProgramsAreRightAndReadAsTheyAreWritten() {
        for (int i = 0; i < PROGRAMS; i++) {
            TaskProgram program = RandomPrograms.of(SEED + i, 25);
            assertEquals(program, TaskProgram.parse("seed " + (SEED + i), ProgramWriter.write(program)));
        }
    }

    /** The oracle sees it when runs lack what their programs say. */
    @Test
    void runsThatLackAccessesAreCaught() {
        int caught = 0;
        for (int i = 0; i < 200; i++) {
            TaskProgram program = RandomPrograms.of(SEED + i, 25);
            TaskProgram bare = new TaskProgram(
                    program.resources(),
                    program.tasks().stream().map(ReplayTest::bare).toList());
            ReplayResult result = Replay.run(bare, Replay.Options.of(2)).result();
            caught += OrderOracle.check(program, result).isEmpty() ? 0 : 1;
        }
        assertTrue(caught > 100, "only " + caught + " of 200 wrong runs were seen");
    }

    private static TaskSpec bare(TaskSpec task) {
        return new TaskSpec(
                task.name(),
                task.micros(),
                List.of(),
                List.of(),
                task.flags(),
                0,
                task.fails(),
                task.refine().stream().map(ReplayTest::bare).toList(),
                List.of());
    }

    @Test
    void timesComeFromTheClock() {
        AtomicLong time = new AtomicLong(1000);
        Clock clock = time::incrementAndGet;
        TaskProgram program = TaskProgram.parse("p", """
                {"resources": [{"name": "x"}], "tasks": [
                 {"name": "a", "micros": 1, "accesses": [{"resource": "x", "mode": "write"}],
                  "demote": [{"at": 0.25, "resource": "x", "mode": "read"}, {"at": 0.5, "resource": "x", "mode": "none"}]},
                 {"name": "b", "micros": 0.5, "after": ["a"]}]}
                """);
        Replay.Options options = Replay.Options.of(1).withClock(clock);
        ReplayResult result = Replay.run(program, options).result();
        assertEquals(List.of(), OrderOracle.check(program, result));
        assertTrue(result.makespan() >= 1500 && result.makespan() < 1600, () -> "makespan " + result.makespan());
    }

    @Test
    void progressCountsEveryBody() {
        List<String> told = new ArrayList<>();
        AtomicLong steps = new AtomicLong();
        Progress progress = new Progress() {
            @Override
            public void start(String stage, long count) {
                told.add(stage + " " + count);
            }

            @Override
            public void advance(long count) {
                steps.addAndGet(count);
            }
        };
        TaskProgram program = TaskProgram.read(EXAMPLES.resolve("replay-tour.json"));
        Replay.run(program, Replay.Options.of(2).watchedBy(progress, new Cancellation()));
        assertEquals(List.of("replaying 4"), told);
        assertEquals(4, steps.get());
    }

    @Test
    void aRunThatIsStoppedSaysSo() {
        Cancellation cancellation = new Cancellation();
        Clock stopping = () -> {
            cancellation.cancel();
            return System.nanoTime();
        };
        TaskProgram program = TaskProgram.parse("p", "{\"tasks\": [{\"name\": \"a\", \"micros\": 1e12}]}");
        Replay.Options options = Replay.Options.of(2).withClock(stopping).watchedBy(Progress.NONE, cancellation);
        assertThrows(CancellationException.class, () -> Replay.run(program, options));
    }

    @Test
    void theTraceHasEveryTask() {
        TaskProgram program = TaskProgram.read(EXAMPLES.resolve("replay-tour.json"));
        Replay.Options options = Replay.Options.of(2).withTrace(16);
        List<String> names = new ArrayList<>();
        Replay.Run run = Replay.run(program, options);
        run.trace()
                .lanes()
                .forEach(lane -> lane.spans(span -> names.add(run.trace().nameOf(span.nameId()))));
        assertTrue(names.containsAll(List.of("t0", "t0.a", "t1", "t2")), names.toString());
    }

    @Test
    void theReportIsATable() {
        ReplayResult result = ResultReader.parse("r", """
                {"makespan": 28400, "workers": 2, "policy": "stealing",
                 "tasks": [{"name": "t0", "state": "done", "start": 1200, "end": 22300, "worker": "main",
                            "tasks": [{"name": "t0.a", "state": "done", "start": 1500, "end": 6800, "worker": "w1"}]},
                           {"name": "t1", "state": "failed", "start": 6900, "end": 27000, "worker": "w1",
                            "demoted": [{"resource": "board", "mode": "read", "time": 16950}]},
                           {"name": "t2", "state": "cancelled"}]}
                """);
        assertEquals("""
                task    state      start µs  end µs  worker
                t0      done            1.2    22.3  main
                  t0.a  done            1.5     6.8  w1
                t1      failed          6.9    27.0  w1      board to read at 17.0
                t2      cancelled

                4 tasks: 2 done, 1 failed, 1 cancelled; makespan 28.4 µs with 2 workers, stealing
                """, String.join("\n", ReplayReport.lines(result)) + "\n");
    }
}

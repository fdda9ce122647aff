package dev.jacquard.apps.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.replay.ReplayResult.EndState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks of programs with many tasks, which are no work of each pair of them, or more. */
@Timeout(180)
class LargeChecksTest {
    private static List<String> check(TaskProgram program, List<TaskResult> results) {
        return OrderOracle.check(program, new ReplayResult(100_000, 1, "stealing", results));
    }

    private static TaskResult ended(String name, EndState state, long start, long end) {
        return new TaskResult(name, state, new Execution(start, end, "w0"), List.of(), List.of());
    }

    /** A cancelled task behind another one is found by what it names, not by a look at all pairs again and again. */
    @Test
    void aLongChainBehindAFailure() {
        int tasks = 20_000;
        List<TaskSpec> specs = new ArrayList<>();
        List<TaskResult> results = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            List<String> after = i == 0 ? List.of() : List.of("t" + (i - 1));
            specs.add(new TaskSpec("t" + i, 0, List.of(), after, Set.of(), 0, i == 0, List.of(), List.of()));
            results.add(new TaskResult("t" + i, EndState.CANCELLED, null, List.of(), List.of()));
        }
        results.set(0, ended("t0", EndState.FAILED, 0, 10));
        assertEquals(List.of(), check(new TaskProgram(List.of(), specs), results));
        specs.set(tasks / 2, Specs.task("t" + tasks / 2, 0));
        List<String> violations = check(new TaskProgram(List.of(), specs), results);
        assertEquals(tasks / 2, violations.size());
        assertTrue(violations.getFirst().contains("cancelled without a reason"), violations.getFirst());
    }

    /** Readers run in any order, here from the last one on. */
    @Test
    void manyReadersInAnotherOrder() {
        int tasks = 3_000;
        AccessSpec read = new AccessSpec("a", AccessMode.READ, null);
        List<TaskSpec> specs = new ArrayList<>();
        List<TaskResult> results = new ArrayList<>();
        IntStream.range(0, tasks).forEach(i -> {
            specs.add(Specs.task("t" + i, 0, read));
            results.add(ended("t" + i, EndState.DONE, tasks - i, tasks - i + 1));
        });
        specs.add(Specs.task("last", 0, new AccessSpec("a", AccessMode.WRITE, null)));
        results.add(ended("last", EndState.DONE, 0, 1));
        List<String> violations = check(new TaskProgram(List.of(ResourceSpec.of("a")), specs), results);
        assertEquals(tasks, violations.size());
        assertTrue(violations.getFirst().contains("\"last\" started at 0, before "), violations.getFirst());
    }
}

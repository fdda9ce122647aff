package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.jacquard.core.schedule.Policies;
import dev.jacquard.core.schedule.Policy;
import dev.jacquard.core.schedule.Stealing;
import dev.jacquard.core.testing.Program;
import dev.jacquard.core.testing.Programs;
import dev.jacquard.core.testing.Trial;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random programs end as their sequential runs do, with any number of workers. */
class RandomProgramsTest {
    private static final int PROGRAMS = 500;
    private static final int PROGRAMS_PER_SESSION = 25;

    @ParameterizedTest
    @MethodSource("policies")
    void endAsTheirSequentialRunsUnderEveryPolicy(Policy policy) {
        Programs programs = Programs.dense();
        for (long seed = 0; seed < PROGRAMS; seed += PROGRAMS_PER_SESSION) {
            long first = seed;
            assertTimeoutPreemptively(
                    Duration.ofSeconds(30),
                    () -> runAll(programs, first, 1 + (int) (first / PROGRAMS_PER_SESSION % 4), policy),
                    () -> "programs from seed " + first + " under " + policy.name() + " hang");
        }
    }

    static List<Policy> policies() {
        return Policies.all();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void endAsTheirSequentialRuns(int workers) {
        Programs programs = Programs.dense();
        for (long seed = 1000L * workers; seed < 1000L * workers + PROGRAMS; seed += PROGRAMS_PER_SESSION) {
            long first = seed;
            assertTimeoutPreemptively(
                    Duration.ofSeconds(30),
                    () -> runAll(programs, first, workers, new Stealing()),
                    () -> "programs from seed " + first + " with " + workers + " workers hang");
        }
    }

    private static void runAll(Programs programs, long firstSeed, int workers, Policy policy) {
        try (Session session = Session.builder().workers(workers).policy(policy).open()) {
            for (long seed = firstSeed; seed < firstSeed + PROGRAMS_PER_SESSION; seed++) {
                Program program = programs.draw(seed);
                try {
                    new Trial(program, session.graph(), session::wrap).run();
                } catch (AssertionError e) {
                    throw new AssertionError(
                            "seed " + seed + " under " + policy.name() + " with " + workers + " workers: "
                                    + e.getMessage(),
                            e);
                }
            }
        }
    }
}

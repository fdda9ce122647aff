package dev.jacquard.core.compiled;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.Frozen;
import dev.jacquard.testkit.Rounds;
import java.util.concurrent.CancellationException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random graphs on real workers end in every run as their sequential runs do. */
class RandomGraphsTest {
    private static final int RUNS = 20;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void withFailures(int workers) {
        verify(workers, Frozen::plain);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void withFailuresAndBranches(int workers) {
        verify(workers, Frozen::branching);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void withFailuresBranchesAndGraphsAsTasks(int workers) {
        verify(workers, Frozen::nesting);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void thousandsOfRunsOfTheSameGraph(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Frozen frozen = Frozen.nesting(17);
            CompiledGraph graph = frozen.compile(session, session.executor());
            Rounds.run(100_000, run -> runOnce(frozen, graph));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aRunIsCancelledAtAnyMomentAndTheNextIsNot(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Frozen frozen = Frozen.nesting(17);
            cancelAtAnyMoment(frozen, frozen.compile(session, session.executor()), 20_000);
        }
    }

    /** Starts and cancels runs; each next one is not cancelled. */
    static void cancelAtAnyMoment(Frozen frozen, CompiledGraph graph, int rounds) {
        Rounds.run(rounds, round -> {
            frozen.nextGoodRun();
            graph.start();
            Rounds.drift(round);
            graph.cancel();
            try {
                graph.join();
            } catch (CancellationException e) {
                assertEquals(0, graph.report().failed(), e::toString);
            }
            frozen.nextGoodRun();
            graph.run();
            frozen.verify(graph.report(), null);
        });
    }

    private static void verify(int workers, LongFunction<Frozen> draw) {
        try (Session session = Session.builder().workers(workers).open()) {
            Rounds.run(500, seed -> {
                Frozen frozen = draw.apply(seed);
                CompiledGraph graph = frozen.compile(session, session.executor());
                for (int run = 0; run < RUNS; run++) {
                    runOnce(frozen, graph);
                }
            });
        }
    }

    static void runOnce(Frozen frozen, CompiledGraph graph) {
        frozen.nextRun();
        @Nullable RuntimeException failure = null;
        try {
            graph.run();
        } catch (RuntimeException e) {
            failure = e;
        }
        frozen.verify(graph.report(), failure);
    }
}

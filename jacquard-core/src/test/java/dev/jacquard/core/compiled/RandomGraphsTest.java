package dev.jacquard.core.compiled;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.Rounds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random graphs on real workers: in every run each task runs once, behind its predecessors, and sees what they did. */
class RandomGraphsTest {
    private static final int RUNS = 40;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void tasksRunOnceAndBehindTheirPredecessors(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Rounds.run(400, seed -> {
                Stamps stamps = new Stamps(Dag.draw(seed));
                CompiledGraph graph = stamps.compile("seed " + seed, session);
                for (int run = 1; run <= RUNS; run++) {
                    graph.run();
                    stamps.verify(run);
                }
                assertEquals(stamps.tasks(), graph.report().done(), () -> graph + " on " + workers + " workers");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void thousandsOfRunsOfTheSameGraph(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Stamps stamps = new Stamps(Dag.draw(17));
            CompiledGraph graph = stamps.compile("again and again", session);
            int runs = Rounds.run(100_000, run -> graph.run());
            stamps.verify(runs);
            assertEquals(runs, graph.report().run());
        }
    }
}

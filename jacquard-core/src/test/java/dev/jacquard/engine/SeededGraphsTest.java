package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.Completion;
import dev.jacquard.core.graph.DependencyDomain;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.testing.Frozen;
import dev.jacquard.engine.SeededSchedule.Action;
import dev.jacquard.engine.work.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compiled graphs and tasks under schedules drawn from seeds: any order of steps ends as a sequential run. */
class SeededGraphsTest {
    private static final int SEEDS = 600;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void compiledGraphsEndAsTheirSequentialRuns(int workers) {
        for (long seed = 0; seed < SEEDS; seed++) {
            SeededSchedule schedule = new SeededSchedule(seed, workers);
            Frozen frozen = Frozen.nesting(seed);
            CompiledGraph graph = frozen.compile(new Object(), schedule.engine());
            for (int run = 0; run < 4; run++) {
                frozen.nextRun();
                Ending ending = new Ending();
                schedule.play(List.of(new Action(true, () -> graph.start(ending))), () -> ending.over);
                frozen.verify(graph.report(), ending.failure);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void compiledGraphsAreCancelledAtAnyMomentAndRunAgain(int workers) {
        for (long seed = 0; seed < SEEDS; seed++) {
            SeededSchedule schedule = new SeededSchedule(seed, workers);
            Frozen frozen = Frozen.nesting(seed);
            CompiledGraph graph = frozen.compile(new Object(), schedule.engine());
            Ending cancelled = new Ending();
            frozen.nextGoodRun();
            schedule.play(
                    List.of(new Action(true, () -> graph.start(cancelled)), new Action(false, graph::cancel)),
                    () -> cancelled.over);
            assertTrue(
                    cancelled.failure == null || cancelled.failure instanceof CancellationException,
                    "seed " + seed + ": " + cancelled.failure);
            Ending well = new Ending();
            frozen.nextGoodRun();
            schedule.play(List.of(new Action(true, () -> graph.start(well))), () -> well.over);
            frozen.verify(graph.report(), well.failure);
        }
    }

    /** The exception of a run. */
    private static final class Ending implements Completion {
        private boolean over;
        private @Nullable RuntimeException failure;

        @Override
        public void over(WorkerContext worker, @Nullable RuntimeException thrown) {
            failure = thrown;
            over = true;
        }
    }

    @Test
    void theSameSeedPlaysTheSameSchedule() {
        assertEquals(orderOfRuns(42), orderOfRuns(42));
        assertTrue(
                new Random(1).longs(20).anyMatch(seed -> !orderOfRuns(seed).equals(orderOfRuns(42))),
                "every seed plays the same schedule");
    }

    private static List<String> orderOfRuns(long seed) {
        SeededSchedule schedule = new SeededSchedule(seed, 3);
        Object owner = new Object();
        TaskGraph graph = new TaskGraph(
                "g",
                new DependencyDomain(owner, schedule.engine(), DependencyDomain.Options.NONE),
                FailurePolicy.CONTINUE);
        List<String> order = new ArrayList<>();
        List<Action> actions = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String name = "t" + i;
            actions.add(new Action(
                    true,
                    () -> graph.task(name).run(context -> order.add(context.name() + " on " + context.worker()))));
        }
        schedule.play(actions, graph::isOver);
        return order;
    }
}

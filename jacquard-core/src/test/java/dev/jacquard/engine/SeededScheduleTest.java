package dev.jacquard.engine;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.Place;
import dev.jacquard.base.machine.Target;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.Completion;
import dev.jacquard.core.graph.DependencyDomain;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.testing.Frozen;
import dev.jacquard.engine.SeededSchedule.Action;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real workers under schedules drawn from seeds: any order of steps ends as a sequential run. */
class SeededScheduleTest {
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

    /** What a run threw. */
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

    @Test
    void nodesFromInsideAndOutsideAllRun() {
        try (ExecutorService outside = Executors.newSingleThreadExecutor()) {
            for (long seed = 0; seed < 150; seed++) {
                SeededSchedule schedule = new SeededSchedule(seed, 1 + (int) (seed % 4));
                Random random = new Random(seed);
                AtomicInteger left = new AtomicInteger();
                List<Action> actions = new ArrayList<>();
                for (int i = 0; i < 12; i++) {
                    Node tree = new Tree(random.nextInt(4), left);
                    Runnable ready = () -> schedule.engine().ready(tree);
                    actions.add(
                            random.nextBoolean()
                                    ? new Action(true, ready)
                                    : new Action(
                                            false,
                                            () -> CompletableFuture.runAsync(ready, outside)
                                                    .join()));
                }
                try {
                    schedule.play(actions, () -> left.get() == 0);
                } catch (AssertionError e) {
                    throw new AssertionError("seed " + seed + ", " + left + " nodes left: " + e.getMessage(), e);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void nodesOfAllPlacesRunOnTheirWorkers(Policy policy) {
        Target one = Target.named("one");
        for (long seed = 0; seed < 100; seed++) {
            SeededSchedule schedule =
                    new SeededSchedule(seed, 1 + (int) (seed % 3), policy, Map.of(one, 1 + (int) (seed % 2)));
            Random random = new Random(seed);
            AtomicInteger left = new AtomicInteger();
            List<Action> actions = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Node chain = chain(schedule.engine(), one, 1 + random.nextInt(8), random, left);
                actions.add(new Action(true, () -> schedule.engine().ready(chain)));
            }
            try {
                schedule.play(actions, () -> left.get() == 0);
            } catch (AssertionError e) {
                throw new AssertionError(policy.name() + ", seed " + seed + ", " + left + " nodes left", e);
            }
        }
    }

    /** So many nodes of drawn places, each of which makes the next ready, now or at its end or after a time. */
    private static Node chain(Engine engine, Target target, int length, Random random, AtomicInteger left) {
        left.incrementAndGet();
        Place place = switch (random.nextInt(4)) {
            case 0 -> Place.MAIN;
            case 1 -> Objects.requireNonNull(engine.place(target));
            default -> Place.HOST;
        };
        Node next = length == 1 ? null : chain(engine, target, length - 1, random, left);
        int how = random.nextInt(3);
        return new Scripted("chain", place, worker -> {
            Worker.Role role = engine.pool().crew.all()[worker.index()].role();
            assertEquals(
                    place.number() > Place.MAIN.number(),
                    role == Worker.Role.TARGET,
                    "place " + place + " ran on a worker for " + role);
            assertTrue(place != Place.MAIN || worker.index() == 0, "a main node ran on worker " + worker.index());
            left.decrementAndGet();
            if (next != null) {
                switch (how) {
                    case 0 -> worker.ready(next);
                    case 1 -> worker.readyAtEnd(next);
                    default -> engine.schedule(500, () -> engine.ready(next));
                }
            }
        });
    }

    @Test
    void reportsAHang() {
        SeededSchedule schedule = new SeededSchedule(1, 2);
        AssertionError hang = assertThrows(AssertionError.class, () -> schedule.play(List.of(), () -> false));
        assertMentions(hang, "hang: all workers sleep");
    }

    static List<Policy> policies() {
        return Policies.all();
    }

    private static List<String> orderOfRuns(long seed) {
        SeededSchedule schedule = new SeededSchedule(seed, 3);
        Object owner = new Object();
        TaskGraph graph = new TaskGraph("g", new DependencyDomain(owner, schedule.engine()), FailurePolicy.CONTINUE);
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

    /** A node that makes two of its kind ready, one now and one at its end, down to depth 0. */
    private static final class Tree extends Node {
        private final int depth;
        private final AtomicInteger left;

        Tree(int depth, AtomicInteger left) {
            this.depth = depth;
            this.left = left;
            left.incrementAndGet();
        }

        @Override
        public void run(WorkerContext worker) {
            if (depth > 0) {
                worker.ready(new Tree(depth - 1, left));
                worker.readyAtEnd(new Tree(depth - 1, left));
            }
            left.decrementAndGet();
        }
    }
}

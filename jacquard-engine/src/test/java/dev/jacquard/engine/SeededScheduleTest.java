package dev.jacquard.engine;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The real workers under schedules drawn from seeds: any order of steps runs each node once. */
class SeededScheduleTest {
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
        ExecutionTarget one = ExecutionTarget.named("one");
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
    private static Node chain(Engine engine, ExecutionTarget target, int length, Random random, AtomicInteger left) {
        left.incrementAndGet();
        Place place = switch (random.nextInt(4)) {
            case 0 -> Place.MAIN;
            case 1 -> Objects.requireNonNull(engine.place(target));
            default -> Place.HOST;
        };
        Node next = length == 1 ? null : chain(engine, target, length - 1, random, left);
        int how = random.nextInt(4);
        return new Scripted("chain", place, worker -> {
            WorkerState.Role role = engine.pool().crew.all()[worker.index()].role();
            assertEquals(
                    place.number() > Place.MAIN.number(),
                    role == WorkerState.Role.TARGET,
                    "place " + place + " ran on a worker for " + role);
            assertTrue(place != Place.MAIN || worker.index() == 0, "a main node ran on worker " + worker.index());
            left.decrementAndGet();
            if (next != null) {
                switch (how) {
                    case 0 -> worker.ready(next);
                    case 1 -> worker.readyAtEnd(next);
                    case 2 -> worker.readyBehind(next);
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
                Tree last = new Tree(depth - 1, left);
                if (depth % 2 == 0) {
                    worker.readyAtEnd(last);
                } else {
                    worker.readyBehind(last);
                }
            }
            left.decrementAndGet();
        }
    }
}

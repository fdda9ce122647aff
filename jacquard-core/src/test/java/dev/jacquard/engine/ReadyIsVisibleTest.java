package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.SeededSchedule.Action;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.Stealing;
import dev.jacquard.engine.work.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** While a body runs, every ready task that no worker runs can be taken by another worker. */
class ReadyIsVisibleTest {
    private static final int[] SIZES = {2, 3, 31, 32, 33, 64, 65, 100, 1000};

    @ParameterizedTest
    @MethodSource("policies")
    void allReadyTasksOfACompiledGraphRunWhileOneRunsLong(Policy policy) {
        for (int workers : new int[] {2, 3}) {
            for (int size : SIZES) {
                for (Around around : Around.values()) {
                    for (int longOne :
                            IntStream.of(0, 1, size / 2, size - 1).distinct().toArray()) {
                        assertEquals(
                                0,
                                leftWaiting(policy, workers, size, around, longOne),
                                policy.name() + ", " + workers + " workers, " + size + " tasks, " + around + ", task "
                                        + longOne + " runs long: tasks that wait for it alone");
                    }
                }
            }
        }
    }

    /** The tasks around those that become ready together. */
    private enum Around {
        NOTHING(false, Behind.END),
        ROOT(true, Behind.END),
        JOIN(false, Behind.ONE),
        PAIRS(true, Behind.PAIRS),
        CHAINS(true, Behind.EACH);

        private final boolean root;
        private final Behind behind;

        Around(boolean root, Behind behind) {
            this.root = root;
            this.behind = behind;
        }
    }

    private enum Behind {
        END,
        ONE,
        PAIRS,
        EACH
    }

    /**
     * How many tasks that do not depend on the long one have not run when the other workers have nothing left to do.
     */
    private static int leftWaiting(Policy policy, int workers, int size, Around around, int longOne) {
        SeededSchedule schedule = new SeededSchedule(size + longOne, workers, policy);
        AtomicInteger left = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        CompiledGraphBuilder builder = new CompiledGraphBuilder("g", new Object(), schedule.engine());
        int root = around.root ? builder.task("root", ctx -> {}) : -1;
        int[] tasks = new int[size];
        int others = 0;
        for (int i = 0; i < size; i++) {
            boolean isLong = i == longOne;
            tasks[i] = builder.task("t" + i, ctx -> {
                if (isLong) {
                    schedule.stepUntilAllSleep();
                    seen.set(left.get());
                } else {
                    left.decrementAndGet();
                }
            });
            others += isLong ? 0 : 1;
            if (root >= 0) {
                builder.edge(root, tasks[i], false);
            }
        }
        others += behind(builder, around.behind, tasks, longOne, left);
        CompiledGraph graph = builder.build();
        for (int run = 0; run < 3; run++) {
            left.set(others);
            AtomicBoolean over = new AtomicBoolean();
            schedule.play(List.of(new Action(true, () -> graph.start((worker, failure) -> over.set(true)))), over::get);
            if (seen.get() > 0) {
                return seen.get();
            }
        }
        return 0;
    }

    /** Adds the tasks behind; returns how many of them do not depend on the long one. */
    private static int behind(CompiledGraphBuilder builder, Behind how, int[] tasks, int longOne, AtomicInteger left) {
        int free = 0;
        int width = switch (how) {
            case END -> 0;
            case ONE -> tasks.length;
            case PAIRS -> 2;
            case EACH -> 1;
        };
        List<int[]> edges = new ArrayList<>();
        for (int from = 0; width > 0 && from < tasks.length; from += width) {
            int to = Math.min(tasks.length, from + width);
            boolean waits = from <= longOne && longOne < to;
            free += waits ? 0 : 1;
            int later = builder.task("after " + from, waits ? ctx -> {} : ctx -> left.decrementAndGet());
            for (int i = from; i < to; i++) {
                edges.add(new int[] {tasks[i], later});
            }
        }
        edges.forEach(edge -> builder.edge(edge[0], edge[1], false));
        return free;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    @Timeout(120)
    void aTaskMayWaitForTheOthersThatAreReadyWithIt(int workers) throws InterruptedException {
        for (int size : SIZES) {
            CountDownLatch[] others = new CountDownLatch[1];
            AtomicBoolean inTime = new AtomicBoolean();
            try (Session session = Session.builder().workers(workers).open()) {
                CompiledGraph graph = session.record("g", g -> {
                    for (int i = 0; i < size; i++) {
                        boolean isLong = i == 1;
                        g.task("t" + i).run(ctx -> {
                            if (isLong) {
                                inTime.set(others[0].await(20, TimeUnit.SECONDS));
                            } else {
                                others[0].countDown();
                            }
                        });
                    }
                });
                for (int run = 0; run < 5; run++) {
                    others[0] = new CountDownLatch(size - 1);
                    inTime.set(false);
                    graph.run();
                    assertTrue(inTime.get(), size + " tasks: " + others[0].getCount() + " were never started");
                }
            }
        }
    }

    @Test
    void theNextNodeOfAWorkerCanBeTakenWhileItRunsAnotherOne() {
        SeededSchedule schedule = new SeededSchedule(1, 2);
        AtomicBoolean taken = new AtomicBoolean();
        AtomicBoolean seen = new AtomicBoolean();
        AtomicBoolean over = new AtomicBoolean();
        Node next = new Scripted("next", Place.HOST, worker -> taken.set(true));
        Node main = new Scripted("main", Place.MAIN, worker -> {
            schedule.stepUntilAllSleep();
            seen.set(taken.get());
            over.set(true);
        });
        Node both = new Scripted("both", Place.MAIN, worker -> {
            worker.readyAtEnd(next);
            worker.ready(main);
        });
        schedule.play(List.of(new Action(true, () -> schedule.engine().ready(both))), over::get);
        assertTrue(seen.get(), "it waited until the main node was over");
    }

    /** Those that leave each ready task to any worker. */
    static List<Policy> policies() {
        return List.of(new Stealing(), Policies.named("fifo"), Policies.named("priority"));
    }
}

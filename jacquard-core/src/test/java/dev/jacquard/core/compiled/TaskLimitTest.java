package dev.jacquard.core.compiled;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.EmulatedKernels;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.memory.data.Data;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.util.BitSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Graphs of which only some tasks may run at a time. */
@Timeout(180)
class TaskLimitTest {
    private static final int WORKERS = 4;

    private final AtomicInteger now = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger ran = new AtomicInteger();

    private void body(int wait) {
        most.accumulateAndGet(now.incrementAndGet(), Math::max);
        Rounds.drift(wait);
        ran.incrementAndGet();
        now.decrementAndGet();
    }

    /** Layers of tasks side by side, and a task between two layers. */
    private CompiledGraph layers(Session session, int layers, int width) {
        CompiledGraphBuilder builder = session.compile("layers");
        int last = builder.task("first", context -> body(0));
        for (int layer = 0; layer < layers; layer++) {
            int[] tasks = new int[width];
            for (int i = 0; i < width; i++) {
                int wait = i;
                tasks[i] = builder.task("task " + layer + ' ' + i, context -> body(wait));
                builder.edge(last, tasks[i], true);
            }
            last = builder.task("join " + layer, context -> body(1));
            for (int task : tasks) {
                builder.edge(task, last, true);
            }
        }
        return builder.build();
    }

    @Test
    void aKernelOfADeviceIsNotHeldBack() {
        CountDownLatch ends = new CountDownLatch(1);
        try (Session session = EmulatedKernels.session(2, 1)) {
            Data x = session.data().vector("x", new double[1]);
            CompiledGraph graph = session.record("graph", rec -> {
                rec.task("on the host").run(context -> EmulatedKernels.await(ends));
                rec.task("kernel").updates(x).run(EmulatedKernels.kernel("kernel", () -> {}, its -> ends.countDown()));
            });
            graph.threads(1, 1);
            graph.run();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stealing", "priority"})
    void noMoreTasksRunThanAllowed(String policy) {
        try (Session session = Session.builder()
                .workers(WORKERS)
                .policy(Policies.named(policy))
                .open()) {
            CompiledGraph graph = layers(session, 3, 70);
            int tasks = graph.size();
            for (int allowed : new int[] {1, 2, 3, 1, WORKERS, 2}) {
                graph.threads(allowed, 1);
                for (int run = 0; run < 20; run++) {
                    most.set(0);
                    ran.set(0);
                    graph.run();
                    assertEquals(tasks, ran.get());
                    assertTrue(most.get() <= allowed, most + " tasks ran at a time, not " + allowed);
                }
            }
        }
    }

    @Test
    void asManyRunAsAllowed() {
        try (Session session = Session.builder().workers(WORKERS).open()) {
            CompiledGraphBuilder builder = session.compile("together");
            CountDownLatch together = new CountDownLatch(2);
            for (int i = 0; i < 10; i++) {
                builder.task("task " + i, context -> {
                    together.countDown();
                    Watchdog.await(together, "two tasks at a time");
                });
            }
            CompiledGraph graph = builder.build();
            graph.threads(2, 1);
            graph.run();
        }
    }

    /** Loops of a task that runs alone get the threads that the others would have. */
    @Test
    void tasksThatRunAloneGetMoreHelpers() {
        try (Session session = Session.builder().workers(WORKERS).open()) {
            CompiledGraphBuilder builder = session.compile("helpers");
            AtomicInteger wanted = new AtomicInteger();
            builder.task("loop", context -> loop(context, wanted.get()));
            CompiledGraph graph = builder.build();
            for (int[] threads : new int[][] {{1, 1}, {1, 3}, {3, 1}, {2, 2}}) {
                most.set(0);
                graph.threads(threads[0], threads[1]);
                wanted.set(threads[0] * threads[1]);
                graph.run();
                assertEquals(wanted.get(), most.get());
            }
        }
    }

    private void loop(BodyContext context, int together) throws Exception {
        CountDownLatch all = new CountDownLatch(together);
        context.parallelFor(0, 40, 1, (from, to) -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            all.countDown();
            Watchdog.await(all, together + " threads in one loop");
            now.decrementAndGet();
        });
    }

    @Test
    void tasksSideBySideShareTheHelpers() {
        try (Session session = Session.builder().workers(WORKERS).open()) {
            CompiledGraphBuilder builder = session.compile("share");
            CountDownLatch both = new CountDownLatch(2);
            CountDownLatch ended = new CountDownLatch(2);
            AtomicInteger[] most = {new AtomicInteger(), new AtomicInteger()};
            for (int task = 0; task < 2; task++) {
                AtomicInteger its = most[task];
                builder.task("loop " + task, context -> {
                    both.countDown();
                    Watchdog.await(both, "both loops");
                    AtomicInteger inside = new AtomicInteger();
                    context.parallelFor(0, 200, 1, (from, to) -> {
                        its.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        Rounds.drift((int) from);
                        inside.decrementAndGet();
                    });
                    ended.countDown();
                    Watchdog.await(ended, "both loops end"); // an ended task would leave its thread to the other
                });
            }
            CompiledGraph graph = builder.build();
            graph.threads(2, 1);
            graph.run();
            assertEquals(1, most[0].get());
            assertEquals(1, most[1].get());
        }
    }

    /** Three tasks one behind the other, or two, and one beside them; the times of all are known. */
    private static CompiledGraph measured(Session session, AtomicLong now, long[] nanos, BodyOf body) {
        CompiledGraphBuilder builder = session.compile("measured");
        int[] tasks = new int[3];
        for (int i = 0; i < tasks.length; i++) {
            int task = i;
            tasks[i] = builder.task("task " + i, context -> {
                now.addAndGet(nanos[task]);
                body.run(task, context);
            });
        }
        builder.edge(tasks[0], tasks[2], true);
        CompiledGraph graph = builder.build();
        graph.threads(1, 1);
        graph.measure(true);
        graph.run();
        graph.run();
        graph.measure(false);
        return graph;
    }

    /** A body of several tasks. */
    private interface BodyOf {
        void run(int task, BodyContext context) throws Exception;
    }

    /** The most threads in a loop of task 0 and of task 1, which begin together; that of the bottleneck waits for 3. */
    private static int[] inLoops(int bottleneck, long... nanos) {
        AtomicLong now = new AtomicLong();
        CountDownLatch three = new CountDownLatch(3);
        AtomicInteger[] most = {new AtomicInteger(), new AtomicInteger()};
        AtomicBoolean loops = new AtomicBoolean();
        CountDownLatch both = new CountDownLatch(2);
        CountDownLatch ended = new CountDownLatch(2);
        try (Session session =
                Session.builder().workers(WORKERS).clock(now::get).open()) {
            CompiledGraph graph = measured(session, now, nanos, (task, context) -> {
                if (!loops.get() || task > 1) {
                    return;
                }
                both.countDown();
                Watchdog.await(both, "both tasks");
                AtomicInteger inside = new AtomicInteger();
                context.parallelFor(0, 2_000, 1, (from, to) -> {
                    most[task].accumulateAndGet(inside.incrementAndGet(), Math::max);
                    if (task == bottleneck) {
                        three.countDown();
                        Watchdog.await(three, "three threads in one loop");
                    }
                    Rounds.drift((int) from);
                    inside.decrementAndGet();
                });
                ended.countDown();
                Watchdog.await(ended, "both loops end");
            });
            loops.set(true);
            graph.threads(2, 2);
            graph.run();
        }
        return new int[] {most[0].get(), most[1].get()};
    }

    /** The path of tasks 0 and 2 takes most of the time: three of four threads are for it, one for task 1. */
    @Test
    void bottlenecksHaveMoreHelpersThanTasksBesideThem() {
        assertArrayEquals(new int[] {3, 1}, inLoops(0, 1_000, 100, 1_000));
        assertArrayEquals(new int[] {1, 3}, inLoops(1, 1_000, 2_500, 100)); // task 1 alone is the path
    }

    /** Two tasks of the same length side by side: neither is a bottleneck. */
    @Test
    void tasksThatTakeNoMoreThanOthersHaveAsManyHelpers() {
        TaskLimit limit = new TaskLimit(8);
        limit.threads(2, 3, new BitSet());
        limit.beginRun();
        CompiledNode node = new FanIn(false);
        assertTrue(limit.begin(node));
        limit.runs(0);
        assertEquals(5, limit.helpers(0));
        assertTrue(limit.begin(node));
        limit.runs(1);
        assertEquals(2, limit.helpers(0));
        assertEquals(2, limit.helpers(1));
    }

    @Test
    void aBottleneckGetsWhatTasksBesideItDoNotUse() {
        TaskLimit limit = new TaskLimit(8);
        BitSet bottlenecks = new BitSet();
        bottlenecks.set(1);
        limit.threads(3, 2, bottlenecks);
        limit.beginRun();
        CompiledNode node = new FanIn(false);
        for (int task = 0; task < 3; task++) {
            assertTrue(limit.begin(node));
            limit.runs(task);
        }
        assertEquals(0, limit.helpers(0));
        assertEquals(3, limit.helpers(1)); // 6 threads: one for each of the others
        assertEquals(0, limit.helpers(2));
    }

    @Test
    void failuresAndCancellationsLeaveNothingBehind() {
        try (Session session = Session.builder().workers(WORKERS).open()) {
            CompiledGraphBuilder builder = session.compile("failing");
            AtomicInteger mode = new AtomicInteger();
            CompiledGraph[] graph = new CompiledGraph[1];
            int first = builder.task("first", context -> {
                if (mode.get() == 1) {
                    throw new IllegalStateException("planned");
                } else if (mode.get() == 2) {
                    graph[0].cancel();
                }
            });
            for (int i = 0; i < 50; i++) {
                int wait = i;
                int task = builder.task("task " + i, context -> body(wait));
                if (i % 2 == 0) {
                    builder.edge(first, task, true);
                }
            }
            graph[0] = builder.build();
            graph[0].threads(1, 1);
            for (int round = 0; round < 60; round++) {
                mode.set(round % 3);
                ran.set(0);
                switch (mode.get()) {
                    case 1 -> assertThrows(TaskFailedException.class, graph[0]::run);
                    case 2 -> assertThrows(CancellationException.class, graph[0]::run);
                    default -> {
                        graph[0].run();
                        assertEquals(50, ran.get());
                    }
                }
            }
        }
    }

    @Test
    void measuredTasksHaveTheirTimes() {
        try (Session session = Session.builder().workers(1).open()) {
            CompiledGraphBuilder builder = session.compile("measured");
            builder.task("long", context -> Rounds.drift(2_000));
            CompiledGraph graph = builder.build();
            graph.run();
            assertEquals(GraphSnapshot.Task.UNKNOWN, weight(graph));
            graph.measure(true);
            graph.run();
            double measured = weight(graph);
            assertTrue(measured > 0);
            graph.measure(false);
            graph.run();
            assertEquals(measured, weight(graph));
        }
    }

    private static double weight(CompiledGraph graph) {
        return graph.snapshot().tasks().getFirst().weightNanos();
    }

    @Test
    void limitsBelowOneAreRefused() {
        try (Session session = Session.builder().workers(1).open()) {
            CompiledGraph graph = layers(session, 1, 2);
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> graph.threads(0, 1)),
                    "needs a thread for tasks and one for their loops, not 0 and 1");
        }
    }
}

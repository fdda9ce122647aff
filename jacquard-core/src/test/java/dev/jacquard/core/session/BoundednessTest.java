package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskGroup;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.depend.AccessTracker;
import dev.jacquard.testkit.Watchdog;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept depends on what is alive, not on history. */
@Timeout(180)
class BoundednessTest {
    /** Workers may remember what they ran last. */
    private static final int FEW = 5;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aTrackerForgetsTasksThatAreOver(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            for (int batch = 0; batch < 1_000; batch++) {
                // A list doubles when more than half of it is alive: 100 need no more than 256 places.
                for (int i = 0; i < 100; i++) {
                    session.graph().task("reads").reads(x).run(context -> {});
                }
                session.graph().await();
                int tracked = ((AccessTracker<?>) Objects.requireNonNull(x.tracker())).size();
                assertTrue(tracked <= 256, tracked + " accesses are tracked after batch " + batch);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void movingWindowsAreForgotten(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            for (int batch = 0; batch < 300; batch++) {
                for (int i = 100 * batch; i < 100 * batch + 100; i++) {
                    Access access = Access.update(Area.of(i, i + 7, -i, 7 - i));
                    session.graph().task("window").accesses(x, access).run(context -> {});
                }
                session.graph().await();
                int tracked = ((AccessTracker<?>) Objects.requireNonNull(x.tracker())).size();
                assertTrue(tracked <= 256, tracked + " accesses are tracked after batch " + batch);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatABodyCapturedIsFreeWhenTheTaskIsOver(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            List<WeakReference<Object>> captured = new ArrayList<>();
            List<Task<?>> results = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                results.add(submitCapturing(session, x, captured));
            }
            session.graph().await();
            assertAllFreed(captured);
            results.forEach(Task::join);
        }
    }

    @Test
    void deadlinesAheadKeepNoGraphsThatAreOver() {
        try (Session session = Session.builder().workers(1).open()) {
            List<WeakReference<Object>> graphs = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                TaskGraph graph = session.graph("late", FailurePolicy.CONTINUE);
                graph.deadline(Duration.ofDays(1));
                graph.task("task").run(context -> {});
                graph.await();
                graphs.add(new WeakReference<>(graph));
            }
            assertAllFreed(graphs);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void groupsAndWhatComesAfterwardsAreFreeWhenTheirTasksAreOver(boolean fails) {
        try (Session session = Session.builder().workers(2).open()) {
            List<Handle<int[]>> handles = new ArrayList<>(); // whose trackers still know the tasks
            List<WeakReference<Object>> captured = new ArrayList<>();
            CountDownLatch over = new CountDownLatch(20);
            for (int i = 0; i < 40; i += 2) {
                handles.add(session.wrap("x", new int[1]));
                handles.add(session.wrap("y", new int[1]));
                submitGroup(session, handles.get(i), fails, captured, over);
                submitAfterwards(session, handles.get(i + 1), fails, captured);
            }
            Watchdog.await(over, "the groups' ends");
            try {
                session.graph().await();
            } catch (TaskFailedException e) {
                assertTrue(fails);
            }
            assertAllFreed(captured);
            assertEquals(40, handles.size());
        }
    }

    private static void submitGroup(
            Session session,
            Handle<int[]> x,
            boolean fails,
            List<WeakReference<Object>> captured,
            CountDownLatch over) {
        Object object = new byte[1000];
        captured.add(new WeakReference<>(object));
        TaskGroup group = session.graph().group();
        group.task("grouped").updates(x).run(ctx -> {
            if (fails) {
                throw new Exception("planned");
            }
        });
        group.whenOver(() -> {
            Objects.requireNonNull(object);
            over.countDown();
        });
    }

    private static void submitAfterwards(
            Session session, Handle<int[]> y, boolean fails, List<WeakReference<Object>> captured) {
        Object object = new byte[1000];
        captured.add(new WeakReference<>(object));
        session.graph().task("in two parts").updates(y).run(ctx -> {
            ctx.afterwards(more -> Objects.requireNonNull(object));
            if (fails) {
                throw new Exception("planned");
            }
        });
    }

    /** Ways to use a recorded graph before nobody has it any more. */
    enum Use {
        NEVER,
        RUN,
        RUN_THAT_FAILS,
        STARTED_AND_JOINED,
        STARTED_WITH_COMPLETION,
        SUBMITTED,
        BESIDE_LIVE_TASKS,
        INSIDE_OF_ANOTHER
    }

    @ParameterizedTest
    @EnumSource
    void recordedGraphsAreFreeWhenNobodyHasThem(Use use) {
        try (Session session = Session.builder().workers(2).open()) {
            List<WeakReference<Object>> graphs = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                graphs.add(new WeakReference<>(record(session, use)));
            }
            session.graph().task("another").run(context -> {});
            session.graph().await();
            assertFewAreKept(graphs);
        }
    }

    /** Records a graph that captures the object that is returned, and runs it. */
    private static Object record(Session session, Use use) {
        Handle<byte[]> big = session.wrap("big", new byte[1000]);
        CompiledGraph graph = session.record(
                "recorded",
                rec -> rec.task("task").updates(big).run(ctx -> {
                    ctx.get(big)[0]++;
                    if (use == Use.RUN_THAT_FAILS) {
                        throw new Exception("planned");
                    }
                }));
        switch (use) {
            case NEVER -> {}
            case RUN -> graph.run();
            case RUN_THAT_FAILS -> assertThrows(TaskFailedException.class, graph::run);
            case STARTED_AND_JOINED -> {
                graph.start();
                graph.join();
            }
            case STARTED_WITH_COMPLETION -> {
                CountDownLatch over = new CountDownLatch(1);
                graph.start((worker, failure) -> over.countDown());
                Watchdog.await(over, "the run's end");
            }
            case SUBMITTED -> graph.submit(session.graph(), "submitted").join();
            case BESIDE_LIVE_TASKS -> {
                session.graph().task("before").updates(big).run(ctx -> {});
                graph.start();
                session.graph().task("after").updates(big).run(ctx -> {});
                graph.join();
                session.graph().await();
            }
            case INSIDE_OF_ANOTHER -> {
                CompiledGraphBuilder builder = session.compile("outer");
                int _ = builder.graph("inner", graph);
                builder.build().run();
            }
        }
        return graph;
    }

    /** What nobody waited for is told when the session is closed, also where nobody has the graph any more. */
    @Test
    void aFailureThatNobodyWasToldKeepsARecordedGraph() {
        List<WeakReference<Object>> graphs = new ArrayList<>();
        Session session = Session.builder().workers(2).open();
        graphs.add(new WeakReference<>(startFailing(session)));
        session.graph().task("another").run(context -> {});
        session.graph().await();
        for (int tries = 0; tries < 5; tries++) {
            System.gc();
        }
        assertNotNull(graphs.getFirst().get());
        assertThrows(TaskFailedException.class, session::close);
    }

    @Test
    void aRecordedGraphWhoseFailureWasToldIsFreeWhenNobodyHasIt() {
        try (Session session = Session.builder().workers(2).open()) {
            List<WeakReference<Object>> graphs = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                CompiledGraph graph = startFailing(session);
                assertThrows(TaskFailedException.class, graph::join);
                graphs.add(new WeakReference<>(graph));
            }
            session.graph().task("another").run(context -> {});
            session.graph().await();
            assertFewAreKept(graphs);
        }
    }

    private static CompiledGraph startFailing(Session session) {
        CompiledGraph graph = session.record(
                "recorded",
                rec -> rec.task("fails").run(ctx -> {
                    throw new Exception("planned");
                }));
        graph.start();
        Watchdog.until(() -> !graph.isRunning(), "the run's end");
        return graph;
    }

    /** It is in flight while nobody has its graph, and the session is closed. */
    @Test
    void aRunThatIsInFlightKeepsItsGraph() {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        int[] ended = new int[1];
        try (Session session = Session.builder().workers(2).open()) {
            session.record("recorded", rec -> {
                        rec.task("first").run(ctx -> {
                            runs.countDown();
                            mayEnd.await();
                        });
                    })
                    .start((worker, failure) -> ended[0] = 1);
            Watchdog.await(runs, "the run");
            for (int tries = 0; tries < 5; tries++) {
                System.gc();
            }
            assertTrue(session.snapshot().toString().contains("first"));
            mayEnd.countDown();
        }
        assertEquals(1, ended[0]);
    }

    private static void assertFewAreKept(List<WeakReference<Object>> references) {
        for (int tries = 0; tries < 20 && aliveOf(references) > FEW; tries++) {
            System.gc();
        }
        assertTrue(aliveOf(references) <= FEW, aliveOf(references) + " graphs that nobody has are still alive");
    }

    private static long aliveOf(List<WeakReference<Object>> references) {
        return references.stream().filter(it -> it.get() != null).count();
    }

    @Test
    void valuesWithoutAnOrderWhoseTasksFailedAreFreeWhenNobodyHasThem() {
        try (Session session = Session.builder().workers(2).open()) {
            List<WeakReference<Object>> values = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                submitFailing(session, values);
            }
            assertThrows(TaskFailedException.class, () -> session.graph().await());
            session.graph().task("another").run(context -> {});
            session.graph().await();
            assertAllFreed(values);
        }
    }

    private static void submitFailing(Session session, List<WeakReference<Object>> values) {
        byte[] value = new byte[1000];
        values.add(new WeakReference<>(value));
        Handle<byte[]> handle = session.wrap("value", value, session.unordered("holder"));
        session.graph().task("fails").updates(handle).run(context -> {
            throw new Exception("planned");
        });
    }

    private static Task<?> submitCapturing(Session session, Handle<int[]> x, List<WeakReference<Object>> captured) {
        Object object = new byte[1000];
        captured.add(new WeakReference<>(object));
        return captured.size() % 2 == 0
                ? session.graph().task("run").reads(x).run(context -> Objects.requireNonNull(object))
                : session.graph().task("call").updates(x).call(context -> object.hashCode());
    }

    private static void assertAllFreed(List<WeakReference<Object>> references) {
        for (int tries = 0; tries < 20 && references.stream().anyMatch(it -> it.get() != null); tries++) {
            System.gc();
        }
        references.forEach(it -> assertNull(it.get(), "an object that a body captured is still alive"));
    }

    @Test
    void manyTasksOnOneHandleNeedLittleMemory() {
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            for (int i = 0; i < 100_000; i++) {
                session.graph().task("t").updates(x).run(context -> {});
            }
            assertTrue(((AccessTracker<?>) Objects.requireNonNull(x.tracker())).size() <= 1);
            session.graph().await();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void explicitEdgesKeepNoHistory(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            List<WeakReference<Task<?>>> history = new ArrayList<>();
            Task<?> last = session.graph().task("first").run(context -> {});
            for (int i = 0; i < 100; i++) {
                history.add(new WeakReference<>(last));
                last = session.graph().task("next").after(last).run(context -> {});
            }
            session.graph().await();
            for (int tries = 0; tries < 20 && alive(history) > FEW; tries++) {
                System.gc();
            }
            assertTrue(alive(history) <= FEW, alive(history) + " tasks that are over are still alive");
            last.join();
        }
    }

    /** A wait remembers of which tasks it knows that they have nothing to do with it, a thousand of them at most. */
    @Test
    void aLongWaitForgetsTheTasksThatItMet() {
        int tasks = 10_000;
        CompletableFuture<Long> stage = new CompletableFuture<>();
        List<WeakReference<Task<?>>> met = new ArrayList<>();
        try (Session session = Session.builder().workers(1).open()) {
            Task<Long> awaited = session.graph().task("awaited").start(context -> stage);
            meet(session, met, tasks, () -> {
                for (int tries = 0; tries < 20 && alive(met) > tasks / 4; tries++) {
                    System.gc();
                }
                stage.complete(alive(met));
            });
            long alive = awaited.join(); // this thread runs the others meanwhile, which it does not need
            assertEquals(tasks, met.size());
            assertTrue(alive <= tasks / 4, alive + " tasks that are over are still alive");
            session.graph().await();
        }
    }

    /** One task behind the other, so that each is made ready, and met, by itself. */
    private static void meet(Session session, List<WeakReference<Task<?>>> met, int left, Runnable last) {
        met.add(new WeakReference<>(session.graph().task("other").run(context -> {
            if (left == 1) {
                last.run();
            } else {
                meet(session, met, left - 1, last);
            }
        })));
    }

    private static long alive(List<WeakReference<Task<?>>> results) {
        return results.stream().filter(it -> it.get() != null).count();
    }
}

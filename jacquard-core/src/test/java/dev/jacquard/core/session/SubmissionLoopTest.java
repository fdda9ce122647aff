package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops that submit without an end: beyond 100,000 live tasks the submitting worker runs what is ready. */
@Timeout(120)
class SubmissionLoopTest {
    /** The limit, and what is submitted between two looks at it. */
    private static final long MOST = 100_000 + 2 * 1024;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aLoopEndsThatOneOfItsTasksEnds(int workers) {
        try (Session session = Session.builder().workers(workers).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            AtomicBoolean running = new AtomicBoolean(true);
            while (running.get()) {
                session.graph().task("functor").updates(x).run(ctx -> {
                    if (++ctx.get(x)[0] == 1000) {
                        running.set(false);
                    }
                });
            }
            session.graph().await();
            assertTrue(x.value()[0] >= 1000);
        }
    }

    @Test
    void theOnlyWorkerKeepsWhatIsLiveBounded() {
        try (Session session = Session.builder().workers(1).open()) {
            AtomicLong ran = new AtomicLong();
            assertTrue(submitMany(session.graph(), ran) <= MOST);
            session.graph().await();
            assertEquals(300_000, ran.get());
        }
    }

    @Test
    void anInterruptThatABodyLeavesBehindReachesNeitherTheNextNorTheSubmitter() {
        try (Session session = Session.builder().workers(1).open()) {
            AtomicLong seen = new AtomicLong();
            for (long i = 0; i < MOST + 1024; i++) {
                session.graph().task("rude").run(ctx -> {
                    if (Thread.currentThread().isInterrupted()) {
                        seen.incrementAndGet();
                    }
                    Thread.currentThread().interrupt();
                });
            }
            assertFalse(Thread.interrupted());
            session.graph().await();
            assertEquals(0, seen.get());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBodyThatSubmitsKeepsWhatIsLiveBounded(boolean checked) {
        SessionBuilder builder = Session.builder().workers(1);
        try (Session session = (checked ? builder.checking() : builder.noChecking()).open()) {
            Handle<long[]> most = session.wrap("most", new long[1]);
            AtomicLong ran = new AtomicLong();
            session.graph()
                    .task("submits")
                    .updates(most)
                    .run(ctx -> ctx.get(most)[0] = submitMany(session.graph(), ran));
            session.graph().await();
            assertEquals(300_000, ran.get());
            assertTrue(most.value()[0] <= MOST, most.value()[0] + " were live");
        }
    }

    @Test
    void subTasksAreBoundedToo() {
        try (Session session = Session.builder().workers(1).open()) {
            AtomicLong ran = new AtomicLong();
            AtomicLong most = new AtomicLong();
            session.graph()
                    .task("refined")
                    .run(ctx -> ctx.refine(inside -> {
                        for (int i = 1; i <= 150_000; i++) {
                            inside.task("part").run(part -> ran.getAndIncrement());
                            most.set(Math.max(most.get(), i - ran.get()));
                        }
                    }));
            session.graph().await();
            assertEquals(150_000, ran.get());
            assertTrue(most.get() <= MOST, most.get() + " were live");
        }
    }

    /** The most that were live at a time. */
    private static long submitMany(TaskGraph graph, AtomicLong ran) {
        long most = 0;
        for (int i = 1; i <= 300_000; i++) {
            graph.task("t").run(ctx -> ran.getAndIncrement());
            most = Math.max(most, i - ran.get());
        }
        return most;
    }

    @Test
    void submissionGoesOnWhenNothingIsReady() {
        try (Session session = Session.builder().workers(1).open()) {
            int[] array = new int[1];
            Handle<int[]> x = session.wrap("x", array);
            CompletableFuture<Void> holds = new CompletableFuture<>();
            session.graph().task("holder").updates(x).start(ctx -> holds);
            for (int i = 0; i < 105_000; i++) {
                session.graph().task("behind").updates(x).run(ctx -> ctx.get(x)[0]++);
            }
            assertEquals(0, array[0]);
            holds.complete(null);
            session.graph().await();
            assertEquals(105_000, x.value()[0]);
        }
    }

    @Test
    void tasksInBetweenNestAFewLevelsDeepOnly() {
        try (Session session =
                Session.builder().workers(1).policy(Policies.named("fifo")).open()) {
            TaskGraph graph = session.graph();
            AtomicLong ran = new AtomicLong();
            int[] depth = {0, 0};
            for (int i = 0; i < 2_000; i++) {
                graph.task("submits").run(ctx -> {
                    depth[1] = Math.max(depth[1], ++depth[0]);
                    for (int k = 0; k < 200; k++) {
                        graph.task("t").run(inner -> ran.getAndIncrement());
                    }
                    depth[0]--;
                });
            }
            graph.await();
            assertEquals(400_000, ran.get());
            assertTrue(depth[1] > 1 && depth[1] < 20, depth[1] + " levels");
        }
    }

    @Test
    void theStallWatchNamesABodyThatBlocksItsSubmitter() throws Exception {
        CountDownLatch opened = new CountDownLatch(1);
        CompletableFuture<String> told = new CompletableFuture<>();
        try (Session session = Session.builder()
                .workers(1)
                .stallWatch(Duration.ofMillis(30), text -> {
                    told.complete(text);
                    opened.countDown();
                })
                .open()) {
            for (int i = 0; i < 105_000; i++) {
                if (i == 101_000) { // among the newest, which are run first
                    session.graph().task("blocks").run(ctx -> Watchdog.await(opened, "the watch"));
                }
                session.graph().task("t").run(ctx -> {});
            }
            session.graph().await();
        }
        String text = told.get();
        assertTrue(text.contains("runs \"blocks\" inside of a submission, which goes on after it"), text);
    }
}

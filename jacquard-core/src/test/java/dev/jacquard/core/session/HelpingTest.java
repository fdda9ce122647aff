package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that a thread runs while it waits: those that it waits for, what these need, and no others. */
@Timeout(120)
class HelpingTest {
    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

    @Test
    void joinRunsNoTaskThatHasNothingToDoWithIt() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = session.graph();
            Task<?> first = graph.task("first").run(ctx -> ran.add("first"));
            graph.task("other").run(ctx -> ran.add("other"));
            first.join();
            assertEquals(List.of("first"), ran);
            graph.await();
            assertEquals(List.of("first", "other"), ran);
        }
    }

    @Test
    void joinRunsWhatTheTaskWaitsFor() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = session.graph();
            TaskGraph before = session.graph("before", FailurePolicy.CONTINUE);
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            before.task("elsewhere").updates(y).run(ctx -> ran.add("elsewhere"));
            before.task("other elsewhere").run(ctx -> ran.add("other elsewhere"));
            graph.task("one").updates(x).run(ctx -> ran.add("one"));
            graph.task("other").run(ctx -> ran.add("other"));
            graph.task("two").updates(x).reads(y).run(ctx -> ran.add("two"));
            Task<?> last = graph.task("last").updates(x).run(ctx -> ran.add("last"));
            graph.task("behind").updates(x).run(ctx -> ran.add("behind"));
            graph.task("other").run(ctx -> ran.add("other"));
            last.join();
            assertEquals(4, ran.size(), ran::toString);
            assertEquals(List.of("two", "last"), ran.subList(2, 4));
            assertEquals(
                    List.of("elsewhere", "one"),
                    ran.subList(0, 2).stream().sorted().toList());
            graph.await();
            before.await();
            assertEquals(8, ran.size());
        }
    }

    @Test
    void joinRunsSubTasks() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = session.graph();
            Handle<int[]> x = session.wrap("x", new int[1]);
            graph.task("whole").updates(x).run(ctx -> {
                ctx.refine(sub -> sub.task("part").updates(x).run(inner -> ran.add("part")));
                graph.task("other").run(other -> ran.add("other"));
            });
            Task<?> last = graph.task("last").updates(x).run(ctx -> ran.add("last"));
            last.join();
            assertEquals(List.of("part", "last"), ran);
            graph.await();
        }
    }

    @Test
    void awaitRunsNoTaskOfAnotherGraph() {
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = session.graph();
            TaskGraph other = session.graph("other", FailurePolicy.CONTINUE);
            graph.task("one").run(ctx -> ran.add("one"));
            other.task("other").run(ctx -> ran.add("other"));
            graph.task("two").run(ctx -> ran.add("two"));
            graph.await();
            assertEquals(List.of("one", "two"), ran.stream().sorted().toList());
            other.await();
            assertEquals(3, ran.size());
        }
    }

    @Test
    void anotherWorkerRunsWhatHasNothingToDoWithTheWait() {
        Thread opener = Thread.currentThread();
        AtomicReference<Thread> runner = new AtomicReference<>();
        CountDownLatch busy = new CountDownLatch(1);
        CompletableFuture<String> stage = new CompletableFuture<>();
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph();
            Task<?> awaited = graph.task("awaited").start(ctx -> stage);
            graph.task("holds the other worker").run(ctx -> {
                busy.countDown();
                Watchdog.until(() -> opener.getState() == Thread.State.TIMED_WAITING, "the opener waits");
            });
            Watchdog.await(busy, "the other worker is busy");
            graph.task("other").run(ctx -> {
                runner.set(Thread.currentThread());
                stage.complete("");
            });
            awaited.join();
            assertNotSame(opener, runner.get());
            graph.await();
        }
    }

    @Test
    void aLoneWorkerRunsAllThatIsReadyWhenNothingElseIs() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = session.graph();
            Task<?> awaited = graph.task("awaited").start(ctx -> stage);
            graph.task("other").run(ctx -> stage.complete(""));
            awaited.join();
            graph.await();
        }
    }

    @Test
    void joinOneAfterTheOtherRunsInTheOrderOfTheJoins() {
        int tasks = 10_000;
        try (Session session = Session.builder().workers(1).open()) {
            TaskGraph graph = session.graph();
            List<Task<?>> all = new ArrayList<>();
            for (int i = 0; i < tasks; i++) {
                String name = Integer.toString(i);
                all.add(graph.task(name).run(ctx -> ran.add(name)));
            }
            for (int i = 0; i < tasks; i++) {
                all.get(i).join();
                assertEquals(i + 1, ran.size());
            }
        }
    }

    @Test
    void joinOfTheEndOfALongChainIsNotLimitedByTheSearch() {
        int tasks = 20_000;
        int chains = 4;
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph();
            int[] counts = new int[chains * 16];
            for (int chain = 1; chain < chains; chain++) {
                submitChain(session, graph, counts, chain, tasks);
            }
            submitChain(session, graph, counts, 0, tasks).join();
            assertEquals(tasks, counts[0]);
            graph.await();
        }
    }

    private static Task<?> submitChain(Session session, TaskGraph graph, int[] counts, int chain, int tasks) {
        Handle<int[]> x = session.wrap("x" + chain, new int[1]);
        Task<?> last = null;
        for (int i = 0; i < tasks; i++) {
            last = graph.task("link").updates(x).run(ctx -> counts[chain * 16]++);
        }
        return Objects.requireNonNull(last);
    }
}

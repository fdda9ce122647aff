package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.RunEndedException;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskListener;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.testkit.Mute;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners see every change of every task's state, in order; what they throw ends the run. */
@Timeout(180)
class TaskListenerTest {
    private final Queue<TaskListener.Change> changes = new ConcurrentLinkedQueue<>();

    private Session open(int workers) {
        return Session.builder().workers(workers).listener(changes::add).open();
    }

    /** Per task, in the order of their ids: name and states. */
    private List<String> lives() {
        TreeMap<Long, String> lives = new TreeMap<>();
        changes.forEach(change ->
                lives.merge(change.id(), change.task() + " " + change.state(), (a, b) -> a + " " + change.state()));
        return List.copyOf(lives.values());
    }

    /** A window of one task has no room for what the listener submits before the task that it is told of is over. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void whatAListenerSubmitsWaitsForNoWindow(int workers) {
        List<TaskGraph> graph = new ArrayList<>(1);
        AtomicInteger ran = new AtomicInteger();
        TaskListener submits = change -> {
            if (change.task().equals("told of")) {
                graph.getFirst().task("submitted").run(context -> ran.incrementAndGet());
            }
        };
        try (Session session =
                Session.builder().workers(workers).listener(submits).open()) {
            graph.add(session.graph().window(1));
            for (int i = 0; i < 10; i++) {
                session.graph().task("told of").run(context -> {});
            }
            session.graph().await();
        }
        assertEquals(4 * 10, ran.get()); // pending, ready, running, done
    }

    /** The ways to wait for what cannot be over before the listener returns. */
    private static Map<String, Consumer<Session>> waits(Task<?> over, CompiledGraph compiled, Data data) {
        Map<String, Consumer<Session>> waits = new LinkedHashMap<>();
        waits.put("graph \"main\"", its -> its.graph().await());
        waits.put("user view \"view of x\"", its -> {
            Handle<int[]> x = its.wrap("x", new int[1]);
            its.lock(x, Mode.READ).close();
        });
        waits.put("a condition", its -> {
            try {
                its.awaitUntil(() -> true);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        waits.put("compiled graph \"compiled\"", its -> compiled.run());
        waits.put("the end of the session", Session::close);
        waits.put("data \"data\"", its -> its.data().free(data));
        waits.put("task \"over\"", its -> assertEquals(TaskState.DONE, joined(over)));
        return waits;
    }

    /** What is over is not waited for. */
    private static TaskState joined(Task<?> over) {
        Object _ = over.join();
        return over.state();
    }

    /** A task of which a listener is told by its submitter goes on when the listener returns, and not before. */
    @Test
    void aListenerThatWaitsDuringASubmissionIsRefused() {
        Queue<Runnable> inListener = new ConcurrentLinkedQueue<>();
        try (Session session = Session.builder()
                .workers(2)
                .listener(change -> {
                    if (change.task().equals("held") && change.state() == TaskState.PENDING) {
                        inListener.forEach(Runnable::run);
                    }
                })
                .open()) {
            Task<?> over = session.graph().task("over").run(context -> {});
            over.join();
            CompletableFuture<Integer> stage = new CompletableFuture<>();
            Task<?> open = session.graph().task("open").start(context -> stage);
            CompiledGraph compiled =
                    session.record("compiled", tasks -> tasks.task("t").run(context -> {}));
            Data data = session.data().vector("data", DataType.FLOAT64, 10);
            Map<String, String> refusals = new LinkedHashMap<>();
            Map<String, Consumer<Session>> waits = waits(over, compiled, data);
            waits.put("task \"open\"", its -> open.join());
            inListener.add(() -> waits.forEach((what, wait) -> {
                try {
                    wait.accept(session);
                } catch (IllegalStateException e) {
                    refusals.put(what, String.valueOf(e.getMessage()));
                }
            }));
            session.graph().task("held").run(context -> {});
            stage.complete(1);
            waits.remove("task \"over\"");
            assertEquals(waits.keySet(), refusals.keySet());
            refusals.forEach((what, text) -> assertEquals(
                    "a listener must not wait for " + what + ": task \"held\", which became PENDING, goes on only when"
                            + " the listener returns; let another thread wait",
                    text));
            session.graph().await();
        }
    }

    /** The listener blocks where the session does not see it. */
    @Test
    void theStallWatchNamesATaskThatAListenerHoldsUp() {
        CompletableFuture<String> told = new CompletableFuture<>();
        CountDownLatch inListener = new CountDownLatch(1);
        try (Session session = Session.builder()
                .workers(2)
                .stallWatch(Duration.ofMillis(30), told::complete)
                .listener(change -> {
                    if (change.state() == TaskState.PENDING) {
                        inListener.countDown();
                        String _ = told.join();
                    }
                })
                .open()) {
            Thread submitter = Thread.ofPlatform()
                    .name("submitter")
                    .start(() -> session.graph().task("held").run(context -> {}));
            Watchdog.await(inListener, "the listener is told");
            session.graph().await();
            Threads.join(submitter);
        }
        String line = "\"held\" waits for a listener (notified that it became PENDING, and has not returned on thread"
                + " submitter)";
        assertTrue(told.join().contains(line), told::join);
    }

    @Test
    void everyChangeIsToldInOrderWithTimeAndWorker() {
        try (Session session = open(1)) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph graph = session.graph();
            graph.task("good").updates(x).run(context -> {});
            graph.task("bad").updates(x).run(context -> {
                throw new IllegalStateException("no");
            });
            graph.task("reader").reads(x).run(context -> {});
            assertThrows(TaskFailedException.class, graph::await);
        }
        assertEquals(
                List.of(
                        "good PENDING READY RUNNING DONE",
                        "bad PENDING READY RUNNING FAILED",
                        "reader PENDING READY CANCELLED"),
                lives());
        long before = Long.MIN_VALUE;
        for (TaskListener.Change change : changes) {
            assertTrue(change.nanos() >= before, change::toString);
            before = change.nanos();
            assertEquals("main", change.graph());
            boolean outside =
                    change.state() == TaskState.PENDING || (change.id() == 0 && change.state() == TaskState.READY);
            assertEquals(outside ? -1 : 0, change.worker(), change::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void eachOfManyTasksGoesThroughItsStatesOnceWhoeverRunsThem(int workers) {
        int count = 2_000;
        try (Session session = open(workers)) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            for (int i = 0; i < count; i++) {
                session.graph()
                        .task("t")
                        .accesses(x, i % 3 == 0 ? Access.update() : Access.read())
                        .run(context -> {});
            }
            session.graph().await();
            assertEquals(4L * count, changes.size(), "all was told when await returned");
        }
        assertEquals(count, lives().size());
        lives().forEach(life -> assertEquals("t PENDING READY RUNNING DONE", life));
    }

    @Test
    void aChangeIsToldBeforeWhatDependsOnItStarts() {
        try (Session session = open(2)) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            for (int i = 0; i < 500; i++) {
                session.graph().task("t").updates(x).run(context -> {});
            }
        }
        List<String> order = new ArrayList<>();
        changes.forEach(change -> {
            if (change.state() == TaskState.DONE || change.state() == TaskState.READY) {
                order.add(change.id() + " " + change.state());
            }
        });
        for (int i = 0; i < 500; i++) {
            assertEquals(i + " READY", order.get(2 * i));
            assertEquals(i + " DONE", order.get(2 * i + 1));
        }
    }

    @Test
    void refinedAndHeldBackTasksAreToldLikeOthers() {
        try (Session session = open(2)) {
            Handle<int[]> x = session.wrap("x", new int[4]);
            Resource lamp = session.unordered("lamp");
            session.graph().task("whole").updates(x).run(context -> {
                context.refine(inside -> {
                    inside.task("left")
                            .accesses(x, Access.update(Area.of(0, 1)))
                            .run(sub -> {});
                    inside.task("right")
                            .accesses(x, Access.update(Area.of(2, 3)))
                            .run(sub -> {});
                });
                context.afterwards(rest -> {});
            });
            for (int i = 0; i < 20; i++) {
                session.graph().task("switch").updates(lamp).run(context -> {});
            }
        }
        assertEquals(23, lives().size());
        lives().forEach(life -> assertTrue(life.endsWith(" PENDING READY RUNNING DONE"), life));
    }

    @Test
    void severalListenersAreToldInTheirOrder() {
        List<String> told = new ArrayList<>();
        try (Session session = Session.builder()
                .workers(1)
                .listener(change -> told.add("a"))
                .listener(change -> told.add("b"))
                .open()) {
            session.graph().task("t").run(context -> {});
        }
        assertEquals(List.of("a", "b", "a", "b", "a", "b", "a", "b"), told);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aListenerThatThrowsEndsTheRunAndNotTheProcess(int workers) {
        AtomicInteger ran = new AtomicInteger();
        Error thrown = new StackOverflowError("in the listener");
        Session session = Session.builder()
                .workers(workers)
                .listener(change -> {
                    if (change.task().equals("second") && change.state() == TaskState.RUNNING) {
                        throw thrown;
                    }
                })
                .open();
        Handle<int[]> x = session.wrap("x", new int[1]);
        TaskGraph graph = session.graph();
        TaskGraph other = session.graph("other", FailurePolicy.CONTINUE);
        graph.task("first").updates(x).run(context -> ran.incrementAndGet());
        graph.task("second").updates(x).run(context -> ran.incrementAndGet());
        Task<?> third = graph.task("third").updates(x).run(context -> ran.incrementAndGet());
        Task<?> fourth = other.task("fourth").updates(x).run(context -> ran.incrementAndGet());
        RunEndedException ended = assertThrows(RunEndedException.class, graph::await);
        assertMentions(
                ended,
                "the run ended because a listener threw when task \"second\" became RUNNING: "
                        + "java.lang.StackOverflowError: in the listener",
                "graph \"main\" was cancelled: 3 tasks: 2 done, 0 failed, 1 cancelled");
        assertSame(thrown, ended.getCause());
        assertFalse(ended.isRepeated());
        assertEquals(2, ran.get());
        assertEquals(TaskState.CANCELLED, third.state());
        assertThrows(CancellationException.class, third::join);
        assertTrue(assertThrows(RunEndedException.class, other::await).isRepeated());
        assertEquals(TaskState.CANCELLED, fourth.state());
        TaskGraph late = session.graph("late", FailurePolicy.CONTINUE);
        late.task("fifth").run(context -> ran.incrementAndGet());
        assertThrows(RunEndedException.class, late::await);
        assertEquals(2, ran.get());
        session.close(); // it was told
    }

    @Test
    void closeSaysThatAListenerThrewWhenNoAwaitDid() {
        Session session = Session.builder()
                .workers(2)
                .listener(change -> {
                    throw new IllegalArgumentException("always");
                })
                .open();
        session.graph().task("t").run(context -> {});
        session.graph("other", FailurePolicy.CONTINUE).task("u").run(context -> {});
        RunEndedException ended = assertThrows(RunEndedException.class, session::close);
        assertMentions(ended, "a listener threw when task \"t\" became PENDING", "always");
        assertEquals(0, ended.getSuppressed().length);
    }

    @Test
    void aListenerWhoseExceptionHasNoTextIsNamed() {
        Session session = Session.builder()
                .workers(2)
                .listener(change -> {
                    throw new Mute();
                })
                .open();
        TaskGraph graph = session.graph();
        graph.task("t").run(context -> {});
        String text = assertThrows(RunEndedException.class, graph::await).getMessage();
        session.close(); // it was told
        assertMentions(
                new AssertionError(text),
                "a listener threw when task \"t\" became PENDING",
                "Mute (its toString failed with",
                "1 task: 0 done");
    }
}

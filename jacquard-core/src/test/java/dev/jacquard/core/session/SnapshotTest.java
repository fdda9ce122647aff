package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.RunSnapshot;
import dev.jacquard.core.graph.RunSnapshot.TaskView;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.testkit.Watchdog;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A snapshot shows every task that is not over, where it is, and what it waits for. */
@Timeout(180)
class SnapshotTest {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    /** A task that runs until {@link #go}; returns when it runs. */
    private Task<@Nullable Void> running(TaskGraph graph, Handle<?> x) {
        Task<@Nullable Void> task = graph.task("running").updates(x).run(context -> {
            begun.countDown();
            Watchdog.await(go, "the test has looked");
        });
        Watchdog.await(begun, "it runs");
        return task;
    }

    private static TaskView view(RunSnapshot snapshot, String task) {
        List<TaskView> views = snapshot.tasks().stream()
                .filter(view -> view.name().equals(task))
                .toList();
        assertEquals(1, views.size(), () -> "\"" + task + "\" in " + snapshot);
        return views.getFirst();
    }

    @Test
    void runningReadyAndBlockedTasksAreToldWithWhatTheyWaitFor() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            TaskGraph graph = session.graph();
            running(graph, x);
            Task<?> blocked = graph.task("blocked").reads(x).writes(y).run(context -> {});
            graph.task("later").reads(y).after(blocked).run(context -> {});
            graph.task("ready").run(context -> {});
            session.graph("other", FailurePolicy.CONTINUE)
                    .task("foreign")
                    .reads(y)
                    .run(context -> {});
            RunSnapshot snapshot = session.snapshot();
            go.countDown();
            assertEquals(
                    "\"running\" on worker 1  [UPDATE x]",
                    view(snapshot, "running").toString());
            assertEquals(TaskState.RUNNING, view(snapshot, "running").state());
            assertEquals(
                    "\"ready\" is queued at worker 0", view(snapshot, "ready").toString());
            assertEquals(
                    "\"blocked\" waits for \"running\" (READ x after UPDATE)  [READ x, WRITE y]",
                    view(snapshot, "blocked").toString());
            assertEquals(
                    "\"later\" waits for \"blocked\" (READ y after WRITE), for \"blocked\" (explicitly)  [READ y]",
                    view(snapshot, "later").toString());
            assertEquals("other", view(snapshot, "foreign").graph());
            assertEquals(0, snapshot.missing());
            assertEquals(1, snapshot.running().size());
            assertEquals(1, snapshot.ready().size());
            assertEquals(3, snapshot.blocked().size());
            String text = snapshot.toString();
            assertTrue(text.startsWith("snapshot at "), text);
            assertTrue(text.contains(": 1 running, 1 ready, 3 blocked\nworkers\n  worker 0 ("), text);
            assertTrue(text.contains("is away: its thread does not wait"), text);
            assertTrue(
                    text.contains("worker 1 (jacquard-worker-1) runs \"running\"\nrunning\n  \"running\" on worker 1"),
                    text);
        }
    }

    @Test
    void threadsOfDevicesAreNamedAfterThem() {
        try (Session session = Session.builder().workers(1).devices("emulated0").open()) {
            RunSnapshot.WorkerView device = session.snapshot().workers().get(1);
            assertEquals("jacquard-worker-1-emulated0", device.thread());
        }
    }

    @Test
    void oneGraphAloneIsShownWithoutTheOthers() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph other = session.graph("other", FailurePolicy.CONTINUE);
            running(session.graph(), x);
            other.task("foreign").reads(x).run(context -> {});
            RunSnapshot snapshot = other.snapshot();
            go.countDown();
            assertEquals(1, snapshot.tasks().size());
            assertEquals(
                    "\"foreign\" waits for \"running\" (READ x after UPDATE)  [READ x]",
                    snapshot.tasks().getFirst().toString());
            assertEquals(0, snapshot.missing());
        }
    }

    @Test
    void whatWaitsWithoutAnEarlierTaskIsFound() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Resource lamp = session.unordered("lamp");
            TaskGraph graph = session.graph();
            CompletableFuture<Integer> stage = new CompletableFuture<>();
            CountDownLatch started = new CountDownLatch(1);
            Task<Integer> load = graph.task("load").start(context -> {
                started.countDown();
                return stage;
            });
            Watchdog.await(started, "the stage began");
            graph.task("use").after(load).run(context -> {});
            graph.task("holder").updates(lamp).run(context -> {
                begun.countDown();
                Watchdog.await(go, "the test has looked");
            });
            Watchdog.await(begun, "it holds the lamp");
            graph.task("show").flag(Flag.MAIN_THREAD).run(context -> {});
            graph.task("barrier").flag(Flag.SYNCHRONIZING).run(context -> {});
            graph.task("behind").run(context -> {});
            Watchdog.until(() -> view(session.snapshot(), "load").isBlocked(), "its body returned");
            RunSnapshot snapshot = session.snapshot();
            stage.complete(1);
            go.countDown();
            assertEquals(
                    "\"load\" waits for its stage (asynchronous: its stage is not complete)",
                    view(snapshot, "load").toString());
            assertEquals(
                    "\"use\" waits for \"load\" (explicitly)",
                    view(snapshot, "use").toString());
            assertTrue(
                    view(snapshot, "show").toString().startsWith("\"show\" is queued for the main thread, "),
                    snapshot::toString);
            assertEquals(
                    "\"barrier\" waits for everything before it (4 of 4 not over)",
                    view(snapshot, "barrier").toString());
            assertEquals(
                    "\"behind\" waits for \"barrier\" (explicitly)",
                    view(snapshot, "behind").toString());
            assertEquals(0, snapshot.missing(), snapshot::toString);
            graph.task("x").reads(x).run(context -> {});
        }
    }

    @Test
    void whoWaitsForAnUnorderedResourceIsToldWhoHasIt() {
        try (Session session = Session.builder().workers(3).open()) {
            Resource lamp = session.unordered("lamp");
            TaskGraph graph = session.graph();
            graph.task("holder").updates(lamp).run(context -> {
                begun.countDown();
                Watchdog.await(go, "the test has looked");
            });
            Watchdog.await(begun, "it holds the lamp");
            graph.task("second").updates(lamp).run(context -> {});
            // The worker that was refused may be seen with the task for a moment yet.
            String refused = "\"second\" waits for \"holder\" (which has \"lamp\", in no order)  [UPDATE lamp]";
            Watchdog.until(() -> view(session.snapshot(), "second").toString().equals(refused), refused);
            assertEquals(0, session.snapshot().missing());
            go.countDown();
        }
    }

    @Test
    void partsOfRefinedTasksAreShownWithTheirParents() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[4]);
            TaskGraph graph = session.graph();
            graph.task("whole")
                    .updates(x)
                    .run(context -> context.refine(inside -> {
                        inside.task("left")
                                .accesses(x, Access.update(Area.of(0, 1)))
                                .run(sub -> {
                                    begun.countDown();
                                    Watchdog.await(go, "the test has looked");
                                });
                        inside.task("also left")
                                .accesses(x, Access.update(Area.of(1, 1)))
                                .run(sub -> {});
                    }));
            graph.task("after").reads(x).run(context -> {});
            Watchdog.await(begun, "a part runs");
            Watchdog.until(() -> view(session.snapshot(), "whole").isBlocked(), "the body returned");
            RunSnapshot snapshot = session.snapshot();
            go.countDown();
            assertTrue(view(snapshot, "left").where().startsWith("on worker"), snapshot::toString);
            assertEquals(
                    "\"left\"",
                    view(snapshot, "also left").waitsFor().getFirst().what());
            assertTrue(
                    view(snapshot, "whole").toString().startsWith("\"whole\" waits for \"left\" (a part of it)"),
                    snapshot::toString);
            assertEquals(
                    "\"whole\"", view(snapshot, "after").waitsFor().getFirst().what());
        }
    }

    @Test
    void partsOfATaskThatHasNotStartedWaitForIt() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[4]);
            TaskGraph graph = session.graph();
            running(graph, x);
            Task<?> whole = graph.task("whole").updates(x).adjustable().run(context -> {});
            whole.tryRefine(inside -> inside.task("part").updates(x).run(sub -> {}));
            RunSnapshot snapshot = session.snapshot();
            go.countDown();
            assertEquals(
                    "\"part\" waits for \"whole\" (to start: it is a part of it)  [UPDATE x]",
                    view(snapshot, "part").toString());
            assertEquals(0, snapshot.missing());
        }
    }

    @Test
    void tasksThatAPolicyKeepsAreCounted() {
        try (Session session =
                Session.builder().workers(1).policy(Policies.named("fifo")).open()) {
            TaskGraph graph = session.graph();
            for (int i = 0; i < 3; i++) {
                graph.task("kept").run(context -> {});
            }
            RunSnapshot snapshot = session.snapshot();
            assertEquals(3, snapshot.missing());
            assertEquals(1, snapshot.notes().size());
            assertTrue(snapshot.notes().getFirst().startsWith("3 ready tasks are with policy \""), snapshot::toString);
            assertTrue(snapshot.toString().contains("3 not seen"), snapshot::toString);
        }
    }

    @Test
    void snapshotsOfAGraphAtFullSpeedHoldNobodyUpAndFailNever() {
        try (Session session = Session.builder().workers(2).open()) {
            Handle<?>[] handles = new Handle<?>[8];
            for (int i = 0; i < handles.length; i++) {
                handles[i] = session.wrap("h" + i, new int[4]);
            }
            Resource lamp = session.unordered("lamp");
            AtomicBoolean stop = new AtomicBoolean();
            CompletableFuture<Integer> looker = CompletableFuture.supplyAsync(
                    () -> {
                        int shown = 0;
                        while (!stop.get()) {
                            RunSnapshot snapshot = session.snapshot();
                            assertTrue(snapshot.toString().startsWith("snapshot"));
                            shown += snapshot.tasks().size();
                        }
                        return shown;
                    },
                    task -> new Thread(task).start());
            for (int round = 0; round < 40; round++) {
                for (int i = 0; i < 500; i++) {
                    Handle<?> x = handles[i * 7 % 8];
                    switch (i % 5) {
                        case 0 -> session.graph().task("w").updates(x).run(context -> {});
                        case 1 -> session.graph().task("r").reads(x).run(context -> {});
                        case 2 -> session.graph().task("l").updates(lamp).run(context -> {});
                        case 3 ->
                            session.graph().task("p").updates(x).run(context -> {
                                context.refine(
                                        inside -> inside.task("s").reads(x).run(sub -> {}));
                                context.demote(x, Access.read());
                            });
                        default ->
                            session.graph().task("b").flag(Flag.SYNCHRONIZING).run(context -> {});
                    }
                }
                session.graph().await();
            }
            stop.set(true);
            looker.join();
            assertEquals(0, session.snapshot().tasks().size());
        }
    }
}

package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Data whose memory is given back while submitted tasks still access it. */
@Timeout(180)
class FreeTest {
    private static final Kernel SET = Kernel.named("set")
            .parameters("x")
            .onDevice(
                    ExecutionTarget.EMULATED,
                    new EmulatedBody("set", launch -> launch.memory(0).setAtIndex(ValueLayout.JAVA_DOUBLE, 0, 42)));

    private static Session open(int workers) {
        return Session.builder().workers(workers).devices("emulated0").open();
    }

    @Test
    void freeWaitsForTheTasksAndBringsTheirResultHome() {
        double[] home = {1};
        for (int workers : new int[] {1, 3}) {
            try (Session session = open(workers)) {
                Data x = session.data().vector("x", home);
                for (int i = 0; i < 100; i++) {
                    session.graph()
                            .task("add")
                            .updates(x)
                            .run(ctx -> ctx.memory(x).addDouble(0, 1));
                }
                Task<?> last = session.graph().task("set").updates(x).run(SET);
                session.data().free(x);
                assertEquals(TaskState.DONE, last.state());
                assertEquals(42, home[0]);
                assertTrue(session.data().query(x).where().replicas().stream().allMatch(ReplicaLocations.Held::home));
                session.data().free(x);
                assertMentions(
                        assertThrows(
                                IllegalStateException.class,
                                () -> session.graph().task("late").reads(x)),
                        "which was freed");
            }
        }
    }

    /** Declarations of free itself are none that a user forgot. */
    @Test
    void inCheckingModeASessionMayCloseWhileAnotherThreadFrees() {
        Rounds.run(200, round -> {
            Session session = Session.builder().workers(2).checking().open();
            Data x = session.data().vector("x", new double[] {1});
            session.graph().task("add").updates(x).run(ctx -> ctx.memory(x).addDouble(0, 1));
            CountDownLatch about = new CountDownLatch(1);
            CompletableFuture<Void> freed = CompletableFuture.runAsync(() -> {
                about.countDown();
                try {
                    session.data().free(x);
                } catch (IllegalStateException e) {
                    assertMentions(e, "closed");
                }
            });
            Watchdog.await(about, "the other thread");
            Rounds.drift(round);
            session.close();
            freed.join();
        });
    }

    @Test
    void aTaskThatWasDeclaredBeforeTheDataWasFreedIsRefused() {
        try (Session session = open(2)) {
            Data x = session.data().vector("x", new double[] {1});
            double[] kept = {2};
            Data y = session.data().vector("y", kept);
            TaskBuilder late = session.graph().task("late").reads(x).updates(y);
            session.data().free(x);
            assertMentions(assertThrows(IllegalStateException.class, () -> late.run(ctx -> {})), "late", "was freed");
            session.graph().task("next").updates(y).run(ctx -> ctx.memory(y).addDouble(0, 1));
            session.data().free(y);
            assertEquals(3, kept[0]);
        }
    }

    @Test
    void theEnginesMemoryIsBackBehindTheLastTask() {
        try (Session session = open(2)) {
            Data x = session.data().vector("x", DataType.FLOAT64, 1000);
            session.graph().task("write").writes(x).run(ctx -> {});
            session.graph().task("set").updates(x).run(SET);
            session.data().free(x);
            assertEquals(
                    0,
                    session.data().transfers().spaces().stream()
                            .mapToLong(Transfers.Used::bytes)
                            .sum());
        }
    }

    @Test
    void whatAFailedTaskLeftIsFreedToo() {
        double[] home = {1};
        try (Session session = open(2)) {
            Data x = session.data().vector("x", home);
            Task<?> bad = session.graph().task("bad").updates(x).run(ctx -> {
                throw new IllegalStateException("no");
            });
            session.data().free(x);
            assertThrows(TaskFailedException.class, bad::join);
            session.graph().await();
        }
    }

    @Test
    void whatATaskGaveUpBeforeItRanIsNotInUse() {
        double[] home = {1};
        CountDownLatch mayStart = new CountDownLatch(1);
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (Session session = open(3)) {
            Data x = session.data().vector("x", home);
            Data y = session.data().vector("y", DataType.FLOAT64, 100);
            session.graph().task("first").writes(x).writes(y).run(ctx -> mayStart.await());
            Task<?> task = session.graph()
                    .task("gives up")
                    .updates(x)
                    .updates(y)
                    .adjustable()
                    .run(ctx -> {
                        runs.countDown();
                        mayEnd.await();
                    });
            assertTrue(task.tryDemote(x, Mode.NONE));
            assertTrue(task.tryDemote(y, Mode.NONE));
            mayStart.countDown();
            Watchdog.await(runs, "the task runs on a worker");
            try {
                session.data().free(x);
                session.data().free(y);
                assertEquals(
                        0,
                        session.data().transfers().spaces().stream()
                                .mapToLong(Transfers.Used::bytes)
                                .sum());
            } finally {
                mayEnd.countDown();
            }
            task.join();
        }
    }

    /** It is live, so the data is still there. */
    @Test
    void aTaskThatWasAcceptedBeforeTheDataWasFreedMayRefineItself() throws Exception {
        CountDownLatch freeing = new CountDownLatch(1);
        CountDownLatch accepted = new CountDownLatch(1);
        try (Session session = Session.builder()
                .workers(2)
                .listener(change -> {
                    if (change.task().equals("free x")) {
                        freeing.countDown();
                    }
                })
                .open()) {
            Data x = session.data().vector("x", new double[] {1});
            session.graph().task("first").updates(x).startOn(session.executor()::background, ctx -> {
                ctx.memory(x).addDouble(0, 1);
                accepted.await();
                return 0;
            });
            CompletableFuture<Void> freed =
                    CompletableFuture.runAsync(() -> session.data().free(x));
            freeing.await();
            double[] found = new double[1];
            Task<?> between = session.graph()
                    .task("between")
                    .reads(x)
                    .run(ctx -> ctx.refine(inside -> inside.task("inside")
                            .reads(x)
                            .run(sub -> found[0] = sub.memory(x).getDouble(0))));
            accepted.countDown();
            between.join();
            freed.get();
            assertEquals(2, found[0]);
        }
    }

    @Test
    void aFreeThatIsRefusedChangesNothing() {
        double[] home = {1};
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (Session session = open(2)) {
            Data x = session.data().vector("x", home);
            CompiledGraph add = session.record(
                    "add",
                    graph -> graph.task("add").updates(x).run(ctx -> {
                        runs.countDown();
                        mayEnd.await();
                        ctx.memory(x).addDouble(0, 1);
                    }));
            add.startUnordered((worker, failure) -> {});
            try {
                Watchdog.await(runs, "the run's task runs on the other worker");
                assertMentions(
                        assertThrows(
                                IllegalStateException.class,
                                () -> session.data().free(x)),
                        "cannot be freed while x[0 until 1] in host is in use");
                assertFalse(session.data().query(x).freed());
            } finally {
                mayEnd.countDown();
            }
            add.join();
            add.run();
            session.graph()
                    .task("live")
                    .updates(x)
                    .run(ctx -> ctx.memory(x).addDouble(0, 1))
                    .join();
            session.data().free(x);
            assertEquals(4, home[0]);
            assertMentions(assertThrows(TaskFailedException.class, add::run), "which was freed");
            assertEquals(4, home[0]);
        }
    }

    @Test
    void anInterruptedFreeChangesNothing() {
        double[] home = {1};
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (Session session = open(2)) {
            Data x = session.data().vector("x", home);
            session.graph().task("holds").updates(x).run(ctx -> mayEnd.await());
            Thread.currentThread().interrupt();
            assertThrows(WaitInterruptedException.class, () -> session.data().free(x));
            assertTrue(Thread.interrupted(), "the interrupt is kept");
            mayEnd.countDown();
            session.graph().await();
            session.graph().task("set").updates(x).run(SET).join();
            session.data().free(x);
            assertEquals(42, home[0]);
        }
    }

    /** Poisons the first element of {@code x}: the task that was to write it is cancelled, and never ran. */
    private static void cancelWriter(Session session, Data x) {
        Handle<long[]> broken = session.wrap("broken", new long[1]);
        Task<?> bad = session.graph().task("bad").writes(broken).run(ctx -> {
            throw new IllegalStateException("no");
        });
        Task<?> writer = session.graph()
                .task("writer")
                .reads(broken)
                .updates(x.rows(0, 1))
                .run(ctx -> ctx.memory(x.rows(0, 1)).addDouble(0, 1));
        assertThrows(TaskFailedException.class, bad::join);
        assertThrows(TaskFailedException.class, writer::join);
    }

    private static void assertPoisoned(Session session, Data x) {
        Task<?> reader = session.graph().task("reader").reads(x).run(ctx -> {});
        assertMentions(assertThrows(TaskFailedException.class, reader::join), "bad");
        assertEquals(TaskState.CANCELLED, reader.state());
    }

    @Test
    void aFreeThatIsRefusedLeavesWhatACancelledWriterDidNotWriteUnread() {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (Session session = open(2)) {
            Data x = session.data().vector("x", new double[] {1});
            CompiledGraph read = session.record(
                    "read",
                    graph -> graph.task("read").reads(x).run(ctx -> {
                        runs.countDown();
                        mayEnd.await();
                    }));
            cancelWriter(session, x);
            read.startUnordered((worker, failure) -> {});
            try {
                Watchdog.await(runs, "the run's task runs on the other worker");
                assertThrows(IllegalStateException.class, () -> session.data().free(x));
                assertPoisoned(session, x);
            } finally {
                mayEnd.countDown();
            }
            read.join();
            session.graph().task("anew").writes(x).run(ctx -> ctx.memory(x).setDouble(0, 3));
            session.graph()
                    .task("sees")
                    .reads(x)
                    .run(ctx -> assertEquals(3, ctx.memory(x).getDouble(0)))
                    .join();
            session.data().free(x);
        }
    }

    @Test
    void anInterruptedFreeLeavesWhatACancelledWriterDidNotWriteUnread() {
        for (boolean checking : new boolean[] {false, true}) {
            SessionBuilder builder = Session.builder().workers(2);
            try (Session session = (checking ? builder.checking() : builder.noChecking()).open()) {
                Data x = session.data().vector("x", new double[] {1, 2});
                cancelWriter(session, x);
                CountDownLatch mayEnd = new CountDownLatch(1);
                session.graph().task("holds").updates(x.rows(1, 2)).run(ctx -> mayEnd.await());
                Thread.currentThread().interrupt();
                assertThrows(
                        WaitInterruptedException.class, () -> session.data().free(x));
                assertTrue(Thread.interrupted(), "the interrupt is kept");
                mayEnd.countDown();
                assertPoisoned(session, x);
                session.graph().task("rest").reads(x.rows(1, 2)).run(ctx -> {}).join();
            }
        }
    }

    @Test
    void threadsThatFreeTheSameFindItFreed() throws InterruptedException {
        for (int workers : new int[] {1, 2}) {
            for (int i = 0; i < 50; i++) {
                double[] home = {1};
                try (Session session = open(workers)) {
                    Data x = session.data().vector("x", home);
                    session.graph().task("set").updates(x).run(SET);
                    CompletableFuture<?> other = CompletableFuture.runAsync(() -> {
                        session.data().free(x);
                        assertTrue(session.data().query(x).freed());
                    });
                    // A stage behind it, so that it is done when the session is told.
                    CompletableFuture<?> _ = other.whenComplete((value, failure) -> session.signal());
                    session.data().free(x);
                    assertEquals(42, home[0]);
                    session.awaitUntil(other::isDone);
                    other.join();
                }
            }
        }
    }

    @Test
    void noTaskFreesWhatItWouldWaitFor() {
        try (Session session = open(2)) {
            Data x = session.data().vector("x", new double[1]);
            session.graph()
                    .task("task")
                    .updates(x)
                    .run(ctx -> assertMentions(
                            assertThrows(
                                    IllegalStateException.class,
                                    () -> session.data().free(x)),
                            "cannot be freed inside a task"))
                    .join();
        }
    }
}

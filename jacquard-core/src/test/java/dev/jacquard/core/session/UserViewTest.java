package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.coherence.ReplicaLocations;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Code outside of tasks locks, unlocks and asks for what tasks access. */
@Timeout(180)
class UserViewTest {
    /** Everything one more, on devices. */
    private static final Kernel COUNT = Kernel.named("count")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("count", launch -> {
                MemorySegment x = launch.memory(0);
                for (long i = 0; i < x.byteSize() / 8; i++) {
                    x.setAtIndex(ValueLayout.JAVA_DOUBLE, i, x.getAtIndex(ValueLayout.JAVA_DOUBLE, i) + 1);
                }
            }));

    private static Session oneDevice() {
        return Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0"))
                .open();
    }

    @Test
    void aViewSeesWhatADeviceWroteAndADeviceWhatAViewWrote() {
        double[] home = {1, 2, 3};
        try (Session session = oneDevice()) {
            Data x = session.data().vector("x", home);
            session.graph().task("count").updates(x).run(COUNT);
            try (UserView view = session.data().open(x, Mode.UPDATE)) {
                assertArrayEquals(new double[] {2, 3, 4}, home);
                assertEquals(3, view.memory().getDouble(1));
                view.memory().setDouble(1, 30);
            }
            session.graph().task("count").updates(x).run(COUNT);
            session.data().fetch(x);
            assertArrayEquals(new double[] {3, 31, 5}, home);
            assertEquals(4, session.data().transfers().copies(), "in, out, in, out");
        }
    }

    @Test
    void aViewThatOverwritesMovesNothing() {
        try (Session session = oneDevice()) {
            Data x = session.data().vector("x", new double[] {1, 2, 3});
            session.graph().task("count").updates(x).run(COUNT);
            try (UserView view = session.data().open(x, Mode.WRITE)) {
                for (int i = 0; i < 3; i++) {
                    view.memory().setDouble(i, 7);
                }
            }
            assertEquals(1, session.data().transfers().copies());
            assertEquals(7.0, sum(session, x).join() / 3);
        }
    }

    private static Task<Double> sum(Session session, Data x) {
        return session.graph().task("sum").reads(x).call(context -> {
            Memory memory = context.memory(x);
            double sum = 0;
            for (long i = 0; i < memory.extent(0); i++) {
                sum += memory.getDouble(i);
            }
            return sum;
        });
    }

    @Test
    void laterTasksThatConflictWaitAndOthersRun() {
        try (Session session = oneDevice()) {
            Data x = session.data().vector("x", new double[] {1, 2});
            Data y = session.data().vector("y", new double[] {10});
            Task<Double> sum;
            try (UserView view = session.data().open(x, Mode.UPDATE)) {
                sum = sum(session, x);
                assertEquals(10, sum(session, y).join());
                assertEquals(TaskState.PENDING, sum.state());
                view.memory().setDouble(0, 100);
            }
            assertEquals(102, sum.join());
        }
    }

    @Test
    void readersReadBesideAViewThatReads() {
        try (Session session = oneDevice()) {
            Data x = session.data().vector("x", new double[] {1, 2});
            try (UserView view = session.data().open(x, Mode.READ);
                    UserView other = session.data().open(x, Mode.READ)) {
                assertEquals(3, sum(session, x).join());
                assertEquals(view.memory().getDouble(1), other.memory().getDouble(1));
                session.data().fetch(x);
                session.graph().await();
            }
        }
    }

    @Test
    void tasksUseTheRestOfWhatAViewHasAPartOf() {
        try (Session session = oneDevice()) {
            Data x = session.data().vector("x", new double[] {1, 2, 3, 4});
            try (UserView view = session.data().open(x.rows(0, 2), Mode.UPDATE)) {
                session.graph().task("count").updates(x.rows(2, 4)).run(COUNT).join();
                view.memory().setDouble(1, 20);
                assertEquals(2, view.memory().extent(0));
                assertThrows(IllegalArgumentException.class, () -> view.memory(x));
            }
            assertEquals(1 + 20 + 4 + 5, sum(session, x).join());
        }
    }

    @Test
    void anyThreadOpensAViewAndTheClosingSessionWaitsForIt() throws Exception {
        double[] home = {1};
        CountDownLatch opened = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        FutureTask<Boolean> user;
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", home);
            user = new FutureTask<>(() -> {
                try (UserView view = session.data().open(x, Mode.UPDATE)) {
                    opened.countDown();
                    closing.await();
                    view.memory().setDouble(0, 5);
                }
                return true;
            });
            Thread.ofPlatform().name("user").start(user);
            opened.await();
            session.graph().task("double").updates(x).run(context -> {
                context.memory(x).setDouble(0, 2 * context.memory(x).getDouble(0));
            });
            closing.countDown();
        }
        assertTrue(user.get());
        assertEquals(10, home[0]);
    }

    @Test
    void handlesAreLockedTooAndSeveralAtOnce() {
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> a = session.wrap("a", new int[] {1});
            Handle<int[]> b = session.wrap("b", new int[] {2});
            Resource printer = session.resource("printer");
            Task<Integer> later;
            UserView kept;
            try (UserView view = session.lock(a, Mode.UPDATE)) {
                kept = view;
                view.get(a)[0] = 5;
                later = session.graph().task("later").reads(a).call(context -> context.get(a)[0]);
                assertEquals(TaskState.PENDING, later.state());
                assertThrows(IllegalArgumentException.class, () -> view.get(b));
                assertMentions(assertThrows(IllegalStateException.class, view::memory), "view of a", "name the part");
            }
            assertEquals(5, later.join());
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> kept.get(a)),
                    "\"view of a\"",
                    "UserViewTest.java",
                    "is closed");
            kept.close();
            try (UserView view = session.graph()
                    .task("both")
                    .reads(a)
                    .updates(b)
                    .updates(printer)
                    .open()) {
                view.get(b)[0] += view.get(a)[0];
                assertEquals(List.of(view), session.views());
                assertEquals(List.of(view), session.views(b));
            }
            assertEquals(7, b.value()[0]);
            assertEquals(List.of(), session.views());
        }
    }

    // ---- what is refused

    @Test
    void aTaskOpensNoView() {
        try (Session session = Session.builder().workers(1).open()) {
            Data x = session.data().vector("x", new double[1]);
            Task<?> task = session.graph()
                    .task("wrong")
                    .run(context -> session.data().open(x, Mode.READ).close());
            Throwable message = assertThrows(TaskFailedException.class, task::join);
            assertMentions(message, "\"view of x\" cannot be opened inside a task", "declare");
            session.graph().await();
        }
    }

    @Test
    void accessesThatUserCodeCannotHaveAreRefused() {
        try (Session session = Session.builder().workers(1).open();
                Session other = Session.builder().workers(1).open()) {
            Handle<int[]> a = session.wrap("a", new int[1]);
            Throwable message = assertThrows(IllegalArgumentException.class, () -> session.lock(a, Mode.ADD));
            assertMentions(message, "READ, UPDATE or WRITE \"a\", not ADD");
            assertThrows(IllegalArgumentException.class, () -> other.lock(a, Mode.READ));
            assertThrows(
                    UnsupportedOperationException.class,
                    () -> session.record(
                            recorder -> recorder.task("view").reads(a).open()));
        }
    }

    @Test
    void aSecondViewThatWouldWaitForTheFirstIsRefused() {
        try (Session session = Session.builder().workers(1).open()) {
            Data x = session.data().vector("x", new double[] {1});
            Data z = session.data().vector("z", DataType.FLOAT64, 1);
            try (UserView view = session.data().open(x, Mode.UPDATE)) {
                Throwable message = assertThrows(
                        IllegalStateException.class, () -> session.data().open(x, Mode.READ));
                assertMentions(message, "\"view of x\" would wait for user view \"view of x\"", "UserViewTest.java");
                session.graph()
                        .task("copy")
                        .reads(x)
                        .writes(z)
                        .run(context ->
                                context.memory(z).setDouble(0, context.memory(x).getDouble(0)));
                message = assertThrows(
                        IllegalStateException.class, () -> session.data().open(z, Mode.READ));
                assertMentions(message, "view of z", "would wait for user view \"view of x\"");
                assertTrue(view.isOpen());
            }
            try (UserView view = session.data().open(z, Mode.READ)) {
                assertEquals(1, view.memory().getDouble(0));
            }
        }
    }

    @Test
    void whoHoldsAViewIsToldNotToWaitForWhatItHoldsUp() {
        try (Session session = oneDevice()) {
            Data x = session.data().vector("x", new double[] {1});
            UserView view = session.data().open(x, Mode.UPDATE);
            assertMentions(
                    assertThrows(
                            IllegalStateException.class, () -> session.data().fetch(x)),
                    "fetch x",
                    "opened by thread",
                    "UserViewTest.java");
            session.graph().task("behind").reads(x).run(context -> {});
            assertMentions(
                    assertThrows(IllegalStateException.class, session.graph()::await), "graph \"main\"", "view of x");
            view.close();
            session.graph().await();
            session.data().fetch(x);
        }
    }

    @Test
    void aThreadWithoutANameIsToldByItsNumber() throws Exception {
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", new double[] {1});
            UserView[] view = new UserView[1];
            Thread thread =
                    Thread.startVirtualThread(() -> view[0] = session.data().open(x, Mode.READ));
            thread.join();
            String told = "open: thread #" + thread.threadId() + " opened it";
            Watchdog.until(() -> session.snapshot().toString().contains(told), told); // once its body returned
            view[0].close();
        }
    }

    @Test
    void whatAViewHasIsNotFreedAndWhatIsFreedIsNotUsed() {
        try (Session session = Session.builder().workers(1).open()) {
            Data x = session.data().vector("x", new double[] {1});
            try (UserView view = session.data().open(x, Mode.READ)) {
                assertMentions(
                        assertThrows(
                                IllegalStateException.class,
                                () -> session.data().free(x)),
                        "\"x\" cannot be freed while",
                        "view of x",
                        "UserViewTest.java");
                assertTrue(view.isOpen());
            }
            session.data().free(x);
            session.data().free(x);
            assertTrue(session.data().query(x).freed());
            assertMentions(
                    assertThrows(
                            IllegalStateException.class, () -> session.data().fetch(x)),
                    "data \"x\", which was freed");
            assertThrows(IllegalStateException.class, () -> session.data().open(x, Mode.READ));
        }
    }

    @Test
    void aSessionClosedWithAnOpenViewSaysSoAndIsClosed() {
        double[] home = {1};
        Session session = Session.builder().workers(1).open();
        Data x = session.data().vector("x", home);
        UserView view = session.data().open(x, Mode.UPDATE);
        session.graph().task("set").updates(x).run(context -> context.memory(x).setDouble(0, 9));
        assertMentions(
                assertThrows(IllegalStateException.class, session::close),
                "closed with",
                "view of x",
                "UserViewTest.java");
        assertEquals(9, home[0]);
        assertFalse(view.isOpen());
        session.close();
        assertMentions(
                assertThrows(IllegalStateException.class, () -> session.data().open(x, Mode.READ)), "closed session");
    }

    @Test
    void whatIsPoisonedOrWasNeverWrittenCannotBeRead() {
        try (Session session = Session.builder().workers(1).open()) {
            Data x = session.data().vector("x", DataType.FLOAT64, 1);
            assertMentions(
                    assertThrows(TaskFailedException.class, () -> session.data().open(x, Mode.READ)),
                    "view of x",
                    "which no task has written");
            Data y = session.data().vector("y", new double[1]);
            TaskGraph failing = session.graph("failing", FailurePolicy.CONTINUE);
            failing.task("fails").updates(y).run(context -> {
                throw new IllegalArgumentException("on purpose");
            });
            assertMentions(
                    assertThrows(TaskFailedException.class, () -> session.data().open(y, Mode.READ)), "on purpose");
            failing.await();
            TaskGraph cancelled = session.graph("cancelled", FailurePolicy.CONTINUE);
            cancelled.cancel();
            assertThrows(
                    CancellationException.class,
                    () -> cancelled.task("late").updates(x).open());
        }
    }

    /** What was done is there: fetching is no task of the graph that the user cancelled. */
    @Test
    void whatACancelledGraphWroteIsFetched() {
        double[] home = {1, 2, 3};
        try (Session session = oneDevice()) {
            Data x = session.data().vector("x", home);
            session.graph().task("count").updates(x).run(COUNT).join();
            session.graph().cancel();
            session.data().fetch(x);
            assertArrayEquals(new double[] {2, 3, 4}, home);
            assertThrows(CancellationException.class, session.graph()::await);
        }
    }

    @Test
    void aCancelledGraphTakesNoOpenViewAway() {
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> a = session.wrap("a", new int[1]);
            TaskGraph graph = session.graph("cancelled", FailurePolicy.CONTINUE);
            try (UserView view = graph.task("mine").updates(a).open()) {
                graph.cancel();
                view.get(a)[0] = 3;
                assertTrue(view.isOpen());
            }
            assertThrows(CancellationException.class, graph::await);
            assertEquals(
                    3,
                    session.graph()
                            .task("read")
                            .reads(a)
                            .call(context -> context.get(a)[0])
                            .join());
        }
    }

    @Test
    void aSnapshotSaysWhoHasAViewOpen() {
        try (Session session = Session.builder().workers(1).open()) {
            Data x = session.data().vector("x", new double[] {1});
            try (UserView view = session.data().open(x, Mode.READ)) {
                assertTrue(
                        session.snapshot()
                                .toString()
                                .contains("\"" + view.name() + "\" waits for its close (open: thread "
                                        + Thread.currentThread().getName() + " opened it, and has not closed it)"),
                        session.snapshot()::toString);
            }
        }
    }

    @Test
    void aViewCannotBeRetried() {
        try (Session session = Session.builder().workers(1).open()) {
            Data x = session.data().vector("x", new double[] {1});
            TaskBuilder view = session.graph().task("look").updates(x).retries(2);
            assertMentions(
                    assertThrows(IllegalArgumentException.class, view::open), "user view \"look\" cannot be retried");
        }
    }

    @Test
    void anInterruptedOpeningLeavesNothingBehind() throws Exception {
        try (Session session = Session.builder().workers(1).open()) {
            Data x = session.data().vector("x", new double[] {1});
            CompletableFuture<Void> end = new CompletableFuture<>();
            session.graph().task("held").updates(x).start(context -> end);
            Thread.currentThread().interrupt();
            assertThrows(WaitInterruptedException.class, () -> session.data().open(x, Mode.UPDATE));
            assertTrue(Thread.interrupted());
            end.complete(null);
            assertEquals(1, sum(session, x).join());
            assertEquals(List.of(), session.views());
        }
    }

    // ---- the query

    @Test
    void aQueryTellsWhereDataIs() {
        try (Session session = oneDevice()) {
            Data x = session.data().vector("x", new double[] {1, 2, 3, 4});
            session.graph().task("count").updates(x.rows(0, 2)).run(COUNT);
            session.graph().await();
            DataManager.State state = session.data().query(x);
            ReplicaLocations where = state.where();
            assertEquals(2, where.parts().size(), state::toString);
            assertEquals(2, where.replicas().size(), state::toString);
            for (ReplicaLocations.Part part : where.parts()) {
                boolean written = part.box().from(0) == 0;
                assertEquals(List.of(written ? "emulated0" : "host"), part.newest(), state::toString);
                assertEquals(written ? 2 : 1, part.version(), state::toString);
            }
            assertFalse(state.isInUse());
            assertFalse(where.isNewestIn("host"));
            try (UserView view = session.data().open(x, Mode.READ)) {
                state = session.data().query(x);
                assertTrue(state.isInUse());
                assertEquals(List.of(view), state.views());
                assertTrue(state.where().isNewestIn("host"));
                assertMentions(
                        new IllegalStateException(state.toString()),
                        "data \"x\":",
                        "view of x",
                        "in use by 1",
                        "version 2 in emulated0, host");
            }
        }
    }
}

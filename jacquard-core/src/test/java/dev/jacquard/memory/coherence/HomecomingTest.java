package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A session that is closed brings to the users' arrays what tasks wrote elsewhere. */
@Timeout(180)
class HomecomingTest {
    private static final Kernel ADD = Kernel.named("add")
            .parameters("amount", "x")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("add", launch -> {
                MemorySegment x = launch.memory(1);
                for (long i = 0; i < x.byteSize() / Double.BYTES; i++) {
                    x.setAtIndex(
                            ValueLayout.JAVA_DOUBLE, i, x.getAtIndex(ValueLayout.JAVA_DOUBLE, i) + launch.longAt(0));
                }
            }));

    private static final Kernel FAIL = Kernel.named("fail")
            .parameters("x")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("fail", launch -> {
                throw new IllegalStateException("no");
            }));

    private static SessionBuilder devices() {
        return Session.builder().workers(2).devices("emulated0", "emulated1");
    }

    @Test
    void closeBringsWhatNobodyFetched() {
        double[] home = {1, 2, 3, 4};
        try (Session session = devices().open()) {
            Data x = session.data().vector("x", home);
            session.graph().task("all").updates(x).run(ADD, 1L);
            session.graph().task("some").updates(x.rows(1, 3)).run(ADD, 10L);
        }
        assertArrayEquals(new double[] {2, 13, 14, 5}, home);
    }

    @Test
    void closeBringsToSegmentsAndMovesNothingThatIsThere() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment home = arena.allocate(16);
            double[] fetched = {1};
            Session session = devices().open();
            try (session) {
                Data x = session.data().home("x", Layout.of(DataType.FLOAT64, 2), home);
                Data y = session.data().vector("y", fetched);
                session.graph().task("x").updates(x).run(ADD, 5L);
                session.graph().task("y").updates(y).run(ADD, 5L);
                session.data().fetch(y);
                fetched[0] = 100; // the program's own again: nothing newer is elsewhere
            }
            assertEquals(5, home.getAtIndex(ValueLayout.JAVA_DOUBLE, 1));
            assertEquals(100, fetched[0]);
            assertEquals(4, session.data().transfers().copies(), "each in and out once");
        }
    }

    @Test
    void resultsMayBeLeftOnDevices() {
        double[] home = {1};
        try (Session session = devices().leaveResultsOnDevices().open()) {
            Data x = session.data().vector("x", home);
            session.graph().task("add").updates(x).run(ADD, 1L);
        }
        assertEquals(1, home[0]);
    }

    @Test
    void whatIsValidComesHomeBehindAFailure() {
        double[] good = {1};
        double[] bad = {1};
        Session session = devices().open();
        Data x = session.data().vector("good", good);
        Data y = session.data().vector("bad", bad);
        session.graph().task("add").updates(x).run(ADD, 1L);
        session.graph().task("fails").updates(y).run(context -> {
            throw new IllegalStateException("no");
        });
        assertThrows(TaskFailedException.class, session::close);
        assertEquals(2, good[0]);
    }

    @Test
    void theRestOfDataThatIsPartlyPoisonedComesHome() {
        double[] home = {1, 2, 3, 4, 5};
        Session session = devices().open();
        Data x = session.data().vector("x", home);
        session.graph().task("add").updates(x.rows(1, 4)).run(ADD, 10L);
        session.graph().task("overwrites").writes(x.rows(1, 2)).run(FAIL);
        session.graph().task("updates").updates(x.rows(4, 5)).run(context -> {
            throw new IllegalStateException("no");
        });
        assertThrows(TaskFailedException.class, session.graph()::await);
        assertThrows(TaskFailedException.class, () -> session.data().fetch(x));
        session.close();
        assertEquals(1, home[0]);
        assertEquals(13, home[2]);
        assertEquals(14, home[3]);
    }

    @Test
    void whatASecondTryWroteComesHome() {
        double[] home = {1, 2, 3, 4};
        int[] tries = {0};
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", home);
            session.graph().task("twice").updates(x.rows(1, 3)).retries(1).run(context -> {
                boolean first = tries[0]++ == 0;
                context.memory(x.rows(1, 3)).addDouble(0, first ? 7 : 40);
                if (first) {
                    throw new IllegalStateException("no");
                }
            });
        }
        assertArrayEquals(new double[] {1, 42, 3, 4}, home);
    }

    @Test
    void anInterruptedCloseBringsWhatWasDone() {
        double[] home = {1};
        Session session = devices().open();
        Data x = session.data().vector("x", home);
        session.graph().task("add").updates(x).run(ADD, 1L).join();
        CountDownLatch begun = new CountDownLatch(1);
        session.graph().task("waits").run(context -> {
            begun.countDown();
            Watchdog.until(context::cancelled, "the close was interrupted");
        });
        Watchdog.await(begun, "the task runs on the other worker");
        Thread.currentThread().interrupt();
        session.close();
        assertTrue(Thread.interrupted(), "the interrupt is kept");
        assertEquals(2, home[0]);
    }

    /** In, the launch, and out: the third operation is the copy home. */
    private static SessionBuilder lostOnTheWayHome() {
        return Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("mine").faults(FaultPlan.NONE.at(Kind.LOSS, 3)));
    }

    @Test
    void whatWentWithALostDeviceIsComputedAgain() {
        double[] home = {1};
        try (Session session = lostOnTheWayHome().devices("emulated0").open()) {
            Data x = session.data().vector("x", home);
            session.graph()
                    .task("add")
                    .updates(x)
                    .on(ExecutionTarget.named("mine"))
                    .run(ADD, 1L)
                    .join();
        }
        assertEquals(2, home[0]);
    }

    /** An element that two tasks add to at once is lost with the one that fails, whose failure says so. */
    @Test
    void whatAFailedAdditionSpoiledForOthersIsToldOnce() {
        try (Session session = devices().open()) {
            Data x = session.data().vector("x", new double[1]);
            session.graph().prefetch(x).to(ExecutionTarget.named("emulated0")).join(); // a replica besides the home
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch over = new CountDownLatch(1);
            Task<?> other = session.graph()
                    .task("other")
                    .accesses(x, Access.add())
                    .run(context -> {
                        context.memory(x).addDouble(0, 1);
                        begun.countDown();
                        Watchdog.await(over, "the other task is over");
                    });
            Task<?> bad = session.graph().task("bad").accesses(x, Access.add()).run(context -> {
                Watchdog.await(begun, "the other task adds");
                throw new IllegalStateException("half");
            });
            assertThrows(TaskFailedException.class, bad::join);
            over.countDown();
            other.join();
        }
    }

    @Test
    void whatIsLostForGoodIsTold() {
        double[] home = {1};
        Session session = lostOnTheWayHome().open();
        Data x = session.data().vector("x", home);
        session.graph().task("add").updates(x).run(ADD, 1L).join();
        assertMentions(
                assertThrows(IllegalStateException.class, session::close),
                "could be brought to the user's arrays",
                "as task \"add\" wrote it, and that is lost");
        assertEquals(1, home[0]);
    }
}

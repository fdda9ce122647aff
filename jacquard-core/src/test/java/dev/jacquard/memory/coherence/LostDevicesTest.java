package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of tasks whose device is lost, or fails them. */
class LostDevicesTest {
    private static final int LENGTH = 100;
    static final ExecutionTarget ONE = ExecutionTarget.named("emulated0");
    private static final ExecutionTarget OTHER = ExecutionTarget.named("emulated1");

    /** {@code y += a x}, on emulated devices alone. */
    static final Kernel DEVICES_ONLY =
            Kernel.named("axpy").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("axpy", LostDevicesTest::axpy));

    /** And on the host. */
    static final Kernel AXPY = DEVICES_ONLY.onHost(arguments -> {
        Memory x = arguments.memory(1);
        Memory y = arguments.memory(2);
        for (long i = 0; i < x.extent(0); i++) {
            y.setDouble(i, y.getDouble(i) + arguments.number(0) * x.getDouble(i));
        }
    });

    private static void axpy(EmulatedBody.Launch launch) {
        MemorySegment x = launch.memory(1);
        MemorySegment y = launch.memory(2);
        for (long i = 0; i < x.byteSize() / 8; i++) {
            double old = y.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
            y.setAtIndex(
                    ValueLayout.JAVA_DOUBLE, i, old + launch.doubleAt(0) * x.getAtIndex(ValueLayout.JAVA_DOUBLE, i));
        }
    }

    static double[] filled(double value) {
        double[] array = new double[LENGTH];
        Arrays.fill(array, value);
        return array;
    }

    static EmulatedOffer offer(int number, FaultPlan faults) {
        return EmulatedDevice.offer("emulated" + number).faults(faults);
    }

    static Session session(EmulatedOffer... offers) {
        SessionBuilder builder = Session.builder().workers(1);
        for (EmulatedOffer offer : offers) {
            builder.device(offer);
        }
        return builder.open();
    }

    /** The third operation of a device is the first launch. */
    static final FaultPlan LOST_AT_FIRST_LAUNCH = FaultPlan.NONE.at(Kind.LOSS, 3);

    /** Twenty vectors, each updated once. */
    private static void assertAllRun(Session session, Kernel kernel) {
        TaskGraph graph = session.graph("lost", FailurePolicy.CONTINUE);
        Data x = session.data().vector("x", filled(2));
        List<double[]> homes = new ArrayList<>();
        List<Data> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            homes.add(filled(i));
            all.add(session.data().vector("y" + i, homes.get(i)));
            graph.task("t" + i).reads(x).updates(all.get(i)).run(kernel, 0.5);
        }
        graph.await();
        assertEquals(20, graph.report().done());
        for (int i = 0; i < 20; i++) {
            session.data().fetch(all.get(i));
            assertArrayEquals(filled(i + 1), homes.get(i));
        }
    }

    @Test
    void tasksOfALostDeviceRunOnTheHost() {
        try (Session session = session(offer(0, LOST_AT_FIRST_LAUNCH))) {
            assertAllRun(session, AXPY);
            Faults faults = session.data().faults();
            assertEquals("emulated0", faults.lost().getFirst().device());
            assertTrue(faults.fellBack() > 0
                    && faults.fellBack() == faults.fallbacks().size());
            Faults.Fallback first = faults.fallbacks().getFirst();
            assertEquals(ONE.name(), first.from().name());
            assertEquals(Place.HOST, first.to());
            assertTrue(first.why().contains("emulated0 is lost"), first::why);
        }
    }

    @Test
    void orOnAnotherDevice() {
        try (Session session = session(offer(0, LOST_AT_FIRST_LAUNCH), offer(1, FaultPlan.NONE))) {
            assertAllRun(session, DEVICES_ONLY);
            assertTrue(session.data().faults().fallbacks().stream()
                    .allMatch(one -> one.to().is(OTHER)));
        }
    }

    /**
     * Tasks go to the devices in turn: which one is expected to end sooner is up to the machine. Without copies between
     * them, since a launch behind a copy from a lost device is skipped, and loses none.
     */
    @Test
    void orOnTheHostWhenAllAreLost() {
        AtomicInteger turn = new AtomicInteger();
        try (Session session = Session.builder()
                .workers(1)
                .device(offer(0, LOST_AT_FIRST_LAUNCH).withoutPeers())
                .device(offer(1, LOST_AT_FIRST_LAUNCH).withoutPeers())
                .placement((task, machine) -> machine.places()
                        .get(turn.getAndIncrement() % machine.places().size()))
                .open()) {
            assertAllRun(session, AXPY);
            assertEquals(2, session.data().faults().lost().size());
        }
    }

    @Test
    void withNoOtherTargetTheTaskSaysSo() {
        try (Session session = session(offer(0, LOST_AT_FIRST_LAUNCH))) {
            TaskGraph graph = session.graph("lost", FailurePolicy.CONTINUE);
            Data x = session.data().vector("x", filled(2));
            Data y = session.data().vector("y", filled(0));
            graph.task("only").reads(x).updates(y).run(DEVICES_ONLY, 0.5);
            String message = messageOf(graph);
            assertTrue(message.contains("task \"only\" has nowhere else to run"), message);
            assertTrue(message.contains("emulated0 is lost"), message);
            assertTrue(message.contains("kernel \"axpy\" is implemented for [emulated]"), message);
            assertTrue(message.contains("give it an implementation for the host (onHost)"), message);
            graph.task("later").reads(x).run(DEVICES_ONLY, 0.5); // refused by the task, not by the submission
            assertTrue(messageOf(graph).contains("task \"later\" has nowhere else to run"));
        }
    }

    @Test
    void oneThatIsForThatDeviceAloneSaysSoToo() {
        try (Session session = session(offer(0, LOST_AT_FIRST_LAUNCH), offer(1, FaultPlan.NONE))) {
            TaskGraph graph = session.graph("lost", FailurePolicy.CONTINUE);
            Data x = session.data().vector("x", filled(2));
            Data y = session.data().vector("y", filled(0));
            graph.task("pinned").reads(x).updates(y).on(ONE).run(AXPY, 0.5);
            String message = messageOf(graph);
            assertTrue(message.contains("the task is for emulated0 alone: without on(emulated0)"), message);
        }
    }

    static String messageOf(TaskGraph graph) {
        TaskFailedException failed = assertThrows(TaskFailedException.class, graph::await);
        Throwable cause = failed.getCause();
        assertInstanceOf(DeviceLostException.class, cause);
        return String.valueOf(cause.getMessage());
    }

    @Test
    void aFailedLaunchGoesElsewhereToo() {
        double[] y = filled(0);
        try (Session session = session(offer(0, FaultPlan.NONE.at(Kind.LAUNCH, 1)))) {
            Data x = session.data().vector("x", filled(2));
            Data dy = session.data().vector("y", y);
            session.graph().task("first").reads(x).updates(dy).run(AXPY, 0.5);
            session.data().fetch(dy);
            assertArrayEquals(filled(1), y);
            assertEquals(1, session.data().faults().fellBack());
            assertTrue(session.data().faults().lost().isEmpty());
            session.graph().task("second").reads(x).updates(dy).run(AXPY, 0.5);
            session.graph().await();
            assertEquals(1, session.data().faults().fellBack(), "the device is still used");
        }
    }

    @Test
    void aDeviceWithoutMemoryToo() {
        try (Session session = session(offer(0, FaultPlan.NONE.rate(Kind.ALLOCATION, 1)))) {
            assertAllRun(session, AXPY);
        }
    }

    @Test
    void aCopyThatFailsAgainAndAgainSaysWhich() {
        try (Session session = session(offer(0, FaultPlan.NONE.rate(Kind.COPY, 1)))) {
            TaskGraph graph = session.graph("lost", FailurePolicy.CONTINUE);
            Data x = session.data().vector("x", filled(2));
            graph.task("copy").updates(x).run(DEVICES_ONLY, 0.5);
            TaskFailedException failed = assertThrows(TaskFailedException.class, graph::await);
            Throwable cause = assertInstanceOf(DeviceException.class, failed.getCause());
            String message = String.valueOf(cause.getMessage());
            assertTrue(message.contains("the copy of x[0 until 100] from host to emulated0 failed 3 times"), message);
            assertAllRun(session, AXPY);
        }
    }

    /**
     * Ten updates of one vector; the device is lost at that operation, of which the first are two copies. Returns the
     * number of lost devices: where there is another device, that one may have been expected to end sooner.
     */
    private static int lostInChain(long lostAt, Kernel kernel, EmulatedOffer... others) {
        double[] y = filled(0);
        List<EmulatedOffer> offers = new ArrayList<>(List.of(others));
        offers.addFirst(offer(0, FaultPlan.NONE.at(Kind.LOSS, lostAt)));
        try (Session session = session(offers.toArray(EmulatedOffer[]::new))) {
            Data x = session.data().vector("x", filled(2));
            Data dy = session.data().vector("y", y);
            for (int i = 0; i < 10; i++) {
                session.graph().task("step " + i).reads(x).updates(dy).run(kernel, (double) i);
            }
            session.data().fetch(dy);
            assertArrayEquals(filled(90), y);
            return session.data().faults().lost().size();
        }
    }

    @Test
    void whatOnlyALostDeviceHadIsRecomputed() {
        int beside = 0;
        for (long at = 1; at <= 13; at++) {
            assertEquals(1, lostInChain(at, AXPY));
            beside += lostInChain(at, DEVICES_ONLY, offer(1, FaultPlan.NONE));
            beside += lostInChain(at, DEVICES_ONLY, offer(1, FaultPlan.NONE).withoutPeers());
        }
        assertTrue(beside >= 13 && beside <= 26, "lost " + beside + " of 26");
    }

    @Test
    void howMuchIsRecomputedIsReported() {
        double[] y = filled(0);
        try (Session session = session(offer(0, FaultPlan.NONE.at(Kind.LOSS, 13)))) { // the copy out
            Data x = session.data().vector("x", filled(2));
            Data dy = session.data().vector("y", y);
            for (int i = 0; i < 10; i++) {
                session.graph().task("step " + i).reads(x).updates(dy).run(AXPY, (double) i);
            }
            session.data().fetch(dy);
            Faults.Recomputation one = session.data().faults().recomputations().getFirst();
            assertEquals("y", one.data());
            assertEquals("task \"step 9\"", one.writer());
            assertEquals(10, one.tasks());
        }
    }

    @Test
    void whatItNeedsMayBeGoneToo() {
        try (Session session = session(offer(0, FaultPlan.NONE.at(Kind.LOSS, 5)))) { // x and y in, y += x, z in, z += y
            TaskGraph graph = session.graph("lost", FailurePolicy.CONTINUE);
            Data x = session.data().vector("x", filled(2));
            Data y = session.data().vector("y", filled(0));
            Data z = session.data().vector("z", filled(0));
            graph.task("y").reads(x).updates(y).run(AXPY, 1.0);
            graph.await();
            graph.task("x").updates(x).run(ctx -> ctx.memory(x).setDouble(0, 7));
            graph.await();
            graph.task("z").reads(y).updates(z).run(AXPY, 1.0);
            TaskFailedException failed = assertThrows(TaskFailedException.class, graph::await);
            String message = String.valueOf(failed.getCause());
            assertTrue(message.contains("\"z\" begins with y[0 until 100], as task \"y\" wrote it, and"), message);
            assertTrue(message.contains("x[0 until 100], as the user wrote it, is nowhere any more"), message);
        }
    }

    @Test
    void aBodyIsNotRunTwiceAndTheLossIsNamed() {
        Kernel read = Kernel.named("read")
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("read", launch -> {}))
                .onHost(arguments -> {});
        try (Session session = session(offer(0, FaultPlan.NONE.at(Kind.LOSS, 5)))) {
            TaskGraph graph = session.graph("lost", FailurePolicy.CONTINUE);
            var effects = session.wrap("effects", new int[1]);
            Data x = session.data().vector("x", filled(2));
            Data y = session.data().vector("y", filled(0));
            Data w = session.data().vector("w", filled(0));
            graph.task("impure").updates(effects).reads(x).updates(y).run(AXPY, 1.0);
            graph.await();
            graph.task("w").updates(w).run(read);
            graph.await();
            graph.task("fetch y").reads(y).run(ctx -> {});
            TaskFailedException failed = assertThrows(TaskFailedException.class, graph::await);
            String message = String.valueOf(failed.getCause());
            assertTrue(
                    message.contains("task \"fetch y\" begins with y[0 until 100], as task \"impure\" wrote it"),
                    message);
            assertTrue(message.contains("it is no kernel that accesses only data"), message);
        }
    }

    @Test
    void tasksThatUpdateDataAreTriedAgain() {
        double[] y = filled(1);
        try (Session session = session(offer(0, FaultPlan.NONE.at(Kind.LAUNCH, 2, 3)))) {
            Data x = session.data().vector("x", filled(2));
            Data dy = session.data().vector("y", y);
            session.graph().task("first").reads(x).updates(dy).on(ONE).run(DEVICES_ONLY, 1.0);
            session.graph()
                    .task("second")
                    .reads(x)
                    .updates(dy)
                    .retries(2)
                    .on(ONE)
                    .run(DEVICES_ONLY, 1.0);
            session.data().fetch(dy);
            assertArrayEquals(filled(5), y);
        }
    }

    /** A lost device is not tried again, whatever the task says. */
    @Test
    void theTryOnALostDeviceCounts() {
        try (Session session = session(offer(0, LOST_AT_FIRST_LAUNCH))) {
            Data x = session.data().vector("x", filled(2));
            Data y = session.data().vector("y", filled(1));
            TaskGraph graph = session.graph();
            graph.task("t").reads(x).updates(y).retries(2).on(ONE).run(DEVICES_ONLY, 1.0);
            assertMentions(assertThrows(TaskFailedException.class, graph::await), "after 1 try ");
        }
    }

    @Test
    void onTheHostToo() {
        double[] y = filled(1);
        int[] tries = new int[1];
        try (Session session = session()) {
            Data dy = session.data().vector("y", y);
            session.graph().task("twice").updates(dy.rows(10, 20)).retries(2).run(ctx -> {
                Memory memory = ctx.memory(dy.rows(10, 20));
                for (long i = 0; i < 10; i++) {
                    memory.setDouble(i, 2 * memory.getDouble(i));
                }
                if (tries[0]++ < 2) {
                    throw new IllegalStateException("not yet");
                }
            });
            session.graph().await();
            double[] expected = filled(1);
            Arrays.fill(expected, 10, 20, 2);
            assertArrayEquals(expected, y);
            assertEquals(3, tries[0]);
        }
    }

    private static Session checkingSession(FaultPlan faults) {
        return Session.builder().workers(1).checking().device(offer(0, faults)).open();
    }

    @Test
    void aCopyThatArrivesDamagedIsMadeAgain() {
        for (long number = 1; number <= 9; number++) { // the copies of x and y, and what is read to check them
            double[] y = filled(0);
            try (Session session = checkingSession(FaultPlan.NONE.at(Kind.CORRUPTION, number))) {
                Data x = session.data().vector("x", filled(2));
                Data dy = session.data().vector("y", y);
                session.graph().task("axpy").reads(x).updates(dy).run(AXPY, 0.5);
                session.data().fetch(dy);
                assertArrayEquals(filled(1), y);
                assertEquals(0, session.data().faults().fellBack());
            }
        }
    }

    @Test
    void damageIsCountedAndNamed() {
        try (Session session = checkingSession(FaultPlan.NONE.rate(Kind.CORRUPTION, 1))) {
            TaskGraph graph = session.graph("damaged", FailurePolicy.CONTINUE);
            Data x = session.data().vector("x", filled(2));
            graph.task("copy").updates(x).run(DEVICES_ONLY, 0.5);
            TaskFailedException failed = assertThrows(TaskFailedException.class, graph::await);
            String message = String.valueOf(failed.getCause());
            assertTrue(message.contains("the copy of x[0 until 100] from host to emulated0 failed 3 times"), message);
            long corrupted = session.data().faults().corrupted();
            // What was brought ahead may have failed before the task began, which then tried itself.
            assertTrue(corrupted == 3 || corrupted == 6, () -> corrupted + " copies were damaged");
        }
    }
}

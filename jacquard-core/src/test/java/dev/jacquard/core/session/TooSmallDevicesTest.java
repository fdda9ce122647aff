package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kernels whose data could never have room on any device run on the host, if they have an implementation for it; other
 * places where data cannot be.
 */
@Timeout(180)
class TooSmallDevicesTest {
    private static final Kernel ADDS_ONE = Kernel.named("adds one")
            .parameters("y")
            .onHost(context -> addOne(context.memory("y").segment()))
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("adds one", launch -> addOne(launch.memory(0))));
    private static final Kernel ON_DEVICES = Kernel.named("adds one")
            .parameters("y")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("adds one", launch -> addOne(launch.memory(0))));

    private final double[] values = new double[4];

    private static void addOne(MemorySegment y) {
        for (int i = 0; i < 4; i++) {
            y.setAtIndex(ValueLayout.JAVA_DOUBLE, i, y.getAtIndex(ValueLayout.JAVA_DOUBLE, i) + 1);
        }
    }

    private static SessionBuilder small(int devices) {
        SessionBuilder builder = Session.builder().workers(2);
        for (int i = 0; i < devices; i++) {
            builder.device(EmulatedDevice.offer("emulated" + i), 8);
        }
        return builder;
    }

    private void assertSum(Session session, Data y, double sum) {
        session.data().fetch(y);
        assertArrayEquals(new double[] {sum, sum, sum, sum}, values);
    }

    @Test
    void liveAndRecordedTasksGoToTheHost() {
        for (int devices = 1; devices <= 2; devices++) {
            values[0] = values[1] = values[2] = values[3] = 0;
            try (Session session = small(devices).open()) {
                Data y = session.data().vector("y", values);
                session.graph().task("live").updates(y).run(ADDS_ONE);
                session.record("graph", rec -> rec.task("recorded").updates(y).run(ADDS_ONE))
                        .run();
                assertSum(session, y, 2);
                assertEquals(0, session.data().transfers().copies());
            }
        }
    }

    @Test
    void laterTasksGoToTheHostWhereTheOneThatIsLargeEnoughWasLost() {
        try (Session session = small(1).device(
                        EmulatedDevice.offer("emulated1").faults(FaultPlan.NONE.at(Kind.LOSS, 6)))
                .open()) {
            Data y = session.data().vector("y", values);
            TaskGraph graph = session.graph();
            for (int i = 0; i < 10; i++) {
                graph.task("add").updates(y).run(ADDS_ONE).join();
            }
            assertSum(session, y, 10);
        }
    }

    @Test
    void aTaskThatIsForDevicesAloneIsRefused() {
        try (Session session = small(1).open()) {
            Data y = session.data().vector("y", values);
            TaskGraph graph = session.graph();
            for (Kernel kernel : new Kernel[] {ON_DEVICES, ADDS_ONE}) {
                assertMentions(
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> graph.task("add")
                                        .updates(y)
                                        .on(ExecutionTarget.EMULATED)
                                        .run(kernel)),
                        "accesses 32 bytes of data, and emulated0 may hold 8");
            }
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> graph.task("add").updates(y).run(ON_DEVICES)),
                    "emulated0 may hold 8");
        }
    }

    /** Tasks on other threads would fail in it. */
    @Test
    void memoryOfOneThreadAloneIsNoHome() {
        Layout layout = Layout.of(DataType.FLOAT64, 4);
        Arena closed = Arena.ofShared();
        MemorySegment gone = closed.allocate(32, 8);
        closed.close();
        try (Session session = Session.builder().workers(1).open();
                Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            for (MemorySegment home : new MemorySegment[] {gone, confined.allocate(32, 8)}) {
                assertMentions(
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> session.data().home("y", layout, home)),
                        "data \"y\" cannot lie in memory of an arena that is closed, or confined");
            }
            session.data().home("y", layout, shared.allocate(32, 8));
        }
    }

    /** A run of a recorded graph whose device is lost says what to do. */
    @Test
    void aRecordedTaskStaysOnItsDevice() {
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0").faults(FaultPlan.NONE.at(Kind.LOSS, 2)))
                .open()) {
            Data y = session.data().vector("y", values);
            var graph =
                    session.record("graph", rec -> rec.task("add").updates(y).run(ADDS_ONE));
            assertMentions(
                    assertThrows(RuntimeException.class, () -> {
                        for (int i = 0; i < 5; i++) {
                            graph.run();
                        }
                    }),
                    "emulated0 is lost",
                    "record the graph again");
        }
    }
}

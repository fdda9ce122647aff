package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Kernels of groups with a device that is lost. */
class GroupsOfLostDevicesTest {
    /** Some tasks are submitted before the loss, and some after it. */
    @Test
    void tasksOfAGroupLeaveItsDeviceIfTheGroupMay() {
        for (Kernel kernel : List.of(LostDevicesTest.DEVICES_ONLY, LostDevicesTest.AXPY)) {
            try (Session session = LostDevicesTest.session(
                    LostDevicesTest.offer(0, LostDevicesTest.LOST_AT_FIRST_LAUNCH),
                    LostDevicesTest.offer(1, FaultPlan.NONE))) {
                TaskGraph graph = session.graph("lost", FailurePolicy.CONTINUE);
                Data x = session.data().vector("x", LostDevicesTest.filled(2));
                double[] home = LostDevicesTest.filled(0);
                Data y = session.data().vector("y", home);
                for (int i = 0; i < 2; i++) {
                    graph.group(LostDevicesTest.ONE, (from, to) -> {})
                            .orElsewhere()
                            .task("free")
                            .reads(x)
                            .updates(y)
                            .run(kernel, 0.5);
                    graph.await();
                }
                session.data().fetch(y);
                assertArrayEquals(LostDevicesTest.filled(2), home);
                assertEquals(
                        "emulated0", session.data().faults().lost().getFirst().device());
                graph.group(LostDevicesTest.ONE, (from, to) -> {})
                        .task("pinned")
                        .reads(x)
                        .updates(y)
                        .run(kernel, 0.5);
                assertTrue(LostDevicesTest.messageOf(graph).contains("the task is for emulated0 alone"));
            }
        }
    }
}

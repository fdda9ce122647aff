package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** In checking mode a copy between devices ends with checksums, each read on its device. */
class LostChecksumTest {
    private static final Kernel NOTHING =
            Kernel.named("nothing").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("nothing", launch -> {}));

    @Test
    void aChecksumThatCannotBeReadLosesItsOwnDevice() {
        Set<String> all = new TreeSet<>();
        for (int operation = 1; operation < 12; operation++) {
            FaultPlan lost = FaultPlan.NONE.at(FaultPlan.Kind.LOSS, operation);
            SessionBuilder builder = Session.builder()
                    .workers(1)
                    .checking()
                    .device(EmulatedDevice.offer("emulated0").faults(lost))
                    .device(EmulatedDevice.offer("emulated1"));
            try (Session session = builder.open()) {
                Data x = session.data().vector("x", new double[10]);
                TaskGraph graph = session.graph("lost", FailurePolicy.CONTINUE);
                graph.task("first")
                        .updates(x)
                        .on(ExecutionTarget.named("emulated0"))
                        .run(NOTHING);
                awaitOver(graph.task("second")
                        .updates(x)
                        .on(ExecutionTarget.named("emulated1"))
                        .run(NOTHING));
                Set<String> devices = session.data().faults().lost().stream()
                        .map(Faults.Lost::device)
                        .collect(Collectors.toSet());
                assertFalse(devices.contains("emulated1"), "operation " + operation + ": " + devices);
                all.addAll(devices);
            } catch (TaskFailedException e) {
                assertMentions(e, "emulated0"); // what was lost with the device
            }
        }
        assertNotEquals(Set.of(), all);
    }

    private static void awaitOver(Task<?> task) {
        try {
            task.join();
        } catch (TaskFailedException e) {
            assertMentions(e, "emulated0");
        }
    }
}

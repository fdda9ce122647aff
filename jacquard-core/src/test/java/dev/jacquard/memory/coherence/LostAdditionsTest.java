package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import org.junit.jupiter.api.Test;

/** Sums that a lost device alone had. */
class LostAdditionsTest {
    @Test
    void anAdditionIsNotDoneTwiceAndTheMessageSaysThatItAdds() {
        try (Session session = LostDevicesTest.session(
                LostDevicesTest.offer(0, FaultPlan.NONE.at(Kind.LOSS, 5)))) { // x and y in, y += x, w in, w += x
            TaskGraph graph = session.graph("lost", FailurePolicy.CONTINUE);
            Data x = session.data().vector("x", LostDevicesTest.filled(2));
            Data y = session.data().vector("y", LostDevicesTest.filled(0));
            Data w = session.data().vector("w", LostDevicesTest.filled(0));
            graph.task("add")
                    .reads(x)
                    .adds(y)
                    .on(ExecutionTarget.named("emulated0"))
                    .run(LostDevicesTest.AXPY, 1.0);
            graph.await();
            graph.task("w").reads(x).updates(w).run(LostDevicesTest.AXPY, 1.0);
            graph.await();
            graph.task("fetch y").reads(y).run(ctx -> {});
            TaskFailedException failed = assertThrows(TaskFailedException.class, graph::await);
            String message = String.valueOf(failed.getCause());
            assertTrue(message.contains("y[0 until 100], as task \"add\" wrote it, is nowhere any more"), message);
            assertTrue(message.contains("or it adds, or shares or gave up its output"), message);
        }
    }
}

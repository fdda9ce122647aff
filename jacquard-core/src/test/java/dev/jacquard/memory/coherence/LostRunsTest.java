package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import org.junit.jupiter.api.Test;

/** The results of compiled graphs whose device is lost. */
class LostRunsTest {
    /**
     * Two runs of ten updates, as in {@link LostDevicesTest}. The run whose device is lost ends at an update, and what
     * the updates before gave is there.
     */
    @Test
    void whatKernelsWroteIsRecomputed() {
        for (long lostAt = 3; lostAt <= 23; lostAt++) {
            double[] y = LostDevicesTest.filled(0);
            try (Session session =
                    LostDevicesTest.session(LostDevicesTest.offer(0, FaultPlan.NONE.at(Kind.LOSS, lostAt)))) {
                Data x = session.data().vector("x", LostDevicesTest.filled(2));
                Data dy = session.data().vector("y", y);
                CompiledGraph steps = session.record(graph -> {
                    for (int i = 0; i < 10; i++) {
                        graph.task("step " + i)
                                .reads(x)
                                .updates(dy)
                                .on(ExecutionTarget.named("emulated0"))
                                .run(LostDevicesTest.AXPY, (double) i);
                    }
                });
                int done = 0;
                try {
                    steps.run();
                    done = 10;
                    steps.run();
                    done = 20;
                    session.data().fetch(dy); // the 23rd operation, so only now lost
                } catch (TaskFailedException e) {
                    var report = steps.report(); // the device is told ahead, so it may be lost before it did all before
                    done += (int) (report.tasks() - report.failed() - report.cancelled());
                    assertTrue(done <= lostAt - 3, done + " done, lost at " + lostAt);
                    assertEquals(1, report.failed());
                    session.data().fetch(dy);
                }
                double expected = 0;
                for (int i = 0; i < done; i++) {
                    expected += 2 * (i % 10);
                }
                assertArrayEquals(LostDevicesTest.filled(expected), y, "lost at " + lostAt);
                assertEquals(1, session.data().faults().lost().size());
            }
        }
    }
}

package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Copies come from where it takes least. */
class MeasuredLinksTest {
    private static final Kernel LOOK =
            Kernel.named("look").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("look", launch -> {}));

    private static long copies(Session session, String from, String to) {
        return session.data().transfers().links().stream()
                .filter(link -> link.from().equals(from) && link.to().equals(to))
                .mapToLong(Transfers.Link::copies)
                .sum();
    }

    @Test
    void copiesComeFromWhereTheyAreSoonest() {
        for (boolean slowPeer : List.of(true, false)) {
            EmulatedOffer first = EmulatedDevice.offer("emulated0");
            try (Session session = Session.builder()
                    .workers(1)
                    .device(slowPeer ? first.link(1_000_000_000, 1_000) : first)
                    .device(EmulatedDevice.offer("emulated1"))
                    .open()) {
                Data x = session.data().vector("x", new double[1000]);
                session.graph()
                        .task("one")
                        .reads(x)
                        .on(ExecutionTarget.named("emulated0"))
                        .run(LOOK)
                        .join();
                session.graph()
                        .task("other")
                        .reads(x)
                        .on(ExecutionTarget.named("emulated1"))
                        .run(LOOK)
                        .join();
                assertEquals(slowPeer ? 0 : 1, copies(session, "emulated0", "emulated1"));
                assertEquals(slowPeer ? 1 : 0, copies(session, "host", "emulated1"));
            }
        }
    }
}

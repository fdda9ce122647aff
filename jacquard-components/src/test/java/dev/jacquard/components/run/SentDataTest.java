package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.codec.Codecs;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Data in messages between ranks that lies on a device when it is sent. */
@Timeout(120)
class SentDataTest {
    private static final Kernel COUNT = Kernel.named("count")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("count", launch -> {
                MemorySegment x = launch.memory(0);
                for (long i = 0; i < x.byteSize() / 8; i++) {
                    x.setAtIndex(ValueLayout.JAVA_DOUBLE, i, x.getAtIndex(ValueLayout.JAVA_DOUBLE, i) + 1);
                }
            }));

    private static Session session(EmulatedOffer device) {
        return Session.builder().workers(1).device(device).open();
    }

    /** Sends data that a device counts up, twice, while the sender does not wait for it. */
    @Test
    void whatADeviceHasWrittenIsSent() throws Exception {
        try (Session sender = session(EmulatedDevice.offer("emulated0"));
                Session receiver = Session.builder().workers(1).open()) {
            SentData received = new SentData(receiver);
            Data x = sender.data().vector("x", new double[] {1, 2, 3});
            for (int pass = 1; pass <= 2; pass++) {
                sender.graph().task("count").updates(x).run(COUNT);
                Data copy = Codecs.read(received, Codecs.write(new SentData(sender), x));
                double[] elements = new double[3];
                try (UserView view = receiver.data().open(copy, Mode.READ)) {
                    for (int i = 0; i < elements.length; i++) {
                        elements[i] = view.memory(copy).getDouble(i);
                    }
                }
                assertArrayEquals(new double[] {1 + pass, 2 + pass, 3 + pass}, elements);
            }
        }
    }

    /** The copy home loses the device, and with it the only replica. */
    @Test
    void dataOfALostDeviceIsNamed() throws Exception {
        try (Session sender = session(EmulatedDevice.offer("emulated0").faults(FaultPlan.NONE.at(Kind.LOSS, 3)))) {
            Data x = sender.data().vector("x", new double[] {1, 2, 3});
            sender.graph().task("count").updates(x).run(COUNT);
            IOException failure = assertThrows(IOException.class, () -> Codecs.write(new SentData(sender), x));
            String message = String.valueOf(failure.getMessage());
            assertTrue(
                    message.startsWith("data \"x\" cannot be sent: ")
                            && message.contains("is lost: the memory that had it failed"),
                    message);
        }
    }
}

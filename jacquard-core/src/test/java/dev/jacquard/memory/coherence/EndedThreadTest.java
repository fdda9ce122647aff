package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.testing.ForwardingDevice;
import dev.jacquard.memory.testing.ForwardingOffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread of the coherence that ends by an error: no wait for its work lasts for ever. */
@Timeout(180)
class EndedThreadTest {
    private static final Kernel FAILS = Kernel.named("fails")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("fails", any -> {
                throw new IllegalStateException("fails always");
            }));

    /** A device with an error in place of each stream behind the first ones. */
    private static final class Erring extends ForwardingDevice {
        private static final int STREAMS = 3;
        private int made;

        Erring(Device device) {
            super(device);
        }

        @Override
        public DeviceStream stream(String name) {
            if (made++ == STREAMS) {
                throw new LinkageError("the driver is gone");
            }
            return super.stream(name);
        }
    }

    @Test
    void endsTheRun() {
        Session session = Session.builder()
                .workers(1)
                .device(new ForwardingOffer(EmulatedDevice.offer("emulated0"), Erring::new))
                .open();
        Data x = session.data().vector("x", new double[4]);
        session.graph().task("t").updates(x).on(ExecutionTarget.EMULATED).run(FAILS);
        Throwable told = assertThrows(Throwable.class, session.graph()::await);
        assertTrue(isBehind(told), told::toString);
        assertThrows(Throwable.class, session::close);
    }

    private static boolean isBehind(Throwable told) {
        return told instanceof LinkageError || (told.getCause() != null && isBehind(told.getCause()));
    }
}

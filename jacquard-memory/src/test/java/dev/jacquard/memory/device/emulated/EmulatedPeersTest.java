package dev.jacquard.memory.device.emulated;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.LaunchShape;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several devices of this kind. */
class EmulatedPeersTest {
    private static EmulatedOffer offer(int number) {
        return EmulatedDevice.offer("emulated" + number).memory(1 << 20);
    }

    @Test
    void devicesCopyToAndFromEachOther() {
        try (Rig a = new Rig(offer(0));
                Rig b = new Rig(offer(1))) {
            assertTrue(a.device.reaches(b.device) && b.device.reaches(a.device));
            a.fill(42);
            a.in();
            a.stream.copy(a.buffer, b.buffer, Rig.ALL);
            a.finish();
            b.increment();
            b.out();
            b.finish();
            assertEquals(43, b.value());
            a.stream.copy(b.buffer, a.buffer, Rig.ALL);
            a.increment();
            a.out();
            a.finish();
            assertEquals(44, a.value());
        }
    }

    @Test
    void whatDoesNotReachTheOtherRefuses() {
        try (Rig a = new Rig(offer(0).withoutPeers());
                Rig b = new Rig(offer(1))) {
            assertFalse(a.device.reaches(b.device) || b.device.reaches(a.device));
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> a.stream.copy(a.buffer, b.buffer, Rig.ALL)),
                    "emulated0",
                    "emulated1",
                    "host");
        }
    }

    @Test
    void whatIsOfAnotherDeviceIsRefused() {
        try (Rig a = new Rig(offer(0));
                Rig b = new Rig(offer(1))) {
            assertRefused(() -> a.stream.copyIn(a.host(), b.buffer, Rig.ALL));
            assertRefused(() -> a.stream.copyOut(b.buffer, a.host(), Rig.ALL));
            assertRefused(() -> a.stream.copy(b.buffer, b.buffer, Rig.ALL));
            assertRefused(() -> a.stream.run("nothing", launch -> {}, List.of(b.buffer)));
            assertRefused(
                    () -> a.stream.launch(b.device.kernel("nothing", launch -> {}), LaunchShape.of(1), List.of()));
            assertThrows(IllegalArgumentException.class, () -> a.stream.await(b.stream.record()));
            a.finish();
            b.finish();
        }
    }

    private static void assertRefused(Runnable call) {
        assertMentions(assertThrows(IllegalArgumentException.class, call::run), "emulated0", "emulated1");
    }

    @Test
    void aPeerThatIsLostFailsTheCopyButNotTheDevice() {
        try (Rig a = new Rig(offer(0));
                Rig b = new Rig(offer(1))) {
            b.device.lose();
            a.stream.copy(b.buffer, a.buffer, Rig.ALL);
            assertMentions(assertThrows(RuntimeException.class, a::finish), "emulated1 is lost");
            try (EmulatedStream other = a.device.stream("other")) {
                other.run("ask", launch -> b.device.allocate(1), List.of());
                DeviceEvent end = other.record();
                assertMentions(assertThrows(DeviceException.class, end::await), "emulated1 is lost");
                other.record().close(); // and takes what it is told
            }
            a.device.allocate(1).close();
        }
    }
}

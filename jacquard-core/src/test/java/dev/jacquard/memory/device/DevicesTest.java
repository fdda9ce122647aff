package dev.jacquard.memory.device;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Devices by name. */
class DevicesTest {
    private static final DeviceOffer ONE = EmulatedDevice.offer("emulated0");
    private static final DeviceOffer OTHER = EmulatedDevice.offer("emulated1");
    private static final DeviceProvider.Discovery FOUND =
            new DeviceProvider.Discovery(List.of(ONE, OTHER), List.of("cuda: no libcuda.so.1", "opencl: no platform"));

    @Test
    void devicesAreFoundByNameByKindAndAll() {
        assertEquals(List.of(OTHER), Devices.named(List.of("emulated1"), FOUND));
        assertEquals(List.of(OTHER, ONE), Devices.named(List.of("emulated1", "emulated0", "emulated1"), FOUND));
        assertEquals(List.of(ONE, OTHER), Devices.named(List.of("emulated"), FOUND));
        assertEquals(List.of(ONE, OTHER), Devices.named(List.of("all"), FOUND));
        assertEquals(List.of(), Devices.named(List.of("all"), DeviceProvider.Discovery.none("nothing here")));
    }

    @Test
    void anUnknownDeviceIsRefusedWithThoseThereAre() {
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> Devices.named(List.of("cuda0"), FOUND)),
                "no device \"cuda0\"",
                "emulated0 (emulated device, 1024 MiB), emulated1",
                "absent: cuda: no libcuda.so.1",
                "absent: opencl: no platform",
                "\"all\"");
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Devices.named(List.of("cuda0"), DeviceProvider.Discovery.none("nothing here"))),
                "this machine has none",
                "absent: nothing here");
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class, () -> Session.builder().devices("emulated0", "warp9")),
                "no device \"warp9\"");
    }

    @Test
    void emulatedDevicesAreOpenedByName() {
        try (Session session = Session.builder()
                .workers(1)
                .device("emulated0")
                .devices("emulated1", "emulated2")
                .open()) {
            assertEquals(4, session.data().transfers().spaces().size(), "host and three devices");
            assertNotNull(session.executor().place(ExecutionTarget.named("emulated2")));
        }
    }

    @Test
    void replicasCannotTakeMoreThanADeviceHas() {
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class, () -> Session.builder().device(ONE, Long.MAX_VALUE)),
                "device emulated0 has 1073741824 bytes",
                "cannot take 9223372036854775807");
    }
}

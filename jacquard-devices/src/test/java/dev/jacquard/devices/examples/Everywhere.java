package dev.jacquard.devices.examples;

import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.Devices;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Runs an example, unchanged, with all that this machine has: on the host, on two emulated devices, on each other
 * device, and on all at once.
 */
final class Everywhere {
    private Everywhere() {}

    static Stream<DynamicTest> run(Consumer<Session> program) {
        List<DeviceOffer> emulated = List.of(EmulatedDevice.offer("emulated0"), EmulatedDevice.offer("emulated1"));
        List<DeviceOffer> found = Devices.discover().offers();
        List<DeviceOffer> all = new ArrayList<>(found);
        all.addAll(emulated);
        List<List<DeviceOffer>> mixtures = new ArrayList<>(List.of(List.of(), emulated, all));
        found.forEach(offer -> mixtures.add(List.of(offer)));
        return mixtures.stream()
                .distinct()
                .map(devices -> DynamicTest.dynamicTest(
                        "on "
                                + (devices.isEmpty()
                                        ? "the host"
                                        : devices.stream()
                                                .map(DeviceOffer::name)
                                                .toList()),
                        () -> run(devices, program)));
    }

    private static void run(List<DeviceOffer> devices, Consumer<Session> program) {
        SessionBuilder builder = Session.builder().workers(2);
        devices.forEach(builder::device);
        try (Session session = builder.open()) {
            program.accept(session);
        }
    }
}

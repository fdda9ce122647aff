package dev.jacquard.devices.mixtures;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.core.testing.loop.DeviceLoop;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceProvider;
import dev.jacquard.memory.device.Devices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Nothing grows with the number of tasks that ran on the devices of this machine. {@code scripts/check-leaks} shows it
 * for a million.
 */
class DeviceLoopTest {
    @Test
    void tasksOnDevicesLeaveNothingBehind() throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/proc/self/fd")), "only Linux tells memory and files of a process there");
        DeviceProvider.Discovery found = Devices.discover();
        assumeTrue(!found.offers().isEmpty(), () -> "no devices: " + found.absences());
        for (DeviceOffer offer : found.offers()) {
            String output = DeviceLoop.run("--tasks", "40000", "--device", offer.name());
            assertTrue(output.contains("(" + offer.name() + ")"), output);
        }
    }
}

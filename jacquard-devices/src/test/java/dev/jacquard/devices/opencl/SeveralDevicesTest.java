package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceProvider.Discovery;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.LaunchShape;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Discovery with other drivers' settings than this process has: in processes of their own, since drivers read them
 * once.
 */
class SeveralDevicesTest {
    @Test
    void severalDevicesOfAPlatformReachEachOther() throws IOException, InterruptedException {
        Discovery here = new OpenClProvider().discover();
        assumeFalse(here.offers().isEmpty(), () -> String.join("; ", here.absences()));
        assumeTrue(
                here.offers().stream()
                        .allMatch(offer -> String.valueOf(
                                        offer.properties().more().get("platform"))
                                .contains("Portable Computing Language")),
                "only PoCL makes devices on demand");
        String output = run("POCL_DEVICES", "pthread basic");
        assertTrue(output.startsWith("opencl0 opencl1 "), output);
        assertTrue(output.contains("17 over"), output);
    }

    @Test
    void aMachineWithoutDriversSaysWhatWouldHelp() throws IOException, InterruptedException {
        Discovery here = new OpenClProvider().discover();
        assumeFalse(here.offers().isEmpty(), () -> String.join("; ", here.absences()));
        assertEquals(
                "[OpenCL: the loader knows no platform; install a vendor's driver, or one for processors; on Debian:"
                        + " apt-get install pocl-opencl-icd]",
                run("OCL_ICD_VENDORS", "/nowhere/").strip());
    }

    private static String run(String variable, String value) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Look.class.getName())
                .redirectErrorStream(true);
        builder.environment().put(variable, value);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    /** Prints what there is; with two devices also what one of them reads of the other's memory. */
    static final class Look {
        private Look() {}

        public static void main(String[] arguments) {
            Discovery found = new OpenClProvider().discover();
            if (found.offers().size() < 2) {
                System.out.println(found.absences());
                return;
            }
            for (DeviceOffer offer : found.offers()) {
                System.out.print(offer.name() + " ");
            }
            try (Device left = found.offers().get(0).open();
                    Device right = found.offers().get(1).open()) {
                System.out.println(exchange(left, right) + (left.reaches(right) ? " over" : " not reached"));
            }
        }

        private static int exchange(Device left, Device right) {
            try (Arena arena = Arena.ofConfined();
                    DeviceBuffer a = left.allocate(4);
                    DeviceBuffer b = right.allocate(4);
                    DeviceStream leftStream = left.stream("left");
                    DeviceStream rightStream = right.stream("right")) {
                MemorySegment host = arena.allocate(JAVA_INT);
                host.set(JAVA_INT, 0, 17);
                leftStream.copyIn(host, a, CopyShape.run(0, 0, 4));
                leftStream.launch(left.compile(OpenClFixture.kernel("nothing")), LaunchShape.of(1), List.of());
                try (DeviceEvent written = leftStream.record()) {
                    rightStream.await(written);
                    rightStream.copy(a, b, CopyShape.run(0, 0, 4));
                    rightStream.launch(right.compile(OpenClFixture.kernel("nothing")), LaunchShape.of(1), List.of());
                    written.await();
                    host.set(JAVA_INT, 0, 0);
                    rightStream.copyOut(b, host, CopyShape.run(0, 0, 4));
                    try (DeviceEvent read = rightStream.record()) {
                        read.await();
                    }
                }
                return host.get(JAVA_INT, 0);
            }
        }
    }
}

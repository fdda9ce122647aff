package dev.jacquard.memory.device.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.device.DeviceOffer.LinkSpeed;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How fast links are, and how that is known. */
class LinkTest {
    private static final LinkSpeed SLOW = new LinkSpeed(100_000_000, 1_000_000);

    @Test
    void whatWasMeasuredIsKept(@TempDir Path folder) throws IOException {
        LinkFile file = new LinkFile(folder.resolve("a/b/links.tsv"));
        assertEquals(List.of(), file.read());
        List<LinkTable.Measured> links = List.of(
                new LinkTable.Measured("host", "opencl0", "some model", SLOW),
                new LinkTable.Measured("opencl0", "host", "some model", new LinkSpeed(7, 8)));
        file.write(links);
        assertEquals(links, file.read());
        file.write(links.subList(0, 1));
        assertEquals(links.subList(0, 1), file.read());
    }

    @Test
    void aFileThatIsNotReadableCountsAsNotMeasured(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("links.tsv");
        Files.writeString(path, "host\topencl0\tmodel\tfast\t1\n");
        assertEquals(List.of(), new LinkFile(path).read());
    }

    @Test
    void anotherDeviceUnderTheSameNameIsNotMeasured() {
        EmulatedOffer offer = EmulatedDevice.offer("emulated0").link(SLOW.bytesPerSecond(), SLOW.latencyNanos());
        LinkSpeed measured = new LinkSpeed(5, 5);
        LinkTable table = LinkTable.of(
                List.of(offer, EmulatedDevice.offer("emulated1")),
                List.of(
                        new LinkTable.Measured("emulated0", "emulated1", "another", measured),
                        new LinkTable.Measured(
                                "emulated1", "emulated0", "emulated device to emulated device", measured)));
        assertEquals(Optional.of(SLOW), table.known("host", "emulated0"), "the device knows itself");
        assertEquals(Optional.of(SLOW), table.known("emulated0", "emulated1"), "the slower of the two");
        assertEquals(Optional.of(measured), table.known("emulated1", "emulated0"));
        assertEquals(Optional.empty(), table.known("host", "disk"));
        assertTrue(table.speed("host", "disk").nanos(1 << 20)
                > table.speed("host", "opencl0").nanos(1 << 20));
    }
}

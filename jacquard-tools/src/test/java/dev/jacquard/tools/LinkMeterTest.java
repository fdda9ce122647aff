package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.memory.device.DeviceOffer.LinkSpeed;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.memory.device.link.LinkTable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Measurements of links, on emulated ones of known speed. */
class LinkMeterTest {
    private static final LinkSpeed SLOW = new LinkSpeed(100_000_000, 1_000_000);

    @Test
    void measurementsFindWhatAnEmulatedLinkIsSetTo() {
        List<EmulatedOffer> offers = List.of(
                EmulatedDevice.offer("emulated0").memory(8 << 20).link(SLOW.bytesPerSecond(), SLOW.latencyNanos()),
                EmulatedDevice.offer("emulated1").memory(8 << 20));
        List<LinkTable.Measured> links = new LinkMeter(Clock.system()).measure(offers);
        assertEquals(
                List.of(
                        "host emulated0",
                        "emulated0 host",
                        "emulated1 emulated0",
                        "host emulated1",
                        "emulated1 host",
                        "emulated0 emulated1"),
                links.stream().map(link -> link.from() + ' ' + link.to()).toList());
        for (LinkTable.Measured link : links) {
            if (link.from().equals("emulated0") || link.to().equals("emulated0")) {
                // Never faster than the link; others may use the machine.
                assertTrue(link.speed().nanos(1 << 20) >= 0.9 * SLOW.nanos(1 << 20), link::toString);
            }
        }
    }
}

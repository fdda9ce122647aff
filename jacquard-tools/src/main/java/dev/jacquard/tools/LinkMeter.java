package dev.jacquard.tools;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceOffer.LinkSpeed;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.link.LinkTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures links by copies from and to page-locked memory: small ones for the latency, large ones for the bandwidth;
 * medians, since others use the machine too.
 *
 * <p>Confined to one thread.
 */
final class LinkMeter {
    private static final long SMALL = 4096;
    private static final long LARGE = 16 << 20;
    private static final int SMALL_COPIES = 51;
    private static final int LARGE_COPIES = 9;

    private final Clock clock;

    LinkMeter(Clock clock) {
        this.clock = clock;
    }

    /**
     * Measures the links between the host and each device, and between devices that reach each other. Takes some tenths
     * of a second per link.
     *
     * @throws dev.jacquard.memory.device.DeviceException when a device refuses
     */
    List<LinkTable.Measured> measure(List<? extends DeviceOffer> offers) {
        List<LinkTable.Measured> links = new ArrayList<>();
        List<Device> devices = new ArrayList<>();
        try {
            for (DeviceOffer offer : offers) {
                devices.add(offer.open());
            }
            for (Device device : devices) {
                links.addAll(withHost(device, offers));
                for (Device other : devices) {
                    if (other != device && device.reaches(other)) {
                        links.add(between(other, device, offers));
                    }
                }
            }
        } finally {
            devices.forEach(Device::close);
        }
        return links;
    }

    private List<LinkTable.Measured> withHost(Device device, List<? extends DeviceOffer> offers) {
        long large = Math.min(LARGE, device.properties().largestBuffer() / 4);
        try (DeviceStream stream = device.stream("links");
                Device.PinnedMemory host = device.allocatePinned(large);
                DeviceBuffer buffer = device.allocate(large)) {
            LinkSpeed in =
                    speed(stream, large, bytes -> stream.copyIn(host.segment(), buffer, CopyShape.run(0, 0, bytes)));
            LinkSpeed out =
                    speed(stream, large, bytes -> stream.copyOut(buffer, host.segment(), CopyShape.run(0, 0, bytes)));
            return List.of(
                    link(LinkTable.HOST, device.name(), offers, in), link(device.name(), LinkTable.HOST, offers, out));
        }
    }

    private LinkTable.Measured between(Device from, Device to, List<? extends DeviceOffer> offers) {
        long large = Math.min(
                LARGE,
                Math.min(from.properties().largestBuffer(), to.properties().largestBuffer()) / 4);
        try (DeviceStream stream = to.stream("links");
                DeviceBuffer source = from.allocate(large);
                DeviceBuffer target = to.allocate(large)) {
            return link(
                    from.name(),
                    to.name(),
                    offers,
                    speed(stream, large, bytes -> stream.copy(source, target, CopyShape.run(0, 0, bytes))));
        }
    }

    private static LinkTable.Measured link(
            String from, String to, List<? extends DeviceOffer> offers, LinkSpeed speed) {
        return new LinkTable.Measured(from, to, LinkTable.model(from, to, offers), speed);
    }

    private interface Copying {
        void tell(long bytes);
    }

    private LinkSpeed speed(DeviceStream stream, long large, Copying copying) {
        long small = Math.min(SMALL, large);
        median(stream, copying, large, 2); // the cost of the first use alone
        long latency = median(stream, copying, small, SMALL_COPIES);
        long whole = median(stream, copying, large, LARGE_COPIES);
        double bytesPerSecond = large * 1e9 / Math.max(1, whole - latency);
        return new LinkSpeed(Math.max(1, (long) bytesPerSecond), latency);
    }

    private long median(DeviceStream stream, Copying copying, long bytes, int times) {
        long[] nanos = new long[times];
        for (int i = 0; i < times; i++) {
            long begin = clock.nanoTime();
            copying.tell(bytes);
            try (DeviceEvent over = stream.record()) {
                over.await();
            }
            nanos[i] = clock.nanoTime() - begin;
        }
        Arrays.sort(nanos);
        return nanos[times / 2];
    }
}

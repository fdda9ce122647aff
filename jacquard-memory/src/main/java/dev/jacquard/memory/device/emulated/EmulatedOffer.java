package dev.jacquard.memory.device.emulated;

import dev.jacquard.base.machine.Target;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceOffer.HostLink;
import dev.jacquard.memory.device.DeviceOffer.LinkSpeed;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An emulated device that could be used, and what it is to be like. Each call of {@link #open} makes another one.
 *
 * @param name the caller keeps it unique in the process
 * @param memoryBytes its limit; at least 1
 * @param link what lies between it and the host
 * @param computeFactor how many times as long as on this host a launch takes; at least 1
 * @param peers whether other emulated devices reach it, and it them, without the host
 * @param faults what goes wrong
 */
public record EmulatedOffer(
        String name, long memoryBytes, Link link, double computeFactor, boolean peers, EmulatedFaults faults)
        implements DeviceOffer {
    public EmulatedOffer {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an emulated device needs a name, not \"" + name + '"');
        }
        if (memoryBytes < 1) {
            throw new IllegalArgumentException(name + " needs at least 1 byte of memory, not " + memoryBytes);
        }
        if (!(computeFactor >= 1 && computeFactor < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    name + " takes at least 1 times as long as the host, not " + computeFactor + " times");
        }
    }

    /** The same with so much memory, in bytes. */
    public EmulatedOffer memory(long bytes) {
        return new EmulatedOffer(name, bytes, link, computeFactor, peers, faults);
    }

    /** The same with another link. */
    public EmulatedOffer link(Link other) {
        return new EmulatedOffer(name, memoryBytes, other, computeFactor, peers, faults);
    }

    /** The same with this bandwidth each way, and this latency. */
    public EmulatedOffer link(long bytesPerSecond, long latencyNanos) {
        return link(new Link(bytesPerSecond, bytesPerSecond, latencyNanos));
    }

    /** The same, with launches that take {@code factor} times as long as on this host; at least 1. */
    public EmulatedOffer slower(double factor) {
        return new EmulatedOffer(name, memoryBytes, link, factor, peers, faults);
    }

    /** The same, but what goes to other devices goes through the host. */
    public EmulatedOffer withoutPeers() {
        return new EmulatedOffer(name, memoryBytes, link, computeFactor, false, faults);
    }

    /** The same with these faults. */
    public EmulatedOffer faults(EmulatedFaults other) {
        return new EmulatedOffer(name, memoryBytes, link, computeFactor, peers, other);
    }

    @Override
    public Target target() {
        return Target.EMULATED;
    }

    @Override
    public Optional<HostLink> hostLink() {
        return Optional.of(new HostLink(
                new LinkSpeed(link.inBytesPerSecond(), link.latencyNanos()),
                new LinkSpeed(link.outBytesPerSecond(), link.latencyNanos())));
    }

    @Override
    public Device.Properties properties() {
        Map<String, String> more = new LinkedHashMap<>();
        more.put("link_in_bytes_per_second", Long.toString(link.inBytesPerSecond()));
        more.put("link_out_bytes_per_second", Long.toString(link.outBytesPerSecond()));
        more.put("link_latency_ns", Long.toString(link.latencyNanos()));
        more.put("compute_factor", Double.toString(computeFactor));
        return new Device.Properties("emulated device", memoryBytes, memoryBytes, 1, more);
    }

    @Override
    public EmulatedDevice open() {
        return new EmulatedDevice(this);
    }

    /**
     * The link between the host and an emulated device. Each direction has its bandwidth for itself; copies that go the
     * same way share it, one behind the other.
     *
     * @param inBytesPerSecond to the device; at least 1, {@link Long#MAX_VALUE} for no limit
     * @param outBytesPerSecond from the device; at least 1, {@link Long#MAX_VALUE} for no limit
     * @param latencyNanos how much longer each copy takes than its bytes do; at least 0
     */
    public record Link(long inBytesPerSecond, long outBytesPerSecond, long latencyNanos) {
        /** As fast as the host copies. */
        public static final Link UNLIMITED = new Link(Long.MAX_VALUE, Long.MAX_VALUE, 0);

        public Link {
            if (inBytesPerSecond < 1 || outBytesPerSecond < 1) {
                throw new IllegalArgumentException("a link carries at least 1 byte per second, not " + inBytesPerSecond
                        + " in and " + outBytesPerSecond + " out");
            }
            if (latencyNanos < 0) {
                throw new IllegalArgumentException("a link's latency cannot be negative: " + latencyNanos + " ns");
            }
        }
    }
}

package dev.jacquard.memory.device.link;

import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceOffer.HostLink;
import dev.jacquard.memory.device.DeviceOffer.LinkSpeed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The speeds of copies between memories: the known ones, and assumptions for the others. Immutable. */
public final class LinkTable {
    /** The name of host memory. */
    public static final String HOST = "host";
    /** The name of memory on disk; further disks have a number, from 1 on, after it. */
    public static final String DISK = "disk";

    /** About the speed of four lanes of a bus of today. */
    private static final LinkSpeed DEVICE = new LinkSpeed(8_000_000_000L, 10_000);
    /** Devices that reach each other do so no slower than through the host. */
    private static final LinkSpeed PEER = new LinkSpeed(16_000_000_000L, 10_000);

    private static final LinkSpeed FILE = new LinkSpeed(1_000_000_000L, 100_000);
    private static final LinkSpeed MEMORY = new LinkSpeed(8_000_000_000L, 100);
    private static final LinkSpeed WITHIN_DEVICE = new LinkSpeed(100_000_000_000L, 5_000);

    private final Map<Ends, LinkSpeed> known;

    private record Ends(String from, String to) {}

    private LinkTable(Map<Ends, LinkSpeed> known) {
        this.known = Map.copyOf(known);
    }

    /** Nothing is known. */
    public static LinkTable empty() {
        return new LinkTable(Map.of());
    }

    /** Returns the links that devices know themselves, and the measurements of the others. */
    public static LinkTable of(List<? extends DeviceOffer> devices, List<Measured> measured) {
        Map<Ends, LinkSpeed> known = new HashMap<>();
        for (DeviceOffer one : devices) {
            for (DeviceOffer other : devices) {
                Optional<HostLink> from = one.hostLink();
                Optional<HostLink> to = other.hostLink();
                if (one != other && from.isPresent() && to.isPresent()) {
                    known.put(
                            new Ends(one.name(), other.name()),
                            from.get().out().along(to.get().in()));
                }
            }
        }
        for (Measured link : measured) {
            if (link.model().equals(model(link.from(), link.to(), devices))) {
                known.put(new Ends(link.from(), link.to()), link.speed());
            }
        }
        for (DeviceOffer device : devices) {
            device.hostLink().ifPresent(link -> {
                known.put(new Ends(HOST, device.name()), link.in());
                known.put(new Ends(device.name(), HOST), link.out());
            });
        }
        return new LinkTable(known);
    }

    /** Returns the models that a measurement of a link notes for its ends; empty when there is no such device. */
    public static String model(String from, String to, List<? extends DeviceOffer> devices) {
        String one = model(from, devices);
        String other = model(to, devices);
        return one.isEmpty() || other.isEmpty() ? one + other : one + " to " + other;
    }

    private static String model(String name, List<? extends DeviceOffer> devices) {
        return devices.stream()
                .filter(device -> device.name().equals(name))
                .map(device -> device.properties().model())
                .findFirst()
                .orElse("");
    }

    /** Returns the speed of a link, by the names of its ends, where it is known. */
    public Optional<LinkSpeed> known(String from, String to) {
        return Optional.ofNullable(known.get(new Ends(from, to)));
    }

    /** Returns the speed of a link, known or assumed. */
    public LinkSpeed speed(String from, String to) {
        LinkSpeed speed = known.get(new Ends(from, to));
        if (speed != null) {
            return speed;
        }
        if (from.equals(to)) {
            return from.equals(HOST) ? MEMORY : WITHIN_DEVICE;
        }
        if (from.startsWith(DISK) || to.startsWith(DISK)) {
            return FILE;
        }
        return from.equals(HOST) || to.equals(HOST) ? DEVICE : PEER;
    }

    /**
     * A measurement of a link.
     *
     * @param from {@code host} or a device's name
     * @param to the same for the other end
     * @param model the models of the devices: today another device may have the same name
     * @param speed how fast
     */
    public record Measured(String from, String to, String model, LinkSpeed speed) {}
}

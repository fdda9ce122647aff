package dev.jacquard.tools;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceOffer.LinkSpeed;
import dev.jacquard.memory.device.link.LinkFile;
import dev.jacquard.memory.device.link.LinkTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The links between the memories of this machine, as they were measured, or not. */
final class MachineLinks {
    private MachineLinks() {}

    /**
     * Measures the links of {@code devices}, and keeps the results.
     *
     * @param lost called with the reason if they cannot be kept
     */
    static List<LinkTable.Measured> measure(List<DeviceOffer> devices, LinkFile file, Consumer<String> lost) {
        List<LinkTable.Measured> links = new LinkMeter(Clock.system()).measure(devices);
        try {
            file.write(links);
        } catch (IOException e) {
            lost.accept("the measured links are not kept for programs, since " + file.path() + " cannot be written: "
                    + e + "; XDG_CACHE_HOME names another folder");
        }
        return links;
    }

    /** Every link between the host and a device, and the links between devices that were measured. */
    static List<Map<String, Object>> describe(List<DeviceOffer> devices, List<LinkTable.Measured> measured) {
        LinkTable table = LinkTable.of(devices, measured);
        List<Map<String, Object>> links = new ArrayList<>();
        for (DeviceOffer device : devices) {
            links.add(describe(LinkTable.HOST, device.name(), table));
            links.add(describe(device.name(), LinkTable.HOST, table));
            for (DeviceOffer other : devices) {
                if (table.known(device.name(), other.name()).isPresent()) {
                    links.add(describe(device.name(), other.name(), table));
                }
            }
        }
        return links;
    }

    private static Map<String, Object> describe(String from, String to, LinkTable table) {
        Map<String, Object> link = new LinkedHashMap<>();
        link.put("from", from);
        link.put("to", to);
        Optional<LinkSpeed> speed = table.known(from, to);
        link.put("measured", speed.isPresent());
        speed.ifPresent(known -> {
            link.put("bytesPerSecond", known.bytesPerSecond());
            link.put("latencyNanos", known.latencyNanos());
        });
        return link;
    }

    /** A link on a line. */
    static String text(Map<?, ?> link) {
        String ends = link.get("from") + " to " + link.get("to") + ": ";
        return link.get("bytesPerSecond") instanceof Long bandwidth && link.get("latencyNanos") instanceof Long latency
                ? ends + String.format(Locale.ROOT, "%.2f GB/s, %.1f µs", bandwidth / 1e9, latency / 1e3)
                : ends + "not measured; ./jacquard machine --measure does";
    }
}

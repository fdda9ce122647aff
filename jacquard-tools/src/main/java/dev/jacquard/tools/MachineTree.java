package dev.jacquard.tools;

import dev.jacquard.base.machine.Machine;
import dev.jacquard.base.machine.MachineDetails.Link;
import dev.jacquard.base.machine.MachineObject;
import dev.jacquard.base.machine.MachineObject.Info;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Pages;
import dev.jacquard.base.machine.MachineObject.Property;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** The tree of a machine for readers and for programs. */
final class MachineTree {
    private static final Map<String, Property<Long>> COUNTS = counts();

    private MachineTree() {}

    private static Map<String, Property<Long>> counts() {
        Map<String, Property<Long>> counts = new LinkedHashMap<>();
        counts.put("pu", Property.NB_PU);
        counts.put("core", Property.NB_CORE);
        counts.put("package", Property.NB_PACKAGE);
        counts.put("numa", Property.NB_NUMA);
        counts.put("gpu", Property.NB_GPU);
        return counts;
    }

    /** Returns the origin of the description, and how many objects of the main kinds there are. */
    static Map<String, Object> counts(Machine machine) {
        Map<String, Object> counts = new LinkedHashMap<>();
        counts.put("source", machine.details().source());
        COUNTS.forEach(
                (name, property) -> counts.put(name, machine.get(property).orElse(0L)));
        return counts;
    }

    static List<Map<String, Object>> links(Machine machine) {
        List<Map<String, Object>> links = new ArrayList<>();
        for (Link link : machine.links()) {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("from", link.from());
            values.put("to", link.to());
            values.put("measured", true);
            values.put("bytesPerSecond", link.bytesPerSecond());
            values.put("latencyNanos", link.latencyNanos());
            links.add(values);
        }
        return links;
    }

    /** Returns an object and all below it, as a report has them. */
    static Map<String, Object> values(MachineObject object) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("type", object.kind().toString());
        object.osIndex().ifPresent(index -> values.put("index", index));
        if (!object.name().isEmpty()) {
            values.put("name", object.name());
        }
        if (!object.subtype().isEmpty()) {
            values.put("subtype", object.subtype());
        }
        if (object.sets().cpus() != null) {
            values.put("cpus", object.cpus().toString());
        }
        if (object.sets().nodes() != null) {
            values.put("nodes", object.nodes().toString());
        }
        if (!object.deviceKinds().isEmpty()) {
            values.put(
                    "kinds",
                    object.deviceKinds().stream()
                            .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                            .toList());
        }
        Map<String, Object> properties = new LinkedHashMap<>();
        object.properties()
                .forEach((name, value) -> properties.put(name, value instanceof Pages its ? texts(its) : value));
        if (!properties.isEmpty()) {
            values.put("properties", properties);
        }
        if (!object.infos().isEmpty()) {
            values.put("infos", object.infos().stream().map(MachineTree::text).toList());
        }
        if (!object.children().isEmpty()) {
            values.put(
                    "children",
                    object.children().stream().map(MachineTree::values).toList());
        }
        return values;
    }

    private static Map<String, Object> texts(Pages pages) {
        Map<String, Object> counts = new LinkedHashMap<>();
        pages.counts().forEach((size, count) -> counts.put(size.toString(), count));
        return counts;
    }

    private static String text(Info info) {
        return info.name() + "=" + info.value();
    }

    /** Returns a line for each object, indented by its depth. */
    static List<String> lines(Machine machine) {
        List<String> lines = new ArrayList<>();
        add(machine.root(), "", lines);
        return lines;
    }

    private static void add(MachineObject object, String indent, List<String> lines) {
        lines.add(indent + label(object));
        object.children().forEach(child -> add(child, indent + "  ", lines));
    }

    /** Returns the name of an object with its most important property. */
    static String label(MachineObject object) {
        StringJoiner more = new StringJoiner(", ", " (", ")").setEmptyValue("");
        object.get(Property.CACHE_SIZE).filter(size -> size > 0).ifPresent(size -> more.add(bytes(size)));
        object.get(Property.LOCAL_MEMORY).filter(size -> size > 0).ifPresent(size -> more.add(bytes(size)));
        object.get(Property.MODEL).ifPresent(more::add);
        object.get(Property.MEMORY_SIZE).ifPresent(size -> more.add(bytes(size)));
        if (object.kind() == Kind.PCI_DEVICE) {
            object.get(Property.PCI_BUS_ID).ifPresent(more::add);
        }
        return object + more.toString();
    }

    private static String bytes(long size) {
        int unit = size < 1 << 20 ? 10 : size < 1 << 30 ? 20 : 30;
        String digits = String.format(Locale.ROOT, "%.1f", (double) size / (1L << unit));
        return digits.replace(".0", "") + (unit == 10 ? " KiB" : unit == 20 ? " MiB" : " GiB");
    }
}

package dev.jacquard.libraries.hwloc;

import dev.jacquard.base.machine.IndexSet;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.base.machine.MachineDetails;
import dev.jacquard.base.machine.MachineDetails.CpuKind;
import dev.jacquard.base.machine.MachineDetails.Distances;
import dev.jacquard.base.machine.MachineDetails.MemoryAttribute;
import dev.jacquard.base.machine.MachineDetails.MemoryTier;
import dev.jacquard.base.machine.MachineDetails.PciLocality;
import dev.jacquard.base.machine.MachineObject;
import dev.jacquard.base.machine.MachineObject.DeviceKind;
import dev.jacquard.base.machine.MachineObject.Info;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Property;
import dev.jacquard.base.machine.MachineObject.Sets;
import dev.jacquard.libraries.hwloc.HwlocFile.Version;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a machine as XML in the format of hwloc, in the order of its DTD. Confined to one thread, for one file. */
final class HwlocWriter {
    private static final int NUMBERS_OF_A_LINE = 10;
    /** Kinds of distances whose objects the operating system numbers. */
    private static final Set<Kind> NUMBERED = Set.of(Kind.PU, Kind.NUMA_NODE);

    private final StringWriter out;
    private final Version version;
    private final Machine machine;
    private final MachineDetails details;
    private int level;

    HwlocWriter(StringWriter out, Version version, Machine machine) {
        this.out = out;
        this.version = version;
        this.machine = machine;
        details = machine.details();
    }

    void write() {
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n");
        open(new Element("topology").with("version", version.text), true);
        write(machine.root());
        details.distances().forEach(this::write);
        details.memoryAttributes().forEach(this::write);
        details.cpuKinds().forEach(this::write);
        if (version == Version.V3) {
            topologyInfos().forEach(this::write);
            details.memoryTiers().forEach(this::write);
            details.pciLocalities().forEach(this::write);
        }
        close("topology");
    }

    /** The start of an element. */
    private static final class Element {
        final String name;
        final StringBuilder text;

        Element(String name) {
            this.name = name;
            text = new StringBuilder("<").append(name);
        }

        Element with(String attribute, Object value) {
            text.append(' ')
                    .append(attribute)
                    .append("=\"")
                    .append(escaped(value.toString()))
                    .append('"');
            return this;
        }

        Element withText(String attribute, String value) {
            return value.isEmpty() ? this : with(attribute, value);
        }

        Element withSet(String attribute, @Nullable IndexSet set) {
            return set == null ? this : with(attribute, set.mask());
        }
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\n', '\r', '\t' -> escaped.append("&#").append(c).append(';');
                default -> escaped.appendCodePoint(isXml(c) ? c : '?');
            }
        });
        return escaped.toString();
    }

    private static boolean isXml(int c) {
        return c >= ' ' && (c < 0xd800 || c > 0xdfff) && c != 0xfffe && c != 0xffff;
    }

    private void open(Element element, boolean hasContents) {
        out.append("  ".repeat(level)).append(element.text).append(hasContents ? ">\n" : "/>\n");
        level += hasContents ? 1 : 0;
    }

    private void close(String name) {
        level--;
        out.append("  ".repeat(level)).append("</").append(name).append(">\n");
    }

    private void write(MachineObject object) {
        Element element = new Element("object").with("type", object.kind());
        object.osIndex().ifPresent(index -> element.with("os_index", index));
        Sets sets = object.sets();
        element.withSet("cpuset", sets.cpus()).withSet("complete_cpuset", sets.completeCpus());
        boolean isRoot = object == machine.root();
        if (isRoot) {
            element.withSet("allowed_cpuset", details.allowedCpus() == null ? sets.cpus() : details.allowedCpus());
        }
        element.withSet("nodeset", sets.nodes()).withSet("complete_nodeset", sets.completeNodes());
        if (isRoot) {
            element.withSet("allowed_nodeset", details.allowedNodes() == null ? sets.nodes() : details.allowedNodes());
        }
        element.with("gp_index", object.id());
        if (version == Version.V3) {
            element.with("id", "obj" + object.id());
        }
        element.withText("name", object.name()).withText("subtype", object.subtype());
        addAttributes(object, element);
        List<Info> infos = infos(object);
        boolean hasPages = version == Version.V2 && object.get(Property.PAGES).isPresent();
        boolean hasContents = !infos.isEmpty() || hasPages || !object.children().isEmpty();
        open(element, hasContents);
        if (hasContents) {
            if (hasPages) {
                object.get(Property.PAGES)
                        .ifPresent(pages -> pages.counts()
                                .forEach((size, count) -> open(
                                        new Element("page_type")
                                                .with("size", size)
                                                .with("count", count),
                                        false)));
            }
            infos.forEach(this::write);
            object.children().forEach(this::write);
            close("object");
        }
    }

    private void addAttributes(MachineObject object, Element element) {
        add(object, Property.LOCAL_MEMORY, "local_memory", element);
        add(object, Property.CACHE_SIZE, "cache_size", element);
        add(object, Property.CACHE_LEVEL, "depth", element);
        add(object, Property.CACHE_LINE_SIZE, "cache_linesize", element);
        add(object, Property.CACHE_ASSOCIATIVITY, "cache_associativity", element);
        add(object, Property.CACHE_TYPE, "cache_type", element);
        if (version == Version.V3) {
            add(object, HwlocNames.CACHE_INCLUSIVE, "cache_inclusive", element);
        }
        add(object, HwlocNames.GROUP_KIND, "kind", element);
        add(object, HwlocNames.GROUP_SUBKIND, "subkind", element);
        add(object, HwlocNames.GROUP_DONT_MERGE, "dont_merge", element);
        add(object, HwlocNames.BRIDGE_TYPE, "bridge_type", element);
        add(object, HwlocNames.BRIDGE_DEPTH, "depth", element);
        add(object, HwlocNames.BRIDGE_PCI, "bridge_pci", element);
        if (object.kind() != Kind.OS_DEVICE) {
            add(object, Property.PCI_BUS_ID, "pci_busid", element);
        }
        add(object, HwlocNames.PCI_TYPE, "pci_type", element);
        object.get(Property.PCI_LINK_SPEED)
                .ifPresent(speed -> element.with("pci_link_speed", String.format(Locale.ROOT, "%.6f", speed)));
        if (object.kind() == Kind.OS_DEVICE) {
            int type = version == Version.V3 ? mask(object) : enumeration(object);
            if (type >= 0) {
                element.with("osdev_type", type);
            }
        }
    }

    private static void add(MachineObject object, Property<?> key, String attribute, Element element) {
        object.get(key).ifPresent(value -> element.with(attribute, value));
    }

    private static int mask(MachineObject device) {
        return device.deviceKinds().stream().mapToInt(HwlocNames::bit).sum();
    }

    /** The number of version 2 for a device: the one from which its kinds are read again, as nearly as it can say. */
    private static int enumeration(MachineObject device) {
        Set<DeviceKind> kinds = device.deviceKinds();
        if (kinds.contains(DeviceKind.COPROCESSOR)) {
            return kinds.contains(DeviceKind.GPU) && ObjectReader.isManagement(device.name()) ? 1 : 5;
        }
        if (kinds.contains(DeviceKind.GPU)) {
            return 1;
        }
        if (kinds.contains(DeviceKind.OPENFABRICS)) {
            return 3;
        }
        if (kinds.contains(DeviceKind.NETWORK)) {
            return 2;
        }
        if (kinds.contains(DeviceKind.DMA)) {
            return 4;
        }
        return kinds.isEmpty() ? -1 : 0;
    }

    private List<Info> infos(MachineObject object) {
        List<Info> infos = new ArrayList<>(object.infos());
        addOwn(object, infos);
        if (version == Version.V3) {
            return infos;
        }
        infos.replaceAll(info -> HwlocNames.isSize(object.kind(), info.name())
                        && info.value().endsWith("KiB")
                ? new Info(info.name(), info.value().substring(0, info.value().length() - "KiB".length()))
                : info);
        object.get(HwlocNames.CACHE_INCLUSIVE)
                .ifPresent(inclusive -> infos.add(new Info(HwlocNames.INCLUSIVE, inclusive.toString())));
        if (object == machine.root()) {
            infos.addAll(details.infos());
            if (!details.memoryTiers().isEmpty()) {
                infos.add(new Info(
                        HwlocNames.MEMORY_TIERS, "" + details.memoryTiers().size()));
            }
        } else if (object.kind() == Kind.NUMA_NODE) {
            tier(object).ifPresent(tier -> infos.add(new Info(HwlocNames.MEMORY_TIER, tier.toString())));
        }
        return infos;
    }

    /** Adds the properties of a device that hwloc has no attribute for. */
    private static void addOwn(MachineObject object, List<Info> infos) {
        if (object.kind() != Kind.OS_DEVICE) {
            return;
        }
        Set<String> there = infos.stream().map(Info::name).collect(Collectors.toSet());
        boolean fromHwloc = there.stream().anyMatch(name -> name.startsWith("CUDA") || name.startsWith("OpenCL"));
        for (Property<?> key : List.of(
                Property.MODEL,
                Property.MEMORY_SIZE,
                Property.COMPUTE_UNITS,
                Property.WARP_SIZE,
                Property.MAX_THREAD_BLOCK_SIZE)) {
            if (!there.contains(key.name()) && !(fromHwloc || there.contains("GPUModel"))) {
                object.get(key).ifPresent(value -> infos.add(new Info(key.name(), value.toString())));
            }
        }
    }

    private Optional<Integer> tier(MachineObject node) {
        for (int tier = 0; tier < details.memoryTiers().size(); tier++) {
            if (details.memoryTiers().get(tier).nodes().contains(node.osIndex().orElse(-1))) {
                return Optional.of(tier);
            }
        }
        return Optional.empty();
    }

    /** The infos of version 3 that belong to no object, with the sizes of pages. */
    private List<Info> topologyInfos() {
        List<Info> infos = new ArrayList<>(details.infos());
        Set<Long> sizes = new TreeSet<>();
        machine.objects(Kind.NUMA_NODE)
                .forEach(node -> node.get(Property.PAGES)
                        .ifPresent(pages -> sizes.addAll(pages.counts().keySet())));
        if (!sizes.isEmpty() && infos.stream().noneMatch(info -> info.name().equals(HwlocNames.PAGE_SIZES))) {
            infos.add(new Info(HwlocNames.PAGE_SIZE_COUNT, "" + sizes.size()));
            infos.add(new Info(
                    HwlocNames.PAGE_SIZES, sizes.stream().map(Object::toString).collect(Collectors.joining(","))));
        }
        return infos;
    }

    private void write(Info info) {
        open(new Element("info").with("name", info.name()).with("value", info.value()), false);
    }

    private void write(Distances distances) {
        List<MachineObject> objects = distances.objects().stream()
                .flatMap(id -> machine.object(id).stream())
                .toList();
        Set<Kind> kinds = objects.stream().map(MachineObject::kind).collect(Collectors.toSet());
        if (kinds.isEmpty()) {
            return;
        }
        boolean isMixed = kinds.size() > 1;
        boolean isNumbered = NUMBERED.containsAll(kinds);
        Element element = new Element(isMixed ? "distances2hetero" : "distances2");
        if (!isMixed) {
            element.with("type", objects.getFirst().kind());
        }
        boolean isHops = version == Version.V2 && distances.name().equals(HwlocNames.HOPS);
        long kind = isHops ? (distances.kind() & ~HwlocNames.HOPS_BIT) | HwlocNames.LATENCY_BIT : distances.kind();
        element.with("nbobjs", objects.size()).with("kind", kind).withText("name", distances.name());
        if (!isMixed) {
            element.with("indexing", isNumbered ? "os" : "gp");
        }
        open(element, true);
        writeNumbers(
                "indexes",
                objects.stream()
                        .map(object -> isMixed
                                ? object.kind() + ":" + object.id()
                                : "" + (isNumbered ? object.osIndex().orElse(-1) : object.id()))
                        .toList());
        writeNumbers(
                "u64values", distances.values().stream().map(Object::toString).toList());
        close(element.name);
    }

    private void writeNumbers(String name, List<String> numbers) {
        for (int from = 0; from < numbers.size(); from += NUMBERS_OF_A_LINE) {
            String text =
                    String.join(" ", numbers.subList(from, Math.min(from + NUMBERS_OF_A_LINE, numbers.size()))) + " ";
            out.append("  ".repeat(level))
                    .append(new Element(name).with("length", text.length()).text)
                    .append('>')
                    .append(text)
                    .append("</")
                    .append(name)
                    .append(">\n");
        }
    }

    private void write(MemoryAttribute attribute) {
        open(new Element("memattr").with("name", attribute.name()).with("flags", attribute.flags()), true);
        for (MemoryAttribute.Value value : attribute.values()) {
            machine.object(value.target())
                    .ifPresent(target -> open(
                            new Element("memattr_value")
                                    .with("target_obj_type", target.kind())
                                    .with("target_obj_gp_index", target.id())
                                    .with("value", value.value())
                                    .withSet("initiator_cpuset", value.initiator()),
                            false));
        }
        close("memattr");
    }

    private void write(CpuKind kind) {
        Element element = new Element("cpukind").withSet("cpuset", kind.cpus());
        if (kind.efficiency() >= 0) {
            element.with("forced_efficiency", kind.efficiency());
        }
        open(element, !kind.infos().isEmpty());
        if (!kind.infos().isEmpty()) {
            kind.infos().forEach(this::write);
            close("cpukind");
        }
    }

    private void write(MemoryTier tier) {
        open(new Element("memtier").with("kinds", tier.kinds()).withSet("nodeset", tier.nodes()), false);
    }

    private void write(PciLocality its) {
        open(
                new Element("pci_locality")
                        .with("domain", "0x" + Long.toHexString(its.domain()))
                        .with("bus_min", "0x" + Long.toHexString(its.firstBus()))
                        .with("bus_max", "0x" + Long.toHexString(its.lastBus()))
                        .withSet("cpuset", its.cpus()),
                false);
    }
}

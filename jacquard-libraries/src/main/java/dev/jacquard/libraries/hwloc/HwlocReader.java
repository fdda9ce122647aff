package dev.jacquard.libraries.hwloc;

import dev.jacquard.base.machine.IndexSet;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.base.machine.MachineDetails;
import dev.jacquard.base.machine.MachineDetails.CpuKind;
import dev.jacquard.base.machine.MachineDetails.MemoryTier;
import dev.jacquard.base.machine.MachineDetails.PciLocality;
import dev.jacquard.base.machine.MachineDraft;
import dev.jacquard.base.machine.MachineObject.Info;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Pages;
import dev.jacquard.base.machine.MachineObject.Property;
import dev.jacquard.libraries.hwloc.HwlocFile.MalformedException;
import dev.jacquard.libraries.hwloc.HwlocFile.Version;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a machine from XML in the format of hwloc.
 *
 * <pre>
 *  bytes --GuardedInput--> parser --XmlElements--> object:            ObjectReader   --> MachineDraft \
 *                                                  distances, memattr: ReferenceReader, at the end       Machine
 *                                                  all others:         here          --> details      /
 * </pre>
 *
 * <p>Elements and attributes that are not known are skipped, as hwloc does. Version 2 is brought to the terms of
 * version 3, which the machine has. Confined to one thread, for one file.
 */
final class HwlocReader {
    private static final int INFO_BYTES = 120;

    private final XmlElements xml;
    private final String file;
    private Version version = Version.V3;
    private @Nullable MachineDraft root;
    private final Deque<MachineDraft> open = new ArrayDeque<>();
    private final List<Info> infos = new ArrayList<>();
    private final List<CpuKind> cpuKinds = new ArrayList<>();
    private final List<MemoryTier> tiers = new ArrayList<>();
    /** Of version 2, where nodes name their tiers. */
    private final SortedMap<Long, IndexSet> numberedTiers = new TreeMap<>();

    private final List<PciLocality> localities = new ArrayList<>();
    private final Map<MachineDraft, SortedMap<Long, Long>> pages = new HashMap<>();
    private @Nullable IndexSet allowedCpus;
    private @Nullable IndexSet allowedNodes;

    HwlocReader(InputStream in, String file) throws IOException {
        this.file = file;
        xml = new XmlElements(in, file);
    }

    HwlocFile read() throws IOException {
        readStart();
        ObjectReader objects = new ObjectReader(xml, version);
        ReferenceReader references = new ReferenceReader(xml, version);
        while (xml.next()) {
            if (!xml.begins()) {
                if (!open.isEmpty()) {
                    open.pop(); // only objects stay open
                }
                continue;
            }
            switch (xml.name()) {
                case "object" -> readObject(objects);
                case "info" -> readInfo();
                case "page_type" -> readPages();
                case "distances2", "distances2hetero" -> references.readDistances();
                case "memattr" -> references.readMemoryAttribute();
                case "cpukind" ->
                    cpuKinds.add(
                            new CpuKind(xml.requiredSet("cpuset"), xml.number("forced_efficiency", -1), readInfos()));
                case "memtier" -> {
                    tiers.add(new MemoryTier(xml.number("kinds", 0), xml.requiredSet("nodeset")));
                    xml.skip();
                }
                case "pci_locality" -> readLocality();
                default -> xml.skip();
            }
        }
        return new HwlocFile(version, machine(references));
    }

    private void readStart() throws IOException {
        if (!xml.next() || !xml.name().equals("topology")) {
            throw xml.malformed("the first element is <" + xml.name() + ">; expected <topology>, as lstopo writes it");
        }
        String text = xml.get("version", "1");
        version = switch (text.split("\\.", -1)[0]) {
            case "2" -> Version.V2;
            case "3" -> Version.V3;
            default ->
                throw xml.malformed("version \"" + text + "\" of the format (1 if there is none); expected 2.x or 3.x:"
                        + " lstopo of hwloc 2 converts older files");
        };
    }

    private void readObject(ObjectReader objects) throws MalformedException {
        MachineDraft above = open.peek();
        if (above == null && root != null) {
            throw xml.malformed("a second object at the top; expected one " + Kind.MACHINE + ", around all others");
        }
        MachineDraft object = objects.read(above);
        if (above == null) {
            root = object;
            allowedCpus = xml.set("allowed_cpuset");
            allowedNodes = xml.set("allowed_nodeset");
        } else {
            above.add(object);
        }
        open.push(object);
    }

    private void readInfo() throws IOException {
        xml.take(INFO_BYTES);
        String name = xml.get("name", "");
        String value = xml.get("value", "");
        MachineDraft object = open.peek();
        if (object == null) {
            infos.add(new Info(name, value));
        } else if (version == Version.V3 || !convert(name, value, object)) {
            boolean lacksUnit = version == Version.V2
                    && HwlocNames.isSize(object.kind(), name)
                    && !value.isEmpty()
                    && value.chars().allMatch(c -> c >= '0' && c <= '9');
            object.info(name, lacksUnit ? value + "KiB" : value);
        }
        xml.skip();
    }

    /** Puts an info of version 2 where version 3 has it. Returns false if that is where it is. */
    private boolean convert(String name, String value, MachineDraft object) throws MalformedException {
        if (object == root && HwlocNames.OF_TOPOLOGY.contains(name)) {
            infos.add(new Info(name, value));
            return true;
        }
        if (object == root && name.equals(HwlocNames.MEMORY_TIERS)) {
            return true; // the number of tiers follows from the nodes
        }
        if (name.equals(HwlocNames.INCLUSIVE) && (object.kind().isCache() || object.kind() == Kind.MEMORY_CACHE)) {
            object.put(HwlocNames.CACHE_INCLUSIVE, value.equals("1") ? 1L : 0L);
            return true;
        }
        if (name.equals(HwlocNames.MEMORY_TIER) && object.kind() == Kind.NUMA_NODE) {
            long tier = xml.parse(name, value, Long::parseLong, "a whole number");
            numberedTiers.merge(tier, IndexSet.of(object.osIndex()), IndexSet::or);
            return true;
        }
        return false;
    }

    private void readPages() throws IOException {
        MachineDraft node = open.peek();
        if (node != null && node.kind() == Kind.NUMA_NODE) {
            xml.take(INFO_BYTES);
            pages.computeIfAbsent(node, _ -> new TreeMap<>())
                    .merge(xml.number("size", 0), xml.number("count", 0), Long::sum);
        }
        xml.skip();
    }

    private List<Info> readInfos() throws IOException {
        List<Info> its = new ArrayList<>();
        while (xml.next() && xml.begins()) {
            if (xml.name().equals("info")) {
                xml.take(INFO_BYTES);
                its.add(new Info(xml.get("name", ""), xml.get("value", "")));
            }
            xml.skip();
        }
        return its;
    }

    private void readLocality() throws IOException {
        xml.take(INFO_BYTES);
        localities.add(new PciLocality(
                xml.hexadecimal("domain"),
                xml.hexadecimal("bus_min"),
                xml.hexadecimal("bus_max"),
                xml.requiredSet("cpuset")));
        xml.skip();
    }

    private Machine machine(ReferenceReader references) throws IOException {
        if (root == null) {
            throw xml.malformed("no object; expected one " + Kind.MACHINE);
        }
        pages.forEach((node, counts) -> node.put(Property.PAGES, new Pages(counts)));
        references.number(root);
        visit(root, HwlocReader::setDeviceProperties);
        numberedTiers.forEach((_, nodes) -> tiers.add(new MemoryTier(0, nodes)));
        MachineDetails details = new MachineDetails(
                file,
                false,
                allowedCpus,
                allowedNodes,
                infos,
                references.distances(),
                references.memoryAttributes(),
                cpuKinds,
                tiers,
                localities,
                List.of());
        try {
            return Machine.of(root, details);
        } catch (IllegalArgumentException e) {
            throw xml.malformed(String.valueOf(e.getMessage()));
        }
    }

    static void visit(MachineDraft draft, BiConsumer<MachineDraft, List<Info>> action) {
        action.accept(draft, draft.infos());
        draft.children().forEach(child -> visit(child, action));
    }

    /** Sets typed properties of a device from its infos, by the names of hwloc's components and by those of ours. */
    private static void setDeviceProperties(MachineDraft device, List<Info> its) {
        if (device.kind() != Kind.OS_DEVICE) {
            return;
        }
        for (Info info : its) {
            switch (info.name()) {
                case "GPUModel", "model" -> device.put(Property.MODEL, info.value());
                case "CUDAGlobalMemorySize", "OpenCLGlobalMemorySize" -> putSize(device, info.value());
                case "CUDAMultiProcessors", "OpenCLComputeUnits", "compute_units" ->
                    putNumber(device, Property.COMPUTE_UNITS, info.value());
                case "memory_size" -> putNumber(device, Property.MEMORY_SIZE, info.value());
                case "warp_size" -> putNumber(device, Property.WARP_SIZE, info.value());
                case "max_thread_block_size" -> putNumber(device, Property.MAX_THREAD_BLOCK_SIZE, info.value());
                default -> {}
            }
        }
    }

    private static void putSize(MachineDraft device, String value) {
        if (value.endsWith("KiB") && value.matches("\\d{1,15}KiB")) {
            device.put(Property.MEMORY_SIZE, Long.parseLong(value.substring(0, value.length() - 3)) << 10);
        }
    }

    private static void putNumber(MachineDraft device, Property<Long> key, String value) {
        if (value.matches("\\d{1,18}")) {
            device.put(key, Long.parseLong(value));
        }
    }
}

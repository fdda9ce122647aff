package dev.jacquard.libraries.hwloc;

import dev.jacquard.base.machine.IndexSet;
import dev.jacquard.base.machine.MachineDraft;
import dev.jacquard.base.machine.MachineObject.DeviceKind;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Property;
import dev.jacquard.base.machine.MachineObject.Sets;
import dev.jacquard.libraries.hwloc.HwlocFile.MalformedException;
import dev.jacquard.libraries.hwloc.HwlocFile.Version;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes drafts of the elements {@code object}, from their attributes alone. Confined to the thread that reads. */
final class ObjectReader {
    private static final int OBJECT_BYTES = 300;

    private final XmlElements xml;
    private final Version version;
    private final Set<Long> ids = new HashSet<>();
    private final Set<String> numbers = new HashSet<>();

    ObjectReader(XmlElements xml, Version version) {
        this.xml = xml;
        this.version = version;
    }

    /**
     * Reads the attributes of an element that begins.
     *
     * @param above the object that it is in; null for the machine
     */
    MachineDraft read(@Nullable MachineDraft above) throws MalformedException {
        xml.take(OBJECT_BYTES);
        String type = xml.get("type");
        Kind kind = HwlocNames.KINDS.get(type);
        if (kind == null) {
            throw xml.malformed("an object of type \"" + type + "\"; expected one of " + HwlocNames.KINDS.values());
        }
        if ((kind == Kind.MACHINE) != (above == null)) {
            throw xml.malformed("an object " + kind + (above == null ? " at the top" : " within " + above.kind())
                    + "; expected one " + Kind.MACHINE + ", around all others");
        }
        MachineDraft object = new MachineDraft(kind)
                .id(id())
                .osIndex(osIndex(kind))
                .name(xml.get("name", ""))
                .subtype(xml.get("subtype", ""))
                .sets(sets(kind, above));
        if (kind.isCache() || kind == Kind.MEMORY_CACHE) {
            readCache(object);
        }
        switch (kind) {
            case NUMA_NODE -> number("local_memory", object, Property.LOCAL_MEMORY);
            case GROUP -> {
                number("kind", object, HwlocNames.GROUP_KIND);
                number("subkind", object, HwlocNames.GROUP_SUBKIND);
                number("dont_merge", object, HwlocNames.GROUP_DONT_MERGE);
            }
            case BRIDGE -> {
                number("depth", object, HwlocNames.BRIDGE_DEPTH);
                text("bridge_type", object, HwlocNames.BRIDGE_TYPE);
                text("bridge_pci", object, HwlocNames.BRIDGE_PCI);
                readPci(object);
            }
            case PCI_DEVICE -> readPci(object);
            case OS_DEVICE -> object.deviceKinds(deviceKinds(object));
            default -> {}
        }
        return object;
    }

    /** Returns the number that identifies the object: {@code gp_index}, or {@code id} from version 3 on; 0 if none. */
    private long id() throws MalformedException {
        String text = xml.get("id", "");
        long id = xml.number(
                "gp_index",
                text.startsWith("obj")
                        ? xml.parse("id", text, its -> Long.parseLong(its.substring(3)), "obj and a number")
                        : 0);
        if (id < 0) {
            throw xml.malformed("an object with the number " + id + "; expected one from 0 on");
        }
        if (id > 0 && !ids.add(id)) {
            throw xml.malformed("a second object with the number " + id + " (gp_index or id); expected another");
        }
        return id;
    }

    private int osIndex(Kind kind) throws MalformedException {
        long index = xml.number("os_index", -1);
        boolean isNumbered = kind == Kind.PU || kind == Kind.NUMA_NODE;
        if (index < -1 || index > 0xffff_ffffL || (isNumbered && (index < 0 || index >= IndexSet.MOST))) {
            throw xml.malformed(kind + " with os_index=\"" + index + "\"; expected 0 to " + (IndexSet.MOST - 1));
        }
        if (isNumbered && !numbers.add(kind + " " + index)) {
            throw xml.malformed("a second " + kind + " with os_index=\"" + index + "\"; expected another number");
        }
        return index > Integer.MAX_VALUE ? -1 : (int) index; // hwloc's "unknown" is 2^32 - 1
    }

    private Sets sets(Kind kind, @Nullable MachineDraft above) throws MalformedException {
        Sets sets = new Sets(
                xml.set("cpuset"), xml.set("complete_cpuset"), xml.set("nodeset"), xml.set("complete_nodeset"));
        IndexSet its = sets.cpus();
        IndexSet around = above == null ? null : above.sets().cpus();
        if (its == null && (kind.holdsProcessors() || kind.isMemory())) {
            throw xml.malformed("<object type=\"" + kind + "\"> has no cpuset");
        }
        if (kind.holdsProcessors() && its != null && around != null && !around.containsAll(its)) {
            throw xml.malformed(kind + " with the processors " + its + " within " + around
                    + ", those of the object around it; expected some of these");
        }
        return sets;
    }

    private void readCache(MachineDraft cache) throws MalformedException {
        number("cache_size", cache, Property.CACHE_SIZE);
        number("depth", cache, Property.CACHE_LEVEL);
        number("cache_linesize", cache, Property.CACHE_LINE_SIZE);
        number("cache_associativity", cache, Property.CACHE_ASSOCIATIVITY);
        number("cache_type", cache, Property.CACHE_TYPE);
        number("cache_inclusive", cache, HwlocNames.CACHE_INCLUSIVE);
    }

    private void readPci(MachineDraft device) throws MalformedException {
        text("pci_busid", device, Property.PCI_BUS_ID);
        text("pci_type", device, HwlocNames.PCI_TYPE);
        String speed = xml.find("pci_link_speed");
        if (speed != null) {
            double value = xml.decimal("pci_link_speed", speed);
            if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
                throw xml.malformed("pci_link_speed=\"" + value + "\"; expected a number from 0 on, in GB/s");
            }
            device.put(Property.PCI_LINK_SPEED, value);
        }
    }

    private void number(String attribute, MachineDraft object, Property<Long> key) throws MalformedException {
        if (xml.find(attribute) != null) {
            long value = xml.number(attribute, 0);
            if (value < (key.equals(Property.CACHE_ASSOCIATIVITY) ? -1 : 0)) {
                throw xml.malformed(attribute + "=\"" + value + "\"; expected a number from 0 on");
            }
            object.put(key, value);
        }
    }

    private void text(String attribute, MachineDraft object, Property<String> key) throws MalformedException {
        String value = xml.find(attribute);
        if (value != null) {
            object.put(key, value);
        }
    }

    private Set<DeviceKind> deviceKinds(MachineDraft device) throws MalformedException {
        long type = xml.number("osdev_type", version == Version.V3 ? 0 : -1);
        return version == Version.V3 ? ofMask(type) : ofEnumeration(type, device);
    }

    /** Version 3: a bit for each kind. */
    static Set<DeviceKind> ofMask(long bits) {
        Set<DeviceKind> kinds = EnumSet.noneOf(DeviceKind.class);
        for (DeviceKind kind : DeviceKind.values()) {
            if ((bits & HwlocNames.bit(kind)) != 0) {
                kinds.add(kind);
            }
        }
        return kinds;
    }

    /** Version 2: one of a few numbers; names and subtypes tell which devices have a second kind. */
    private static Set<DeviceKind> ofEnumeration(long type, MachineDraft device) {
        String subtype = device.subtype();
        return switch (Math.clamp(type, -1, Byte.MAX_VALUE)) {
            case 0 ->
                device.name().startsWith("dax") || subtype.equals("CXLMem")
                        ? EnumSet.of(DeviceKind.MEMORY)
                        : EnumSet.of(DeviceKind.STORAGE);
            case 1 ->
                isManagement(device.name())
                        ? EnumSet.of(DeviceKind.GPU, DeviceKind.COPROCESSOR)
                        : EnumSet.of(DeviceKind.GPU);
            case 2 -> EnumSet.of(DeviceKind.NETWORK);
            case 3 -> EnumSet.of(DeviceKind.NETWORK, DeviceKind.OPENFABRICS);
            case 4 -> EnumSet.of(DeviceKind.DMA);
            case 5 ->
                subtype.equals("CUDA") || subtype.equals("LevelZero")
                        ? EnumSet.of(DeviceKind.GPU, DeviceKind.COPROCESSOR)
                        : EnumSet.of(DeviceKind.COPROCESSOR);
            case 6 -> EnumSet.of(DeviceKind.MEMORY);
            default -> EnumSet.noneOf(DeviceKind.class);
        };
    }

    /** Returns true for devices of libraries that manage GPUs for computations: version 2 calls these GPUs. */
    static boolean isManagement(String name) {
        return name.startsWith("nvml") || name.startsWith("rsmi");
    }
}

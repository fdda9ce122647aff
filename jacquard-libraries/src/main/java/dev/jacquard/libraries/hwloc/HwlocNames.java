package dev.jacquard.libraries.hwloc;

import dev.jacquard.base.machine.MachineObject.DeviceKind;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Property;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The names and numbers of hwloc's format that its reader and its writer share. */
final class HwlocNames {
    static final Property<Long> CACHE_INCLUSIVE = Property.of("cache_inclusive", Long.class);
    static final Property<Long> GROUP_KIND = Property.of("group_kind", Long.class);
    static final Property<Long> GROUP_SUBKIND = Property.of("group_subkind", Long.class);
    static final Property<Long> GROUP_DONT_MERGE = Property.of("group_dont_merge", Long.class);
    static final Property<Long> BRIDGE_DEPTH = Property.of("bridge_depth", Long.class);
    static final Property<String> BRIDGE_TYPE = Property.of("bridge_type", String.class);
    static final Property<String> BRIDGE_PCI = Property.of("bridge_pci", String.class);
    static final Property<String> PCI_TYPE = Property.of("pci_type", String.class);

    /** The info of a NUMA node with the number of its memory tier, in version 2. */
    static final String MEMORY_TIER = "MemoryTier";

    static final String MEMORY_TIERS = "MemoryTiersNr";
    static final String INCLUSIVE = "Inclusive";
    static final String PAGE_SIZES = "PageSizes";
    static final String PAGE_SIZE_COUNT = "PageSizeNr";
    static final String HOPS = "XGMIHops";
    static final long LATENCY_BIT = 1 << 2;
    static final long HOPS_BIT = 1 << 5;

    /** Infos of the root in version 2 that belong to the topology in version 3. */
    static final Set<String> OF_TOPOLOGY = Set.of(
            "Backend",
            "SyntheticDescription",
            "LinuxCgroup",
            "WindowsBuildEnvironment",
            "OSName",
            "OSRelease",
            "OSVersion",
            "HostName",
            "Architecture",
            "hwlocVersion",
            "ProcessName",
            PAGE_SIZES,
            PAGE_SIZE_COUNT);

    /** Kinds by the names of their types. */
    static final Map<String, Kind> KINDS = kinds();

    private HwlocNames() {}

    private static Map<String, Kind> kinds() {
        Map<String, Kind> kinds = new HashMap<>();
        for (Kind kind : Kind.values()) {
            kinds.put(kind.toString(), kind);
        }
        return Map.copyOf(kinds);
    }

    /** Returns the bit of a device's kind, in version 3. */
    static int bit(DeviceKind kind) {
        return switch (kind) {
            case STORAGE -> 1;
            case MEMORY -> 1 << 1;
            case GPU -> 1 << 2;
            case COPROCESSOR -> 1 << 3;
            case NETWORK -> 1 << 4;
            case OPENFABRICS -> 1 << 5;
            case DMA -> 1 << 6;
        };
    }

    /** Returns true if an info of a device is a size in KiB: without a unit in version 2, with it in version 3. */
    static boolean isSize(Kind kind, String info) {
        return (kind == Kind.OS_DEVICE && info.contains("Size") && !info.equals("SectorSize"))
                || (kind == Kind.MISC && info.equals("Size"));
    }
}

package dev.jacquard.base.machine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A part of a machine: a package, a cache, a core, a NUMA node, a device. It has a static {@link Kind}, typed
 * properties by {@link Property}, a parent and children.
 *
 * <pre>{@code
 * for (MachineObject cache : machine.objects(Kind.L2_CACHE).toList()) {
 *     IO.println(cache.cpus() + ": " + cache.get(Property.CACHE_SIZE).orElse(0L));
 * }
 * }</pre>
 *
 * <p>Source: the abstract hybrid architecture model, section II.B. Immutable.
 */
public final class MachineObject {
    private final Kind kind;
    private final long id;
    private final int osIndex;
    private final String name;
    private final String subtype;
    private final Sets sets;
    private final Set<DeviceKind> deviceKinds;
    private final SortedMap<String, Object> properties;
    private final List<Info> infos;
    private final @Nullable MachineObject parent;
    private final List<MachineObject> children;

    /** The kinds of objects; {@link #toString} is hwloc's name of the type. */
    public enum Kind {
        MACHINE("Machine"),
        GROUP("Group"),
        PACKAGE("Package"),
        DIE("Die"),
        L5_CACHE("L5Cache"),
        L4_CACHE("L4Cache"),
        L3_CACHE("L3Cache"),
        L2_CACHE("L2Cache"),
        L1_CACHE("L1Cache"),
        L3_INSTRUCTION_CACHE("L3iCache"),
        L2_INSTRUCTION_CACHE("L2iCache"),
        L1_INSTRUCTION_CACHE("L1iCache"),
        CORE("Core"),
        /** A processing unit: the operating system's processor, a hardware thread. */
        PU("PU"),
        NUMA_NODE("NUMANode"),
        /** A cache between a NUMA node and the processors, such as fast memory in front of slow memory. */
        MEMORY_CACHE("MemCache"),
        BRIDGE("Bridge"),
        PCI_DEVICE("PCIDev"),
        /** A device as the operating system or a driver sees it; {@link #deviceKinds} says more. */
        OS_DEVICE("OSDev"),
        MISC("Misc");

        private final String type;

        Kind(String type) {
            this.type = type;
        }

        /** Returns true for the kinds between machine and processing unit: they hold processors. */
        public boolean holdsProcessors() {
            return compareTo(PU) <= 0;
        }

        /** Returns true for NUMA nodes and the caches in front of them. */
        public boolean isMemory() {
            return this == NUMA_NODE || this == MEMORY_CACHE;
        }

        /** Returns true for bridges and devices. */
        public boolean isInputOutput() {
            return this == BRIDGE || this == PCI_DEVICE || this == OS_DEVICE;
        }

        /** Returns true for all caches of processors. */
        public boolean isCache() {
            return compareTo(L5_CACHE) >= 0 && compareTo(L1_INSTRUCTION_CACHE) <= 0;
        }

        @Override
        public String toString() {
            return type;
        }
    }

    /** The uses of an {@link Kind#OS_DEVICE}, which may have several, in the order of hwloc's bits. */
    public enum DeviceKind {
        STORAGE,
        MEMORY,
        GPU,
        COPROCESSOR,
        NETWORK,
        OPENFABRICS,
        DMA
    }

    /** A pair of texts that describes an object or a machine; names may repeat. */
    public record Info(String name, String value) {}

    /**
     * The sets of an object; null where the machine's description has none.
     *
     * @param cpus the processors that may be used, those below the object or near to it
     * @param completeCpus the same with those that are offline or not allowed
     * @param nodes the NUMA nodes near to the object
     * @param completeNodes the same with those that are not allowed
     */
    public record Sets(
            @Nullable IndexSet cpus,
            @Nullable IndexSet completeCpus,
            @Nullable IndexSet nodes,
            @Nullable IndexSet completeNodes) {
        /** No set is known. */
        public static final Sets NONE = new Sets(null, null, null, null);

        Sets within(IndexSet kept) {
            return cpus == null ? this : new Sets(cpus.and(kept), completeCpus, nodes, completeNodes);
        }
    }

    /**
     * The pages of a NUMA node.
     *
     * @param counts by the size of a page in bytes
     */
    public record Pages(SortedMap<Long, Long> counts) {
        public Pages {
            counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
        }
    }

    /**
     * The name of a property and the type of its value. Keys with equal names and types are equal, so programs make
     * keys of their own properties.
     *
     * @param derivation computes the value from the object; null if it is stored
     */
    public record Property<T>(
            String name, Class<T> type, @Nullable Function<MachineObject, T> derivation) {
        /** How many processing units an object has. */
        public static final Property<Long> NB_PU = new Property<>("nb_pu", Long.class, it -> it.count(Kind.PU));
        /** How many cores an object has. */
        public static final Property<Long> NB_CORE = new Property<>("nb_core", Long.class, it -> it.count(Kind.CORE));
        /** How many packages an object has. */
        public static final Property<Long> NB_PACKAGE =
                new Property<>("nb_package", Long.class, it -> it.count(Kind.PACKAGE));
        /** How many NUMA nodes an object has. */
        public static final Property<Long> NB_NUMA =
                new Property<>("nb_numa", Long.class, it -> it.count(Kind.NUMA_NODE));
        /** How many distinct devices with a co-processor an object has. */
        public static final Property<Long> NB_GPU =
                new Property<>("nb_gpu", Long.class, it -> it.coprocessors().count());
        /** The level of a cache, 1 next to the core. */
        public static final Property<Long> CACHE_LEVEL = of("cache_level", Long.class);
        /** The size of a cache in bytes. */
        public static final Property<Long> CACHE_SIZE = of("cache_size", Long.class);
        /** The size of a cache line in bytes. */
        public static final Property<Long> CACHE_LINE_SIZE = of("cache_linesize", Long.class);
        /** The ways of a cache; 0 if unknown, -1 if it is fully associative. */
        public static final Property<Long> CACHE_ASSOCIATIVITY = of("cache_associativity", Long.class);
        /** The content of a cache: 0 for both, 1 for data, 2 for instructions. */
        public static final Property<Long> CACHE_TYPE = of("cache_type", Long.class);
        /** Memory of a NUMA node in bytes. */
        public static final Property<Long> LOCAL_MEMORY = of("local_memory", Long.class);
        /** Pages of a NUMA node. */
        public static final Property<Pages> PAGES = of("pages", Pages.class);
        /** Bus, device and function of a PCI device: {@code 0000:81:00.0}. */
        public static final Property<String> PCI_BUS_ID = of("pci_busid", String.class);
        /** The bandwidth of a PCI device's link in GB/s; 0 if unknown. */
        public static final Property<Double> PCI_LINK_SPEED = of("pci_link_speed", Double.class);
        /** The model of a device, as its vendor calls it. */
        public static final Property<String> MODEL = of("model", String.class);
        /** The memory of a device in bytes. */
        public static final Property<Long> MEMORY_SIZE = of("memory_size", Long.class);
        /** How many multiprocessors or cores a device has. */
        public static final Property<Long> COMPUTE_UNITS = of("compute_units", Long.class);
        /** How many threads of a CUDA device run in step. */
        public static final Property<Long> WARP_SIZE = of("warp_size", Long.class);
        /** The most threads in a block of a CUDA device. */
        public static final Property<Long> MAX_THREAD_BLOCK_SIZE = of("max_thread_block_size", Long.class);
        /** The most bytes of a native thread's stack, of a machine. */
        public static final Property<Long> STACK_SIZE = of("stack_size", Long.class);
        /** How many processors' time the process may use at once, of a machine; absent without a limit. */
        public static final Property<Double> CPU_LIMIT = of("cpu_limit", Double.class);

        /** Returns a key of a stored property. */
        public static <T> Property<T> of(String name, Class<T> type) {
            return new Property<>(name, type, null);
        }

        /** Returns the value of {@link #PCI_BUS_ID}, as the system writes it: {@code 0000:81:00.0}. */
        public static String pciBusId(int domain, int bus, int device, int function) {
            return String.format(Locale.ROOT, "%04x:%02x:%02x.%x", domain, bus, device, function);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    MachineObject(MachineDraft draft, @Nullable MachineObject parent, Function<MachineDraft, Long> ids) {
        kind = draft.kind;
        id = ids.apply(draft);
        osIndex = draft.osIndex;
        name = draft.name;
        subtype = draft.subtype;
        deviceKinds = Collections.unmodifiableSet(EnumSet.copyOf(draft.deviceKinds));
        properties = draft.properties.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(draft.properties));
        infos = List.copyOf(draft.infos);
        this.parent = parent;
        List<MachineObject> its = new ArrayList<>(draft.children.size());
        draft.children.forEach(child -> its.add(new MachineObject(child, this, ids)));
        children = List.copyOf(its);
        sets = kind.holdsProcessors() && draft.sets.cpus == null ? derived(draft) : draft.sets;
    }

    private Sets derived(MachineDraft draft) {
        IndexSet cpus = kind == Kind.PU && osIndex >= 0 ? IndexSet.of(osIndex) : IndexSet.EMPTY;
        for (MachineObject child : children) {
            cpus = child.kind.holdsProcessors() ? cpus.or(child.cpus()) : cpus;
        }
        return new Sets(cpus, cpus, draft.sets.nodes, draft.sets.completeNodes);
    }

    /** Returns a draft of this object and of all below it that are kept, without processors out of {@code cpus}. */
    MachineDraft draft(IndexSet cpus) {
        MachineDraft draft = new MachineDraft(kind)
                .id(id)
                .osIndex(osIndex)
                .name(name)
                .subtype(subtype)
                .sets(sets.within(cpus))
                .deviceKinds(deviceKinds);
        draft.properties.putAll(properties);
        draft.infos.addAll(infos);
        for (MachineObject child : children) {
            boolean lost = child.kind.holdsProcessors()
                    && child.sets.cpus != null
                    && !child.sets.cpus.isEmpty()
                    && !child.sets.cpus.intersects(cpus)
                    && child.stream().noneMatch(below -> below.kind.isMemory() || below.kind.isInputOutput());
            if (!lost) {
                draft.add(child.draft(cpus));
            }
        }
        return draft;
    }

    /** Returns the kind, which does not change. */
    public Kind kind() {
        return kind;
    }

    /** Returns the number that identifies this object within its machine. */
    public long id() {
        return id;
    }

    /** Returns the number that the operating system gives the object, if it gives one. */
    public OptionalInt osIndex() {
        return osIndex < 0 ? OptionalInt.empty() : OptionalInt.of(osIndex);
    }

    /** Returns the name; empty if there is none. */
    public String name() {
        return name;
    }

    /** Returns a text that refines the kind; may be empty. */
    public String subtype() {
        return subtype;
    }

    /** Returns the processors of the object that may be used; for a device those of the nearest object that has any. */
    public IndexSet cpus() {
        return sets.cpus != null ? sets.cpus : parent == null ? IndexSet.EMPTY : parent.cpus();
    }

    /** Returns the NUMA nodes near to the object. */
    public IndexSet nodes() {
        return sets.nodes != null ? sets.nodes : parent == null ? IndexSet.EMPTY : parent.nodes();
    }

    /** Returns the sets of processors and NUMA nodes that the description of the machine has for this object. */
    public Sets sets() {
        return sets;
    }

    /** Returns the uses of an {@link Kind#OS_DEVICE}; empty for other kinds. */
    public Set<DeviceKind> deviceKinds() {
        return deviceKinds;
    }

    /** Returns the value of a property, stored or derived; empty if the object has none of that name and type. */
    public <T> Optional<T> get(Property<T> key) {
        Object stored = properties.get(key.name);
        if (key.type.isInstance(stored)) {
            return Optional.of(key.type.cast(stored));
        }
        return key.derivation == null ? Optional.empty() : Optional.of(key.derivation.apply(this));
    }

    /** Returns the stored properties by their names. */
    public SortedMap<String, Object> properties() {
        return properties;
    }

    /** Returns the pairs of texts, in order. */
    public List<Info> infos() {
        return infos;
    }

    /** Returns the object above; empty for the machine. */
    public Optional<MachineObject> parent() {
        return Optional.ofNullable(parent);
    }

    /** Returns the objects below, in the order of the description. */
    public List<MachineObject> children() {
        return children;
    }

    /** Returns this object and all below it, each before those below it. */
    public Stream<MachineObject> stream() {
        return Stream.concat(Stream.of(this), children.stream().flatMap(MachineObject::stream));
    }

    private long count(Kind wanted) {
        return stream().filter(it -> it.kind == wanted).count();
    }

    /** Returns the distinct devices with a co-processor: the PCI device, or the object itself where there is none. */
    private Stream<MachineObject> coprocessors() {
        Set<MachineObject> devices = new LinkedHashSet<>();
        stream().filter(it -> it.deviceKinds.contains(DeviceKind.COPROCESSOR)).forEach(it -> {
            MachineObject above = it.parent;
            devices.add(above != null && above.kind == Kind.PCI_DEVICE ? above : it);
        });
        return devices.stream();
    }

    /** Returns kind, number and name: {@code Core 3}, {@code OSDev eth0}. */
    @Override
    public String toString() {
        return kind + (osIndex < 0 ? "" : " " + osIndex) + (name.isEmpty() ? "" : " " + name);
    }
}

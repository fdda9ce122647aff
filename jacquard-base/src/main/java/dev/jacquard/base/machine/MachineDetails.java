package dev.jacquard.base.machine;

import dev.jacquard.base.machine.MachineObject.Info;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a machine's description that belong to no single object. Immutable.
 *
 * @param source the origin of the description, for messages: a file, or a library and its version
 * @param isThisSystem true if threads may be bound to these processors
 * @param allowedCpus the processors that the process may use; null for all
 * @param allowedNodes the NUMA nodes that the process may use; null for all
 */
public record MachineDetails(
        String source,
        boolean isThisSystem,
        @Nullable IndexSet allowedCpus,
        @Nullable IndexSet allowedNodes,
        List<Info> infos,
        List<Distances> distances,
        List<MemoryAttribute> memoryAttributes,
        List<CpuKind> cpuKinds,
        List<MemoryTier> memoryTiers,
        List<PciLocality> pciLocalities,
        List<Link> links) {
    public MachineDetails {
        infos = List.copyOf(infos);
        distances = List.copyOf(distances);
        memoryAttributes = List.copyOf(memoryAttributes);
        cpuKinds = List.copyOf(cpuKinds);
        memoryTiers = List.copyOf(memoryTiers);
        pciLocalities = List.copyOf(pciLocalities);
        links = List.copyOf(links);
    }

    /** Returns details with nothing but the origin. */
    public static MachineDetails of(String source, boolean isThisSystem) {
        return new MachineDetails(
                source,
                isThisSystem,
                null,
                null,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** Returns these details with other sets of what is allowed. */
    public MachineDetails withAllowed(@Nullable IndexSet cpus, @Nullable IndexSet nodes) {
        return new MachineDetails(
                source,
                isThisSystem,
                cpus,
                nodes,
                infos,
                distances,
                memoryAttributes,
                cpuKinds,
                memoryTiers,
                pciLocalities,
                links);
    }

    /** Returns these details with other pairs of texts. */
    public MachineDetails withInfos(List<Info> others) {
        return new MachineDetails(
                source,
                isThisSystem,
                allowedCpus,
                allowedNodes,
                others,
                distances,
                memoryAttributes,
                cpuKinds,
                memoryTiers,
                pciLocalities,
                links);
    }

    /** Returns these details with other links. */
    public MachineDetails withLinks(List<Link> others) {
        return new MachineDetails(
                source,
                isThisSystem,
                allowedCpus,
                allowedNodes,
                infos,
                distances,
                memoryAttributes,
                cpuKinds,
                memoryTiers,
                pciLocalities,
                others);
    }

    /** Returns these details with another origin. */
    public MachineDetails from(String origin, boolean thisSystem) {
        return new MachineDetails(
                origin,
                thisSystem,
                allowedCpus,
                allowedNodes,
                infos,
                distances,
                memoryAttributes,
                cpuKinds,
                memoryTiers,
                pciLocalities,
                links);
    }

    /** Returns these details without numbers of objects that are not there. */
    MachineDetails about(Set<Long> objects) {
        List<Distances> known = distances.stream()
                .filter(its -> objects.containsAll(its.objects))
                .toList();
        List<MemoryAttribute> attributes = memoryAttributes.stream()
                .map(its -> new MemoryAttribute(
                        its.name,
                        its.flags,
                        its.values.stream()
                                .filter(value -> objects.contains(value.target))
                                .toList()))
                .toList();
        return new MachineDetails(
                source,
                isThisSystem,
                allowedCpus,
                allowedNodes,
                infos,
                known,
                attributes,
                cpuKinds,
                memoryTiers,
                pciLocalities,
                links);
    }

    /**
     * Numbers for all pairs of some objects, in the order of rows: the first object to each, and so on.
     *
     * @param name such as {@code NUMALatency}; may be empty
     * @param kind hwloc's bits
     * @param objects their {@link MachineObject#id}
     * @param values latencies relative to each other; bandwidths in MB/s, of 10^6 bytes
     */
    public record Distances(String name, long kind, List<Long> objects, List<Long> values) {
        /** The bit of {@link #kind} that says that values are bandwidths. */
        public static final long BANDWIDTH = 1 << 3;

        public Distances {
            objects = List.copyOf(objects);
            values = List.copyOf(values);
            if (values.size() != objects.size() * objects.size()) {
                throw new IllegalArgumentException("distances " + name + " have " + values.size() + " values for "
                        + objects.size() + " objects; expected " + (long) objects.size() * objects.size());
            }
        }

        /** Returns the value from an object to another, by their places in {@link #objects}. */
        public long value(int from, int to) {
            return values.get(from * objects.size() + to);
        }
    }

    /**
     * A number for each NUMA node and the processors that access it: a bandwidth in MiB/s, of 2^20 bytes, or a latency
     * in ns.
     *
     * @param flags hwloc's bits
     */
    public record MemoryAttribute(String name, long flags, List<Value> values) {
        public MemoryAttribute {
            values = List.copyOf(values);
        }

        /**
         * A number.
         *
         * @param target the {@link MachineObject#id} of the memory
         * @param initiator the processors that access it; null if the value is the same for all
         */
        public record Value(long target, @Nullable IndexSet initiator, long value) {}
    }

    /**
     * Processors of one kind in a machine that has several.
     *
     * @param efficiency larger for faster ones; -1 if unknown
     */
    public record CpuKind(IndexSet cpus, long efficiency, List<Info> infos) {
        public CpuKind {
            infos = List.copyOf(infos);
        }
    }

    /**
     * NUMA nodes with memory of one kind, the best tier first.
     *
     * @param kinds hwloc's bits
     */
    public record MemoryTier(long kinds, IndexSet nodes) {}

    /** The processors near to some busses of a PCI domain. */
    public record PciLocality(long domain, long firstBus, long lastBus, IndexSet cpus) {}

    /**
     * The speed of copies from one memory to another.
     *
     * @param from {@code host}, or the name of a device
     * @param latencyNanos 0 if it is not known
     */
    public record Link(String from, String to, long bytesPerSecond, long latencyNanos) {}
}

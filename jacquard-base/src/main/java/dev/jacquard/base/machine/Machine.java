package dev.jacquard.base.machine;

import dev.jacquard.base.machine.MachineDetails.Distances;
import dev.jacquard.base.machine.MachineDetails.Link;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Property;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A machine as a tree of objects: packages, caches, cores, processing units, NUMA nodes, devices. Immutable.
 *
 * <pre>{@code
 * Machine machine = Machine.current();
 * long cores = machine.get(Property.NB_CORE).orElseThrow();
 * long tile = machine.cacheBytes(2).orElse(1 << 20) / 3 / Double.BYTES;
 * }</pre>
 *
 * <p>{@link #current()} is this machine: from a library that a {@link Source} knows, else from the files of the
 * operating system, and always with the processors only that this process may use. Files in the format of hwloc are
 * read elsewhere, since this module needs no XML.
 */
public final class Machine {
    /** No object is deeper. */
    public static final int MOST_LEVELS = 128;

    private final MachineObject root;
    private final MachineDetails details;
    private final Map<Long, MachineObject> byId;

    /**
     * Where descriptions of this machine come from, apart from the system's files. Found as a service. Threads: any.
     */
    public interface Source {
        /**
         * Describes this machine with all processors that it has.
         *
         * @throws IOException with the reason if it cannot
         */
        Machine describe() throws IOException;
    }

    private Machine(MachineDraft draft, MachineDetails details) {
        Set<Long> given = new HashSet<>();
        AtomicLong next = new AtomicLong(check(draft, null, 1, given, new HashSet<>()));
        root = new MachineObject(draft, null, its -> its.id > 0 ? its.id : next.incrementAndGet());
        Map<Long, MachineObject> all = new HashMap<>();
        root.stream().forEach(object -> all.put(object.id(), object));
        byId = Map.copyOf(all);
        this.details = details.about(byId.keySet());
        if (root.stream().noneMatch(object -> object.kind() == Kind.PU)) {
            throw new IllegalArgumentException("the machine has no processing unit (PU); expected at least one");
        }
    }

    /**
     * Makes a machine of a description.
     *
     * @throws IllegalArgumentException if the root is no machine, an object is deeper than {@link #MOST_LEVELS}, two
     *     objects have one id, two processing units or NUMA nodes one number of the system, or there is no processing
     *     unit
     */
    public static Machine of(MachineDraft root, MachineDetails details) {
        if (root.kind != Kind.MACHINE) {
            throw new IllegalArgumentException("the root is a " + root.kind + "; expected " + Kind.MACHINE);
        }
        return new Machine(root, details);
    }

    /** Checks a draft and those below it. Returns the largest id. */
    private static long check(
            MachineDraft draft, @Nullable MachineDraft above, int level, Set<Long> ids, Set<String> numbers) {
        if (level > MOST_LEVELS) {
            throw new IllegalArgumentException("objects are nested more than " + MOST_LEVELS + " deep");
        }
        if (draft.id > 0 && !ids.add(draft.id)) {
            throw new IllegalArgumentException("two objects have the id " + draft.id);
        }
        if (draft.kind == Kind.MACHINE && above != null) {
            throw new IllegalArgumentException("a machine within a " + above.kind + "; expected one machine, the root");
        }
        boolean isNumbered = draft.kind == Kind.PU || draft.kind == Kind.NUMA_NODE;
        if (isNumbered && !numbers.add(draft.kind + " " + draft.osIndex)) {
            throw new IllegalArgumentException("two objects are " + draft.kind + " " + draft.osIndex);
        }
        if (draft.kind == Kind.PU && (draft.osIndex < 0 || draft.osIndex >= IndexSet.MOST)) {
            throw new IllegalArgumentException("a processing unit has the number " + draft.osIndex
                    + " of the system; expected 0 to " + (IndexSet.MOST - 1));
        }
        long largest = draft.id;
        for (MachineDraft child : draft.children) {
            largest = Math.max(largest, check(child, draft, level + 1, ids, numbers));
        }
        return largest;
    }

    /**
     * Returns this machine, with the processors that this process may use. Described on the first call, which may take
     * a second, and not again. Never fails: where nothing can be found out there are as many processing units as
     * {@link #availableProcessors}.
     */
    public static Machine current() {
        return CurrentMachine.MACHINE;
    }

    /** Returns how many processors this process may use at once, as the JVM counts them. Describes no machine. */
    public static int availableProcessors() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Returns the object above all others. */
    public MachineObject root() {
        return root;
    }

    /** Returns a description of the tree, to be changed. */
    public MachineDraft draft() {
        return root.draft(root.cpus());
    }

    /** Returns what is known next to the tree. */
    public MachineDetails details() {
        return details;
    }

    /** Returns all objects, each before those below it. */
    public Stream<MachineObject> objects() {
        return root.stream();
    }

    /** Returns the objects of a kind, in the order of the tree. */
    public Stream<MachineObject> objects(Kind kind) {
        return objects().filter(object -> object.kind() == kind);
    }

    /** Returns the object with an id, if there is one. */
    public Optional<MachineObject> object(long id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** Returns a property of the whole machine. */
    public <T> Optional<T> get(Property<T> key) {
        return root.get(key);
    }

    /** Returns how many processors can work at once: the processing units, within the limit of time if there is one. */
    public int processors() {
        long units = get(Property.NB_PU).orElse(1L);
        return (int) Math.clamp(Math.ceil(get(Property.CPU_LIMIT).orElse((double) units)), 1.0, (double) units);
    }

    /** Returns the size of the smallest cache for data of a level, in bytes; empty if none has a known size. */
    public OptionalLong cacheBytes(int level) {
        return dataCaches(level).mapToLong(Machine::size).min();
    }

    private Stream<MachineObject> dataCaches(int level) {
        return objects()
                .filter(object -> object.kind().isCache()
                        && object.get(Property.CACHE_LEVEL).orElse(0L) == level
                        && object.get(Property.CACHE_TYPE).orElse(0L) != 2
                        && size(object) > 0);
    }

    private static long size(MachineObject cache) {
        return cache.get(Property.CACHE_SIZE).orElse(0L);
    }

    /**
     * Returns the bytes that a core has of the caches for data of a level: the least of the shares of cores that use
     * one together; empty if no such cache has a known size.
     */
    public OptionalLong cacheBytesPerCore(int level) {
        return dataCaches(level)
                .mapToLong(cache ->
                        size(cache) / Math.max(1, cache.get(Property.NB_CORE).orElse(1L)))
                .min();
    }

    /**
     * Returns the bytes of cache that a core of this machine has: of the second level, or of the third where the second
     * is not known; empty where neither is. Read on the first call, from the system's files alone, which takes some 20
     * milliseconds: for the sizes of blocks that a core works on again and again.
     */
    public static OptionalLong cacheOfCore() {
        return CoreCache.OF_CORE;
    }

    /** Returns the links that were measured, and those that distances of bandwidths tell, by names of objects. */
    public List<Link> links() {
        List<Link> links = new ArrayList<>(details.links());
        for (Distances distances : details.distances()) {
            if ((distances.kind() & Distances.BANDWIDTH) != 0) {
                addLinks(distances, links);
            }
        }
        return links;
    }

    private void addLinks(Distances distances, List<Link> links) {
        for (int from = 0; from < distances.objects().size(); from++) {
            for (int to = 0; to < distances.objects().size(); to++) {
                long megabytes = distances.value(from, to);
                if (from != to && megabytes > 0 && megabytes < Long.MAX_VALUE / 1_000_000) {
                    links.add(new Link(
                            end(distances.objects().get(from)),
                            end(distances.objects().get(to)),
                            megabytes * 1_000_000,
                            0));
                }
            }
        }
    }

    private String end(long id) {
        return object(id)
                .map(it -> it.get(Property.PCI_BUS_ID)
                        .filter(_ -> it.name().isEmpty())
                        .orElse(it.name().isEmpty() ? it.toString() : it.name()))
                .orElse("object " + id);
    }

    /** Returns this machine with other measured links. */
    public Machine withLinks(List<Link> links) {
        return new Machine(draft(), details.withLinks(links));
    }

    /**
     * Returns this machine with further devices. One with a {@link Property#PCI_BUS_ID} that is in the tree goes there,
     * any other below the machine.
     */
    public Machine withDevices(List<MachineDraft> devices) {
        MachineDraft draft = draft();
        for (MachineDraft device : devices) {
            Object bus = device.properties.get(Property.PCI_BUS_ID.name());
            MachineDraft above = bus == null ? null : pciDevice(draft, bus);
            (above == null ? draft : above).add(device);
        }
        return new Machine(draft, details);
    }

    private static @Nullable MachineDraft pciDevice(MachineDraft draft, Object bus) {
        if (draft.kind == Kind.PCI_DEVICE && bus.equals(draft.properties.get(Property.PCI_BUS_ID.name()))) {
            return draft;
        }
        for (MachineDraft child : draft.children) {
            MachineDraft found = pciDevice(child, bus);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /**
     * Returns this machine without the processors out of a set, and without packages, caches and cores that then have
     * none and hold no memory or device. If no processor would be left, the machine is unchanged.
     */
    public Machine restrictedTo(IndexSet cpus) {
        if (cpus.containsAll(root.cpus()) || !cpus.intersects(root.cpus())) {
            return this;
        }
        return new Machine(root.draft(cpus), details.withAllowed(cpus.and(root.cpus()), details.allowedNodes()));
    }
}

package dev.jacquard.base.machine;

import dev.jacquard.base.machine.MachineObject.Info;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Property;
import dev.jacquard.base.machine.MachineObject.Sets;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The machine as Linux describes it in {@code /sys} and {@code /proc}: processors that are online, packages, dies,
 * caches, NUMA nodes. Each is a set of processors, and the tree follows from the sets alone.
 *
 * <pre>
 *  cpu/cpuN/topology --> PU, core, die, package  \
 *  cpu/cpuN/cache    --> caches                    sets --nested()--> tree, with the NUMA nodes at their sets
 *  node/nodeN        --> NUMA nodes              /
 * </pre>
 *
 * <p>Source: the kernel's {@code admin-guide/cputopology.rst} and {@code ABI/testing/sysfs-devices-system-cpu}.
 * Confined to one thread.
 */
final class SystemFiles {
    private static final Pattern SIZE = Pattern.compile("(\\d+)([KMG]?)");
    private static final Pattern NODE = Pattern.compile("node(\\d+)");
    private static final Pattern MEMORY = Pattern.compile("MemTotal:\\s*(\\d+) kB");
    private static final int MOST_CACHES = 16;

    private final Path files;
    private final Path cpus;
    /** All objects that hold processors, by kind and set; the first of each stays. */
    private final Map<String, MachineDraft> found = new LinkedHashMap<>();

    SystemFiles(Path files) {
        this.files = files;
        cpus = files.resolve("sys/devices/system/cpu");
    }

    /**
     * Describes the machine with all processors that are online.
     *
     * @throws IOException if there are no such files
     */
    Machine machine() throws IOException {
        IndexSet online = IndexSet.ofList(Files.readString(cpus.resolve("online")));
        IndexSet possible = list(cpus.resolve("possible")).orElse(online);
        for (int cpu : online.stream().toArray()) {
            addProcessor(cpu, online);
        }
        MachineDraft root = new MachineDraft(Kind.MACHINE).osIndex(0);
        root.sets(new Sets(online, online.or(possible), null, null));
        nest(root);
        addNodes(root, online);
        List<Info> infos = new ArrayList<>();
        info("OSName", "sys/kernel/ostype", infos);
        info("OSRelease", "sys/kernel/osrelease", infos);
        infos.add(new Info("Architecture", System.getProperty("os.arch", "unknown")));
        MachineDetails blank = MachineDetails.of("the files of the operating system", true);
        return Machine.of(root, blank.withInfos(infos));
    }

    private void info(String name, String file, List<Info> infos) {
        text(files.resolve("proc").resolve(file)).ifPresent(value -> infos.add(new Info(name, value)));
    }

    private void addProcessor(int cpu, IndexSet online) {
        Path folder = cpus.resolve("cpu" + cpu);
        Path topology = folder.resolve("topology");
        IndexSet alone = IndexSet.of(cpu);
        add(
                new MachineDraft(Kind.PACKAGE),
                topology,
                online,
                "physical_package_id",
                "package_cpus_list",
                "core_siblings_list");
        if (number(topology.resolve("die_id")).orElse(-1) > 0) {
            add(new MachineDraft(Kind.DIE), topology, online, "die_id", "die_cpus_list");
        }
        for (int index = 0; index < MOST_CACHES; index++) {
            Path cache = folder.resolve("cache/index" + index);
            if (!Files.isDirectory(cache)) {
                break;
            }
            addCache(cache, alone, online);
        }
        add(new MachineDraft(Kind.CORE), topology, online, "core_id", "core_cpus_list", "thread_siblings_list");
        keep(new MachineDraft(Kind.PU).osIndex(cpu), alone);
    }

    /** Adds an object with the processors that the first of some files lists. */
    private void add(MachineDraft object, Path folder, IndexSet online, String idFile, String... listFiles) {
        for (String file : listFiles) {
            Optional<IndexSet> listed =
                    list(folder.resolve(file)).map(online::and).filter(set -> !set.isEmpty());
            if (listed.isPresent()) {
                number(folder.resolve(idFile)).filter(id -> id >= 0).ifPresent(object::osIndex);
                keep(object, listed.get());
                return;
            }
        }
    }

    private void addCache(Path folder, IndexSet alone, IndexSet online) {
        int level = number(folder.resolve("level")).orElse(0);
        String type = text(folder.resolve("type")).orElse("");
        Kind kind = cacheKind(level, type.equals("Instruction"));
        if (kind == null) {
            return;
        }
        MachineDraft cache = new MachineDraft(kind)
                .put(Property.CACHE_LEVEL, (long) level)
                .put(Property.CACHE_TYPE, type.equals("Data") ? 1L : type.equals("Instruction") ? 2L : 0L)
                .put(
                        Property.CACHE_SIZE,
                        text(folder.resolve("size")).map(SystemFiles::bytes).orElse(0L))
                .put(Property.CACHE_LINE_SIZE, (long)
                        number(folder.resolve("coherency_line_size")).orElse(0))
                .put(Property.CACHE_ASSOCIATIVITY, (long)
                        number(folder.resolve("ways_of_associativity")).orElse(0));
        keep(
                cache,
                list(folder.resolve("shared_cpu_list"))
                        .map(online::and)
                        .orElse(alone)
                        .or(alone));
    }

    private static @Nullable Kind cacheKind(int level, boolean forInstructions) {
        return switch (level) {
            case 1 -> forInstructions ? Kind.L1_INSTRUCTION_CACHE : Kind.L1_CACHE;
            case 2 -> forInstructions ? Kind.L2_INSTRUCTION_CACHE : Kind.L2_CACHE;
            case 3 -> forInstructions ? Kind.L3_INSTRUCTION_CACHE : Kind.L3_CACHE;
            case 4 -> forInstructions ? null : Kind.L4_CACHE;
            case 5 -> forInstructions ? null : Kind.L5_CACHE;
            default -> null;
        };
    }

    private void keep(MachineDraft object, IndexSet its) {
        found.putIfAbsent(object.kind + " " + its, object.cpus(its));
    }

    /**
     * Nests the objects: each in the smallest that holds all of its processors. One that overlaps others is left out.
     */
    private void nest(MachineDraft root) {
        List<MachineDraft> all = new ArrayList<>(found.values());
        all.sort(Comparator.<MachineDraft>comparingInt(object -> -cpusOf(object).size())
                .thenComparing(object -> object.kind)
                .thenComparing(object -> cpusOf(object).first().orElse(0)));
        for (MachineDraft object : all) {
            MachineDraft above = smallestAround(root, cpusOf(object));
            if (above.children.stream().noneMatch(sibling -> cpusOf(sibling).intersects(cpusOf(object)))) {
                above.add(object);
            }
        }
    }

    private static MachineDraft smallestAround(MachineDraft from, IndexSet its) {
        for (MachineDraft child : from.children) {
            if (cpusOf(child).containsAll(its)) {
                return smallestAround(child, its);
            }
        }
        return from;
    }

    private static IndexSet cpusOf(MachineDraft object) {
        return Objects.requireNonNullElse(object.sets.cpus(), IndexSet.EMPTY);
    }

    /** Adds the NUMA nodes; a kernel without them has one. Sets the nodes of each object that holds processors. */
    private void addNodes(MachineDraft root, IndexSet online) {
        Map<Integer, IndexSet> nodes = new TreeMap<>();
        Map<Integer, Long> bytes = new TreeMap<>();
        try (DirectoryStream<Path> folders =
                Files.newDirectoryStream(files.resolve("sys/devices/system/node"), "node*")) {
            for (Path folder : folders) {
                Matcher name = NODE.matcher(String.valueOf(folder.getFileName()));
                if (name.matches()) {
                    int number = Integer.parseInt(name.group(1));
                    nodes.put(
                            number,
                            list(folder.resolve("cpulist"))
                                    .orElse(IndexSet.EMPTY)
                                    .and(online));
                    bytes.put(number, memory(folder.resolve("meminfo")));
                }
            }
        } catch (IOException e) {
            nodes.clear(); // a kernel without NUMA
        }
        if (nodes.isEmpty()) {
            nodes.put(0, online);
            bytes.put(0, memory(files.resolve("proc/meminfo")));
        }
        nodes.forEach((number, its) -> placeOf(root, its)
                .children
                .addFirst(new MachineDraft(Kind.NUMA_NODE)
                        .osIndex(number)
                        .sets(new Sets(its, its, IndexSet.of(number), IndexSet.of(number)))
                        .put(Property.LOCAL_MEMORY, bytes.getOrDefault(number, 0L))));
        setNodes(root, nodes);
        IndexSet all =
                IndexSet.of(nodes.keySet().stream().mapToInt(Integer::intValue).toArray());
        root.sets(new Sets(root.sets.cpus(), root.sets.completeCpus(), all, all));
    }

    /** Returns the object that a node belongs to: with the same processors, above caches; made where there is none. */
    private static MachineDraft placeOf(MachineDraft root, IndexSet its) {
        if (its.isEmpty()) {
            return root;
        }
        MachineDraft around = root;
        while (true) {
            MachineDraft next = around.children.stream()
                    .filter(child -> !child.kind.isMemory() && !child.kind.isCache() && child.kind != Kind.CORE)
                    .filter(child -> child.kind != Kind.PU && cpusOf(child).containsAll(its))
                    .findFirst()
                    .orElse(null);
            if (next == null) {
                break;
            }
            around = next;
        }
        return cpusOf(around).equals(its) ? around : group(around, its);
    }

    /** Puts those children into a new group that have all their processors in a set. */
    private static MachineDraft group(MachineDraft around, IndexSet its) {
        List<MachineDraft> within = around.children.stream()
                .filter(child -> child.kind.holdsProcessors() && its.containsAll(cpusOf(child)))
                .toList();
        IndexSet together = within.stream().map(SystemFiles::cpusOf).reduce(IndexSet.EMPTY, IndexSet::or);
        if (!together.equals(its)) {
            return around; // the node's processors are some of a core's, or of a cache's
        }
        MachineDraft group = new MachineDraft(Kind.GROUP).cpus(its);
        int first = around.children.indexOf(within.getFirst());
        around.children.removeAll(within);
        around.children.add(Math.min(first, around.children.size()), group);
        group.children.addAll(within);
        return group;
    }

    private static void setNodes(MachineDraft object, Map<Integer, IndexSet> nodes) {
        if (object.kind.isMemory()) {
            return;
        }
        IndexSet its = cpusOf(object);
        IndexSet near = IndexSet.of(nodes.entrySet().stream()
                .filter(node -> node.getValue().intersects(its))
                .mapToInt(Map.Entry::getKey)
                .toArray());
        object.sets(new Sets(its, object.sets.completeCpus(), near, near));
        object.children.forEach(child -> setNodes(child, nodes));
    }

    private static long memory(Path file) {
        return text(file)
                .map(MEMORY::matcher)
                .filter(Matcher::find)
                .map(found -> 1024 * Long.parseLong(found.group(1)))
                .orElse(0L);
    }

    /** Reads {@code 48K}, {@code 32M}. */
    static long bytes(String size) {
        Matcher parts = SIZE.matcher(size);
        if (!parts.matches()) {
            return 0;
        }
        int shift = 10 * " KMG".indexOf(parts.group(2).isEmpty() ? " " : parts.group(2));
        return Long.parseLong(parts.group(1)) << shift;
    }

    private static Optional<Integer> number(Path file) {
        return text(file).filter(digits -> digits.matches("-?\\d{1,9}")).map(Integer::valueOf);
    }

    private static Optional<IndexSet> list(Path file) {
        return text(file).map(IndexSet::ofList);
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            return Optional.empty(); // this kernel has no such file
        }
    }
}

package dev.jacquard.libraries.hwloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.base.machine.IndexSet;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.base.machine.MachineDetails.Link;
import dev.jacquard.base.machine.MachineDetails.MemoryTier;
import dev.jacquard.base.machine.MachineDraft;
import dev.jacquard.base.machine.MachineObject;
import dev.jacquard.base.machine.MachineObject.DeviceKind;
import dev.jacquard.base.machine.MachineObject.Info;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Pages;
import dev.jacquard.base.machine.MachineObject.Property;
import dev.jacquard.libraries.hwloc.HwlocFile.Version;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Machines in the format of hwloc: of both versions, and of all oddities that files in the wild have. */
class HwlocFileTest {
    /** Files of others, where {@code JACQUARD_DATA} names a folder with them. */
    private static final Path DATA = Path.of(System.getenv().getOrDefault("JACQUARD_DATA", ""), "hwloc");

    private static HwlocFile read(String text) throws IOException {
        return HwlocFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test.xml");
    }

    private static String text(String resource) throws IOException {
        return new String(MutatedFiles.bundled(resource), StandardCharsets.UTF_8);
    }

    private static Machine gpus() throws IOException {
        return read(text("gpus-3.xml")).machine();
    }

    private static Machine byHand() throws IOException {
        return read(text("by-hand-2.xml")).machine();
    }

    private static MachineObject named(Machine machine, String name) {
        return machine.objects()
                .filter(its -> its.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Long> counts(Machine machine) {
        return Stream.of(Property.NB_PU, Property.NB_CORE, Property.NB_PACKAGE, Property.NB_NUMA, Property.NB_GPU)
                .map(key -> machine.get(key).orElseThrow())
                .toList();
    }

    @Test
    void objectsAreCounted() throws IOException {
        assertEquals(List.of(4L, 3L, 2L, 2L, 1L), counts(gpus()));
        assertEquals(List.of(4L, 2L, 0L, 1L, 2L), counts(byHand()));
    }

    /** The least share of a core, in KiB, of the second and the third level; 0 where the file has none. */
    @ParameterizedTest
    @CsvSource({
        "16em64t-4s2c2t.xml, 1024, 2048",
        "192em64t-12gr2n8c2t.xml, 256, 2560",
        "96em64t-4n4d3ca2co-pci.xml, 1536, 2730",
        "nvidia-dgx-gb10.xml, 512, 819",
        "power8gpudistances.xml, 0, 8192",
        "fakecpukinds.xml, 0, 0"
    })
    void coresShareCaches(String name, long second, long third) throws IOException {
        assumeTrue(Files.exists(DATA.resolve(name)), "JACQUARD_DATA names no folder with hwloc/" + name);
        Machine machine = HwlocFile.read(DATA.resolve(name)).machine();
        assertEquals(second, machine.cacheBytesPerCore(2).orElse(0) >> 10);
        assertEquals(third, machine.cacheBytesPerCore(3).orElse(0) >> 10);
    }

    /** From the 65th processor on, words of masks are left out that are 0. */
    @Test
    void wordsOfMasksMayBeEmpty() throws IOException {
        Machine machine = gpus();
        assertEquals("0-1,64-65", machine.root().cpus().toString());
        assertEquals("0-2,64-65", String.valueOf(machine.root().sets().completeCpus()));
        assertEquals(
                "64",
                machine.objects(Kind.PU)
                        .skip(2)
                        .findFirst()
                        .orElseThrow()
                        .cpus()
                        .toString());
        assertTrue(new HwlocFile(Version.V3, machine).toXml().contains("cpuset=\"0x00000001,,0x0\""));
    }

    @Test
    void bothVersionsOfDevicesAreRead() throws IOException {
        assertEquals(
                Set.of(DeviceKind.GPU, DeviceKind.COPROCESSOR),
                named(gpus(), "cuda0").deviceKinds());
        assertEquals(
                Set.of(DeviceKind.NETWORK, DeviceKind.OPENFABRICS),
                named(gpus(), "mlx5_0").deviceKinds());
        assertEquals(Set.of(DeviceKind.GPU), named(gpus(), "card0").deviceKinds());
        assertEquals(
                Set.of(DeviceKind.GPU, DeviceKind.COPROCESSOR),
                named(byHand(), "cuda0").deviceKinds());
        assertEquals(
                Set.of(DeviceKind.GPU, DeviceKind.COPROCESSOR),
                named(byHand(), "nvml1").deviceKinds(),
                "version 2 calls the co-processors of NVML plain GPUs");
        assertEquals(Set.of(DeviceKind.STORAGE), named(byHand(), "sda").deviceKinds());
        assertEquals(Set.of(DeviceKind.NETWORK), named(byHand(), "eth0").deviceKinds());
        assertEquals(
                Set.of(DeviceKind.NETWORK, DeviceKind.OPENFABRICS),
                named(byHand(), "mlx5_0").deviceKinds());
        assertEquals(Set.of(DeviceKind.DMA), named(byHand(), "dma0").deviceKinds());
        assertEquals(Set.of(DeviceKind.GPU), named(byHand(), "card0").deviceKinds());
    }

    /** Version 2 has sizes in KiB without a unit; a device on the host's bus has the processors near to it. */
    @Test
    void devicesHaveTypedProperties() throws IOException {
        MachineObject cuda = named(gpus(), "cuda0");
        assertEquals(1L << 30, cuda.get(Property.MEMORY_SIZE).orElseThrow());
        assertEquals(56, cuda.get(Property.COMPUTE_UNITS).orElseThrow());
        assertEquals("Model X", cuda.get(Property.MODEL).orElseThrow());
        assertEquals("0-1", cuda.cpus().toString());
        assertEquals(2 << 20, named(byHand(), "cuda0").get(Property.MEMORY_SIZE).orElseThrow());
        assertEquals(
                List.of(new Info("Size", "1000KiB"), new Info("SectorSize", "512")),
                named(byHand(), "sda").infos());
    }

    @Test
    void infosOfTheSystemBelongToNoObject() throws IOException {
        List<String> ofRoot = byHand().root().infos().stream().map(Info::name).toList();
        assertEquals(List.of("DMIBoardName"), ofRoot);
        List<String> others =
                byHand().details().infos().stream().map(Info::name).toList();
        assertEquals(List.of("Backend", "OSName", "hwlocVersion"), others);
        String asTwo = new HwlocFile(Version.V2, gpus()).toXml();
        assertTrue(
                asTwo.indexOf("<info name=\"Backend\"") < asTwo.indexOf("<object type=\"Package\""),
                "version 2 has them in the root");
        assertEquals("A & B", gpus().root().infos().getFirst().value());
    }

    @Test
    void pagesOfNodesBecomeAnInfo() throws IOException {
        MachineObject node = byHand().objects(Kind.NUMA_NODE).findFirst().orElseThrow();
        Pages pages = new Pages(new TreeMap<>(Map.of(4096L, 1000L, 2097152L, 3L)));
        assertEquals(pages, node.get(Property.PAGES).orElseThrow());
        String asThree = new HwlocFile(Version.V3, byHand()).toXml();
        assertFalse(asThree.contains("page_type"));
        assertTrue(asThree.contains("<info name=\"PageSizes\" value=\"4096,2097152\"/>"), asThree);
    }

    @Test
    void memoryTiersAreElementsOrInfos() throws IOException {
        List<MemoryTier> tiers = gpus().details().memoryTiers();
        assertEquals("[MemoryTier[kinds=1, nodes=1], MemoryTier[kinds=2, nodes=0]]", tiers.toString());
        String asTwo = new HwlocFile(Version.V2, gpus()).toXml();
        assertFalse(asTwo.contains("memtier"));
        assertTrue(asTwo.contains("<info name=\"MemoryTiersNr\" value=\"2\"/>"), asTwo);
        assertEquals(
                "[MemoryTier[kinds=0, nodes=1], MemoryTier[kinds=0, nodes=0]]",
                read(asTwo).machine().details().memoryTiers().toString());
        assertEquals(
                "[MemoryTier[kinds=0, nodes=0]]",
                byHand().details().memoryTiers().toString());
    }

    @Test
    void cachesThatIncludeOthersSaySoInBothVersions() throws IOException {
        Property<Long> inclusive = HwlocNames.CACHE_INCLUSIVE;
        assertEquals(
                1,
                byHand().objects(Kind.L3_CACHE)
                        .findFirst()
                        .orElseThrow()
                        .get(inclusive)
                        .orElseThrow());
        assertEquals(
                1,
                gpus().objects(Kind.L2_CACHE)
                        .findFirst()
                        .orElseThrow()
                        .get(inclusive)
                        .orElseThrow());
        assertTrue(new HwlocFile(Version.V2, gpus()).toXml().contains("<info name=\"Inclusive\" value=\"1\"/>"));
        assertTrue(new HwlocFile(Version.V3, byHand()).toXml().contains("cache_inclusive=\"1\""));
    }

    /** Numbers of objects may be in any order, and begin anywhere. */
    @Test
    void distancesReferToObjectsByTheirNumbers() throws IOException {
        Machine machine = byHand();
        var distances = machine.details().distances().getFirst();
        assertEquals(List.of(30L, 3L), distances.objects());
        assertEquals(20, distances.value(0, 1));
        assertEquals(30, distances.value(1, 0));
        assertEquals("0-1", machine.object(30).orElseThrow().cpus().toString());
        var hops = machine.details().distances().get(1);
        assertEquals(List.of(21L, 1L), hops.objects(), "processing units by the number of the system");
        assertEquals(HwlocNames.HOPS_BIT, hops.kind(), "version 2 calls them latencies");
    }

    /** Links have megabytes of 10^6 bytes, attributes of memories of 2^20. */
    @Test
    void bandwidthsOfDevicesAreLinks() throws IOException {
        Machine machine = gpus();
        assertEquals(
                List.of(
                        new Link("nvml0", "Package 1", 40_000_000_000L, 0),
                        new Link("Package 1", "nvml0", 20_000_000_000L, 0)),
                machine.links());
        var bandwidth = machine.details().memoryAttributes().getFirst();
        assertEquals("Bandwidth", bandwidth.name());
        assertEquals(90_000, bandwidth.values().get(1).value());
        assertEquals("64-65", String.valueOf(bandwidth.values().get(1).initiator()));
    }

    @Test
    void linesMayEndAsOnWindows() throws IOException {
        Machine machine = read(text("by-hand-2.xml").replace("\n", "\r\n")).machine();
        assertEquals(counts(byHand()), counts(machine));
    }

    /** As hwloc makes them for {@code numa:4 core:2}: a group for each node. */
    @Test
    void nodesWithoutAPackageHaveGroups() throws IOException {
        StringBuilder text = new StringBuilder("<topology version=\"2.0\"><object type=\"Machine\" cpuset=\"0xff\">");
        for (int node = 0; node < 4; node++) {
            int first = 2 * node;
            String cpus = cpus(first, first + 1);
            text.append("<object type=\"Group\" kind=\"1001\" subkind=\"0\"" + cpus + ">");
            text.append("<object type=\"NUMANode\" os_index=\"" + node + "\"" + cpus + "/>");
            for (int core = first; core < first + 2; core++) {
                String numbered = " os_index=\"" + core + "\"" + cpus(core);
                text.append("<object type=\"Core\"" + numbered + "><object type=\"PU\"" + numbered + "/></object>");
            }
            text.append("</object>");
        }
        Machine machine = read(text + "</object></topology>").machine();
        assertEquals(List.of(8L, 8L, 0L, 4L, 0L), counts(machine));
        assertEquals(4, machine.objects(Kind.GROUP).count());
        assertEquals(
                machine.objects().count(),
                machine.objects().map(MachineObject::id).distinct().count(),
                "objects without a number get one");
        assertTrue(new HwlocFile(Version.V2, machine).toXml().contains("kind=\"1001\" subkind=\"0\""));
    }

    private static String cpus(int... numbers) {
        return " cpuset=\"" + IndexSet.of(numbers).mask() + "\"";
    }

    /** hwloc binds to a machine of a file without an error and without an effect; ours says that it is another. */
    @Test
    void aMachineOfAFileIsNotThisOne() throws IOException {
        assertFalse(gpus().details().isThisSystem());
        assertEquals("test.xml", gpus().details().source());
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrittenIsReadAgain(Version version) throws IOException {
        for (Machine machine : List.of(gpus(), byHand())) {
            String text = new HwlocFile(version, machine).toXml();
            HwlocFile again = read(text);
            assertEquals(version, again.version());
            assertEquals(counts(machine), counts(again.machine()));
            assertEquals(
                    machine.details().distances(), again.machine().details().distances());
            assertEquals(
                    machine.details().memoryAttributes(),
                    again.machine().details().memoryAttributes());
            assertEquals(machine.details().cpuKinds(), again.machine().details().cpuKinds());
            assertEquals(text, new HwlocFile(version, again.machine()).toXml());
        }
    }

    /** A file of the same version comes back with all attributes, in the order of lines. */
    @Test
    void nothingIsLostWithinAVersion() throws IOException {
        assertEquals(text("gpus-3.xml"), new HwlocFile(Version.V3, gpus()).toXml());
    }

    @ParameterizedTest
    @EnumSource
    void propertiesOfDevicesThatJoinedAreKept(Version version) throws IOException {
        MachineDraft device = new MachineDraft(Kind.OS_DEVICE)
                .name("opencl3 <\"&\n")
                .deviceKinds(Set.of(DeviceKind.COPROCESSOR))
                .put(Property.WARP_SIZE, 32L)
                .put(Property.MAX_THREAD_BLOCK_SIZE, 1024L)
                .put(Property.MODEL, "M")
                .put(Property.MEMORY_SIZE, 12345L);
        Machine machine = gpus().withDevices(List.of(device));
        Machine again = read(new HwlocFile(version, machine).toXml()).machine();
        MachineObject joined = named(again, "opencl3 <\"&\n");
        assertEquals(32, joined.get(Property.WARP_SIZE).orElseThrow());
        assertEquals(1024, joined.get(Property.MAX_THREAD_BLOCK_SIZE).orElseThrow());
        assertEquals(12345, joined.get(Property.MEMORY_SIZE).orElseThrow());
        assertEquals("M", joined.get(Property.MODEL).orElseThrow());
        assertEquals(2, again.get(Property.NB_GPU).orElseThrow());
    }

    @Test
    void elementsOfLaterVersionsAreSkipped() throws IOException {
        String later = text("gpus-3.xml")
                .replace(
                        "<memtier kinds=\"1\"",
                        "<future><object type=\"PU\"/></future><memtier future=\"1\" kinds=\"1\"");
        assertEquals(counts(gpus()), counts(read(later).machine()));
        assertNull(read(later.replace(" allowed_nodeset=\"0x00000003\"", ""))
                .machine()
                .details()
                .allowedNodes());
    }

    static Stream<String> filesOfOthers() throws IOException {
        Path counts = DATA.resolve("COUNTS.txt");
        return Files.exists(counts) ? Files.readAllLines(counts).stream() : Stream.of("");
    }

    private static final Pattern COUNTS =
            Pattern.compile("(\\S+) v (\\S+) PU (\\d+) Core (\\d+) Package (\\w+) NUMA (\\d+)"
                    + " Group (\\d+) PCIDev (\\d+) gpuOSdev (\\d+) distances (\\d+)");

    @ParameterizedTest
    @MethodSource("filesOfOthers")
    void filesOfOthersHaveTheirCounts(String line) throws IOException {
        assumeTrue(!line.isEmpty(), "JACQUARD_DATA names no folder with hwloc/COUNTS.txt");
        Matcher counts = COUNTS.matcher(line);
        assertTrue(counts.matches(), line);
        HwlocFile file = HwlocFile.read(DATA.resolve(counts.group(1)));
        assertEquals(counts.group(2), file.version().text);
        check(counts, file.machine());
        for (Version version : Version.values()) {
            check(counts, read(new HwlocFile(version, file.machine()).toXml()).machine());
        }
    }

    private static void check(Matcher counts, Machine machine) {
        assertEquals(
                List.of(
                        number(counts, 3),
                        number(counts, 4),
                        number(counts, 5),
                        number(counts, 6),
                        gpus(counts.group(1))),
                counts(machine),
                counts.group(1));
        assertEquals(number(counts, 7), machine.objects(Kind.GROUP).count());
        assertEquals(number(counts, 8), machine.objects(Kind.PCI_DEVICE).count());
        assertEquals(
                number(counts, 9),
                machine.objects()
                        .filter(its -> its.deviceKinds().contains(DeviceKind.COPROCESSOR))
                        .count());
        assertEquals(number(counts, 10), machine.details().distances().size());
    }

    private static long number(Matcher counts, int group) {
        return counts.group(group).equals("None") ? 0 : Long.parseLong(counts.group(group));
    }

    private static long gpus(String file) {
        return switch (file) {
            case "power8gpudistances.xml" -> 4;
            case "v2format/nvidiaDGX2.xml" -> 16;
            case "32em64t-2n8c2t-pci-normalio.xml" -> 2;
            default -> 0;
        };
    }
}

package dev.jacquard.base.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Property;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines from files as Linux has them, written here. */
class SystemFilesTest {
    @TempDir
    Path files;

    private void write(String file, String text) throws IOException {
        Path path = files.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    private void processor(int cpu, int socket, String socketCpus, int core, String coreCpus) throws IOException {
        String topology = "sys/devices/system/cpu/cpu" + cpu + "/topology/";
        write(topology + "physical_package_id", "" + socket);
        write(topology + "package_cpus_list", socketCpus);
        write(topology + "core_id", "" + core);
        write(topology + "core_cpus_list", coreCpus);
    }

    private void cache(int cpu, int index, int level, String type, String size, String cpus) throws IOException {
        String cache = "sys/devices/system/cpu/cpu" + cpu + "/cache/index" + index + "/";
        write(cache + "level", "" + level);
        write(cache + "type", type);
        write(cache + "size", size);
        write(cache + "coherency_line_size", "64");
        write(cache + "ways_of_associativity", "8");
        write(cache + "shared_cpu_list", cpus);
    }

    /**
     * Two packages of two cores of two threads; processor 7 is offline; the node of the second package lacks core 3.
     */
    private void twoPackages() throws IOException {
        write("sys/devices/system/cpu/online", "0-6");
        write("sys/devices/system/cpu/possible", "0-7");
        for (int cpu = 0; cpu < 7; cpu++) {
            int core = cpu / 2;
            String threads = 2 * core + "-" + (2 * core + 1);
            processor(cpu, cpu / 4, cpu < 4 ? "0-3" : "4-7", core % 2, threads);
            cache(cpu, 0, 1, "Data", "32K", threads);
            cache(cpu, 1, 1, "Instruction", "64K", threads);
            cache(cpu, 2, 2, "Unified", "1024K", threads);
            cache(cpu, 3, 3, "Unified", "32M", cpu < 4 ? "0-3" : "4-7");
        }
        write("sys/devices/system/node/node0/cpulist", "0-3");
        write("sys/devices/system/node/node0/meminfo", "Node 0 MemTotal:       16384 kB");
        write("sys/devices/system/node/node1/cpulist", "4-5");
        write("sys/devices/system/node/node1/meminfo", "Node 1 MemTotal:        8192 kB");
        write("sys/devices/system/node/node2/cpulist", "");
    }

    private static String text(MachineObject object) {
        return object.kind() + " " + object.cpus() + (object.children().isEmpty() ? "" : " (")
                + object.children().stream().map(SystemFilesTest::text).collect(Collectors.joining(", "))
                + (object.children().isEmpty() ? "" : ")");
    }

    @Test
    void theTreeFollowsFromTheSets() throws IOException {
        twoPackages();
        Machine machine = new SystemFiles(files).machine();
        MachineObject second = machine.objects(Kind.PACKAGE).skip(1).findFirst().orElseThrow();
        assertEquals("4-6", second.cpus().toString(), "an offline processor is not there");
        assertEquals(7, machine.get(Property.NB_PU).orElseThrow());
        assertEquals(4, machine.get(Property.NB_CORE).orElseThrow());
        assertEquals(3, machine.get(Property.NB_NUMA).orElseThrow());
        assertEquals("0-7", String.valueOf(machine.root().sets().completeCpus()));
        assertEquals(
                "Package 0-3 (NUMANode 0-3, L3Cache 0-3"
                        + " (L2Cache 0-1 (L1Cache 0-1 (L1iCache 0-1 (Core 0-1 (PU 0, PU 1)))),"
                        + " L2Cache 2-3 (L1Cache 2-3 (L1iCache 2-3 (Core 2-3 (PU 2, PU 3))))))",
                text(machine.objects(Kind.PACKAGE).findFirst().orElseThrow()));
        assertEquals(32 << 10, machine.cacheBytes(1).orElseThrow(), "caches of instructions are left out");
        assertEquals(32 << 20, machine.cacheBytes(3).orElseThrow());
        assertEquals(machine.cacheBytesPerCore(2), CoreCache.read(files));
        MachineObject node = machine.objects(Kind.NUMA_NODE)
                .filter(its -> its.osIndex().orElseThrow() == 0)
                .findFirst()
                .orElseThrow();
        assertEquals(16 << 20, node.get(Property.LOCAL_MEMORY).orElseThrow());
    }

    @Test
    void whereNoCacheIsKnownNoneIsOfACore() throws IOException {
        assertTrue(CoreCache.read(files).isEmpty(), "no files at all");
        write("sys/devices/system/cpu/online", "0-1");
        assertTrue(CoreCache.read(files).isEmpty(), "processors without caches");
        write("sys/devices/system/cpu/cpu0/cache/index0/level", "3");
        write("sys/devices/system/cpu/cpu0/cache/index0/type", "Unified");
        write("sys/devices/system/cpu/cpu0/cache/index0/size", "8M");
        write("sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list", "0-1");
        for (int cpu = 0; cpu < 2; cpu++) {
            write("sys/devices/system/cpu/cpu" + cpu + "/topology/core_cpus_list", "" + cpu);
        }
        assertEquals(4 << 20, CoreCache.read(files).orElseThrow(), "the third level, shared by two cores");
    }

    @Test
    void coresMayHaveNoNode() throws IOException {
        twoPackages();
        Machine machine = new SystemFiles(files).machine();
        MachineObject core = machine.objects(Kind.CORE).skip(3).findFirst().orElseThrow();
        assertEquals("6", core.cpus().toString());
        assertTrue(core.nodes().isEmpty());
        MachineObject node = machine.objects(Kind.NUMA_NODE)
                .filter(its -> its.osIndex().orElseThrow() == 1)
                .findFirst()
                .orElseThrow();
        assertEquals("4-5", node.cpus().toString());
        assertEquals(
                "1",
                machine.objects(Kind.PU)
                        .skip(4)
                        .findFirst()
                        .orElseThrow()
                        .nodes()
                        .toString());
        assertEquals("0-2", machine.root().nodes().toString());
    }

    /** As in virtual machines: no caches, no packages, no nodes. */
    @Test
    void littleIsEnough() throws IOException {
        write("sys/devices/system/cpu/online", "0,2");
        write("proc/meminfo", "MemTotal:        1024 kB");
        Machine machine = new SystemFiles(files).machine();
        assertEquals("Machine 0,2 (NUMANode 0,2, PU 0, PU 2)", text(machine.root()));
        assertEquals(
                1 << 20,
                machine.objects(Kind.NUMA_NODE)
                        .findFirst()
                        .orElseThrow()
                        .get(Property.LOCAL_MEMORY)
                        .orElseThrow());
    }

    /** Two nodes within a package, as sub-NUMA clustering makes them, and groups for them. */
    @Test
    void nodesOfSomeCoresGetGroups() throws IOException {
        write("sys/devices/system/cpu/online", "0-3");
        for (int cpu = 0; cpu < 4; cpu++) {
            processor(cpu, 0, "0-3", cpu, "" + cpu);
        }
        write("sys/devices/system/node/node0/cpulist", "0-1");
        write("sys/devices/system/node/node1/cpulist", "2-3");
        assertEquals(
                "Machine 0-3 (Package 0-3 (Group 0-1 (NUMANode 0-1, Core 0 (PU 0), Core 1 (PU 1)),"
                        + " Group 2-3 (NUMANode 2-3, Core 2 (PU 2), Core 3 (PU 3))))",
                text(new SystemFiles(files).machine().root()));
    }

    @Test
    void overlappingSetsAreLeftOut() throws IOException {
        write("sys/devices/system/cpu/online", "0-2");
        processor(0, 0, "0-1", 0, "0");
        processor(1, 1, "1-2", 1, "1");
        processor(2, 1, "1-2", 2, "2");
        assertEquals(3, new SystemFiles(files).machine().get(Property.NB_PU).orElseThrow());
    }

    @Test
    void withoutFilesThereIsNoMachine() {
        assertThrows(IOException.class, () -> new SystemFiles(files).machine());
    }

    @Test
    void describingNeverFails() throws IOException {
        Machine.Source broken = () -> {
            throw new IOException("no library");
        };
        Machine.Source worse = () -> {
            throw new UnsatisfiedLinkError("no function");
        };
        Machine counted = CurrentMachine.describe(List.of(broken, worse), files);
        assertEquals(Machine.availableProcessors(), counted.get(Property.NB_PU).orElseThrow());
        assertTrue(
                counted.details().source().contains("; no library; no function"),
                counted.details().source());
        write("sys/devices/system/cpu/online", "nonsense");
        assertEquals(
                Machine.availableProcessors(),
                CurrentMachine.describe(List.of(), files).processors());
    }

    @Test
    void theProcessHasSomeOfTheProcessors() throws IOException {
        twoPackages();
        write("proc/self/status", "Name:\tjava\nCpus_allowed:\t33\nCpus_allowed_list:\t0-1,4-5");
        write(
                "proc/self/limits",
                "Limit Soft Hard Units\nMax stack size            8388608              unlimited            bytes");
        write("proc/self/cgroup", "0::/");
        write("proc/self/mountinfo", "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw");
        write("sys/fs/cgroup/cpu.max", "150000 100000");
        Machine machine = CurrentMachine.describe(List.of(), files);
        assertEquals("0-1,4-5", machine.root().cpus().toString());
        assertEquals(4, machine.get(Property.NB_PU).orElseThrow());
        assertEquals(2, machine.get(Property.NB_CORE).orElseThrow());
        assertEquals(1.5, machine.get(Property.CPU_LIMIT).orElseThrow());
        assertEquals(2, machine.processors());
        assertEquals(8 << 20, machine.get(Property.STACK_SIZE).orElseThrow());
        Machine.Source library = () -> new SystemFiles(files).machine();
        assertEquals(
                4,
                CurrentMachine.describe(List.of(library), files)
                        .get(Property.NB_PU)
                        .orElseThrow(),
                "a library's description is restricted too");
    }

    @Test
    void sizesHaveUnits() {
        assertEquals(48 << 10, SystemFiles.bytes("48K"));
        assertEquals(3 << 20, SystemFiles.bytes("3M"));
        assertEquals(512, SystemFiles.bytes("512"));
        assertEquals(0, SystemFiles.bytes("many"));
    }
}

package dev.jacquard.base.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.MachineDetails.Distances;
import dev.jacquard.base.machine.MachineDetails.Link;
import dev.jacquard.base.machine.MachineObject.DeviceKind;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Property;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MachineTest {
    private static final MachineDetails BLANK = MachineDetails.of("a test", false);

    /** Two packages of a NUMA node and two cores of two units each; a bus with a device in the first. */
    private static MachineDraft twoPackages() {
        MachineDraft root = new MachineDraft(Kind.MACHINE);
        for (int p = 0; p < 2; p++) {
            MachineDraft socket = new MachineDraft(Kind.PACKAGE).osIndex(p);
            socket.add(new MachineDraft(Kind.NUMA_NODE).osIndex(p).cpus(IndexSet.ofList(4 * p + "-" + (4 * p + 3))));
            for (int c = 0; c < 2; c++) {
                int first = 4 * p + 2 * c;
                MachineDraft core = new MachineDraft(Kind.CORE)
                        .osIndex(c)
                        .add(new MachineDraft(Kind.PU).osIndex(first))
                        .add(new MachineDraft(Kind.PU).osIndex(first + 1));
                socket.add(new MachineDraft(Kind.L2_CACHE)
                        .put(Property.CACHE_LEVEL, 2L)
                        .put(Property.CACHE_SIZE, 1L << (20 + p))
                        .add(core));
            }
            root.add(socket);
        }
        root.children().getFirst().add(new MachineDraft(Kind.PCI_DEVICE).put(Property.PCI_BUS_ID, "0000:81:00.0"));
        return root;
    }

    @Test
    void objectsHaveKindsPropertiesParentsAndChildren() {
        Machine machine = Machine.of(twoPackages(), BLANK);
        assertEquals(8, machine.get(Property.NB_PU).orElseThrow());
        assertEquals(4, machine.get(Property.NB_CORE).orElseThrow());
        assertEquals(2, machine.get(Property.NB_PACKAGE).orElseThrow());
        assertEquals(2, machine.get(Property.NB_NUMA).orElseThrow());
        assertEquals(0, machine.get(Property.NB_GPU).orElseThrow());
        MachineObject core = machine.objects(Kind.CORE).skip(2).findFirst().orElseThrow();
        assertEquals("4-5", core.cpus().toString());
        assertEquals(2, core.get(Property.NB_PU).orElseThrow());
        assertEquals(Kind.L2_CACHE, core.parent().orElseThrow().kind());
        assertSame(core, machine.object(core.id()).orElseThrow());
        assertEquals(1 << 20, machine.cacheBytes(2).orElseThrow());
        assertTrue(machine.cacheBytes(3).isEmpty());
        assertEquals(1 << 20, machine.cacheBytesPerCore(2).orElseThrow());
        assertTrue(machine.cacheBytesPerCore(3).isEmpty());
        assertTrue(core.get(Property.CACHE_SIZE).isEmpty());
        assertEquals("Core 0", core.toString());
    }

    @Test
    void aPropertyOfAnotherTypeIsAbsent() {
        Machine machine = Machine.of(twoPackages(), BLANK);
        MachineObject cache = machine.objects(Kind.L2_CACHE).findFirst().orElseThrow();
        assertTrue(cache.get(Property.of("cache_size", String.class)).isEmpty());
        assertTrue(cache.get(Property.of("cache_size", Long.class)).isPresent());
    }

    @Test
    void devicesJoinWhereTheirBusIs() {
        MachineDraft known =
                device("cuda0").put(Property.PCI_BUS_ID, "0000:81:00.0").put(Property.WARP_SIZE, 32L);
        MachineDraft sameBus = device("opencl0").put(Property.PCI_BUS_ID, "0000:81:00.0");
        Machine machine = Machine.of(twoPackages(), BLANK).withDevices(List.of(known, sameBus, device("opencl1")));
        assertEquals(2, machine.get(Property.NB_GPU).orElseThrow(), "devices on one bus are one");
        MachineObject cuda = machine.objects(Kind.OS_DEVICE).findFirst().orElseThrow();
        assertEquals(Kind.PCI_DEVICE, cuda.parent().orElseThrow().kind());
        assertEquals("0-3", cuda.cpus().toString());
        assertEquals(32, cuda.get(Property.WARP_SIZE).orElseThrow());
        MachineObject last =
                machine.objects(Kind.OS_DEVICE).reduce((one, other) -> other).orElseThrow();
        assertSame(machine.root(), last.parent().orElseThrow());
    }

    private static MachineDraft device(String name) {
        return new MachineDraft(Kind.OS_DEVICE).name(name).deviceKinds(Set.of(DeviceKind.COPROCESSOR));
    }

    @Test
    void aMachineIsRestrictedToSomeProcessors() {
        Machine machine = Machine.of(twoPackages(), BLANK).restrictedTo(IndexSet.of(1, 4, 5, 99));
        assertEquals(3, machine.get(Property.NB_PU).orElseThrow());
        assertEquals(2, machine.get(Property.NB_CORE).orElseThrow());
        assertEquals(2, machine.get(Property.NB_NUMA).orElseThrow(), "memory stays");
        assertEquals("1,4-5", machine.root().cpus().toString());
        assertEquals("1,4-5", String.valueOf(machine.details().allowedCpus()));
        Machine same = Machine.of(twoPackages(), BLANK);
        assertSame(same, same.restrictedTo(IndexSet.below(50)));
        assertSame(same, same.restrictedTo(IndexSet.of(50)), "no processor would be left");
    }

    @Test
    void distancesOfObjectsThatAreGoneAreGone() {
        MachineDraft root = twoPackages();
        root.children().getFirst().children().get(1).id(100);
        root.children().getLast().children().get(1).id(101);
        MachineDetails details = new MachineDetails(
                "a test",
                false,
                null,
                null,
                List.of(),
                List.of(new Distances("", 4, List.of(100L, 101L), List.of(1L, 2L, 3L, 4L))),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
        Machine machine = Machine.of(root, details);
        assertEquals(3, machine.details().distances().getFirst().value(1, 0));
        assertEquals(List.of(), machine.restrictedTo(IndexSet.of(0)).details().distances());
    }

    /** Links have megabytes of 10^6 bytes. */
    @Test
    void bandwidthsAreLinks() {
        MachineDraft root = twoPackages();
        root.add(device("nvml0").id(50)).add(device("nvml1").id(51));
        MachineDetails details = new MachineDetails(
                "a test",
                false,
                null,
                null,
                List.of(),
                List.of(new Distances(
                        "NVLinkBandwidth", 9, List.of(50L, 51L), List.of(1000000L, 40000L, 0L, 1000000L))),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
        Link measured = new Link("host", "nvml0", 12_000_000_000L, 8_000);
        Machine machine = Machine.of(root, details).withLinks(List.of(measured));
        assertEquals(List.of(measured, new Link("nvml0", "nvml1", 40_000_000_000L, 0)), machine.links());
    }

    @Test
    void aLimitOfTimeBoundsTheProcessors() {
        assertEquals(8, Machine.of(twoPackages(), BLANK).processors());
        assertEquals(3, limited(2.5));
        assertEquals(1, limited(0.1));
        assertEquals(8, limited(64));
    }

    private static int limited(double limit) {
        return Machine.of(twoPackages().put(Property.CPU_LIMIT, limit), BLANK).processors();
    }

    @Test
    void wrongTreesAreRefused() {
        assertEquals("the root is a PU; expected Machine", refusal(new MachineDraft(Kind.PU)));
        assertEquals(
                "the machine has no processing unit (PU); expected at least one",
                refusal(new MachineDraft(Kind.MACHINE)));
        MachineDraft twice = new MachineDraft(Kind.MACHINE)
                .add(new MachineDraft(Kind.PU).osIndex(1))
                .add(new MachineDraft(Kind.PU).osIndex(1));
        assertEquals("two objects are PU 1", refusal(twice));
        assertEquals(
                "two objects have the id 3",
                refusal(new MachineDraft(Kind.MACHINE)
                        .id(3)
                        .add(new MachineDraft(Kind.PU).osIndex(0).id(3))));
        assertTrue(refusal(new MachineDraft(Kind.MACHINE).add(new MachineDraft(Kind.PU)))
                .contains("has the number -1 of the system; expected 0 to 65535"));
        MachineDraft deep = new MachineDraft(Kind.PU).osIndex(0);
        for (int i = 0; i < Machine.MOST_LEVELS; i++) {
            deep = new MachineDraft(i + 1 == Machine.MOST_LEVELS ? Kind.MACHINE : Kind.GROUP).add(deep);
        }
        assertEquals("objects are nested more than 128 deep", refusal(deep));
    }

    private static String refusal(MachineDraft root) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, () -> Machine.of(root, BLANK))
                .getMessage());
    }

    @Test
    void thisMachineHasTheProcessorsOfThisProcess() {
        Machine machine = Machine.current();
        assertSame(machine, Machine.current());
        assertTrue(machine.details().isThisSystem());
        assertTrue(machine.processors() >= 1);
        assertEquals(
                Machine.availableProcessors(),
                machine.processors(),
                machine.details().source());
    }
}

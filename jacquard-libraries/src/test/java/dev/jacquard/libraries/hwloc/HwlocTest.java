package dev.jacquard.libraries.hwloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Property;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The library hwloc of this machine. */
class HwlocTest {
    /** hwloc would read files of users by a parser that is not ours, and bind to processors of another machine. */
    @Test
    void variablesThatNameAnotherMachineAreSeen() {
        assertEquals(Optional.of("HWLOC_XMLFILE"), Hwloc.otherMachine(Map.of("HWLOC_XMLFILE", "x.xml")));
        assertEquals(Optional.of("HWLOC_SYNTHETIC"), Hwloc.otherMachine(Map.of("HWLOC_SYNTHETIC", "pu:2")));
        assertEquals(Optional.empty(), Hwloc.otherMachine(Map.of("HWLOC_COMPONENTS", "-gl")));
    }

    @Test
    void thisMachineIsDescribedByTheLibrary() throws IOException {
        Found<Hwloc> found = Hwloc.found();
        assumeTrue(found.thing() != null, () -> String.valueOf(found.reason()));
        Machine machine = new Hwloc.Provider().describe();
        assertTrue(machine.details().isThisSystem());
        assertTrue(
                machine.details().source().matches("hwloc [23]\\.\\d+.*"),
                machine.details().source());
        assertTrue(
                machine.get(Property.NB_PU).orElseThrow() >= Machine.current().processors());
        assertTrue(machine.objects(Kind.NUMA_NODE).findAny().isPresent());
    }

    /** The library and the system's files agree on what both know. */
    @Test
    void theCurrentMachineHasTheCoresOfTheLibrary() throws IOException {
        Found<Hwloc> found = Hwloc.found();
        assumeTrue(found.thing() != null, () -> String.valueOf(found.reason()));
        Machine machine = new Hwloc.Provider()
                .describe()
                .restrictedTo(Machine.current().root().cpus());
        assertEquals(Machine.current().get(Property.NB_CORE), machine.get(Property.NB_CORE));
    }
}

package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.base.machine.MachineDraft;
import dev.jacquard.base.machine.MachineObject;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Property;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceOffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The places of devices in the tree of the machine. */
class MachineDevicesTest {
    /** A device that a driver reports with these properties. */
    private record Offer(String name, ExecutionTarget target, Map<String, String> more) implements DeviceOffer {
        @Override
        public Device.Properties properties() {
            return new Device.Properties("model", 1 << 30, 1 << 30, 4, more);
        }

        @Override
        public Device open() {
            throw new IllegalStateException("described, and not opened");
        }
    }

    private static MachineObject above(Machine machine, String device) {
        return machine.objects(Kind.OS_DEVICE)
                .filter(it -> it.name().equals(device))
                .flatMap(it -> it.parent().stream())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void devicesAreBelowTheirPciDevices() {
        String bus = Property.pciBusId(0, 0x81, 0, 0);
        Machine bare =
                Machine.current().withDevices(List.of(new MachineDraft(Kind.PCI_DEVICE).put(Property.PCI_BUS_ID, bus)));
        List<DeviceOffer> offers = List.of(
                new Offer("cuda0", ExecutionTarget.CUDA, Map.of("pci_busid", "0000:81:00.0")),
                new Offer("opencl0", ExecutionTarget.OPENCL, Map.of("pci_busid", "0000:81:00.0", "type", "gpu")),
                new Offer("opencl1", ExecutionTarget.OPENCL, Map.of("pci_busid", "0000:99:00.0")),
                new Offer("opencl2", ExecutionTarget.OPENCL, Map.of()));
        Machine machine = MachineDevices.joined(bare, offers, List.of());
        assertEquals(bus, above(machine, "cuda0").get(Property.PCI_BUS_ID).orElse(""));
        assertEquals(bus, above(machine, "opencl0").get(Property.PCI_BUS_ID).orElse(""));
        assertEquals(Kind.MACHINE, above(machine, "opencl1").kind(), "no such PCI device");
        assertEquals(Kind.MACHINE, above(machine, "opencl2").kind());
        long before = bare.get(Property.NB_GPU).orElse(0L);
        assertEquals(before + 1, machine.get(Property.NB_GPU).orElse(0L), "one device of two drivers");
    }
}

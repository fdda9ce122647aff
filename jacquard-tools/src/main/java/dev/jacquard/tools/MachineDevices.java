package dev.jacquard.tools;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.base.machine.MachineDetails.Link;
import dev.jacquard.base.machine.MachineDraft;
import dev.jacquard.base.machine.MachineObject.DeviceKind;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Property;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.link.LinkTable.Measured;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The devices and links that programs have, as parts of the machine. */
final class MachineDevices {
    private MachineDevices() {}

    /** Returns a machine with devices and measured links. */
    static Machine joined(Machine machine, List<DeviceOffer> devices, List<Measured> links) {
        boolean hasCuda = devices.stream().anyMatch(device -> device.target().equals(ExecutionTarget.CUDA));
        return machine.withDevices(
                        devices.stream().map(device -> draft(device, hasCuda)).toList())
                .withLinks(links.stream()
                        .map(link -> new Link(
                                link.from(),
                                link.to(),
                                link.speed().bytesPerSecond(),
                                link.speed().latencyNanos()))
                        .toList());
    }

    private static MachineDraft draft(DeviceOffer device, boolean hasCuda) {
        Device.Properties properties = device.properties();
        MachineDraft draft = new MachineDraft(Kind.OS_DEVICE)
                .name(device.name())
                .subtype(device.target().name().toUpperCase(Locale.ROOT))
                .deviceKinds(kinds(device, hasCuda))
                .put(Property.MODEL, properties.model())
                .put(Property.MEMORY_SIZE, properties.memoryBytes())
                .put(Property.COMPUTE_UNITS, (long) properties.computeUnits());
        String bus = properties.more().get(Property.PCI_BUS_ID.name());
        if (bus != null) {
            draft.put(Property.PCI_BUS_ID, bus);
        }
        put(draft, Property.WARP_SIZE, properties.more().get("warp_size"));
        put(draft, Property.MAX_THREAD_BLOCK_SIZE, properties.more().get("max_thread_block_size"));
        return draft;
    }

    /** A processor as an OpenCL device is no co-processor; a GPU that CUDA and OpenCL have is one device, CUDA's. */
    private static Set<DeviceKind> kinds(DeviceOffer device, boolean hasCuda) {
        if (device.target().equals(ExecutionTarget.CUDA)) {
            return EnumSet.of(DeviceKind.GPU, DeviceKind.COPROCESSOR);
        }
        if (!device.target().equals(ExecutionTarget.OPENCL)) {
            return EnumSet.noneOf(DeviceKind.class);
        }
        String type = device.properties().more().getOrDefault("type", "");
        String vendor = device.properties().more().getOrDefault("vendor", "").toUpperCase(Locale.ROOT);
        return switch (type) {
            case "gpu" ->
                hasCuda && vendor.contains("NVIDIA")
                        ? EnumSet.of(DeviceKind.GPU)
                        : EnumSet.of(DeviceKind.GPU, DeviceKind.COPROCESSOR);
            case "accelerator" -> EnumSet.of(DeviceKind.COPROCESSOR);
            default -> EnumSet.noneOf(DeviceKind.class);
        };
    }

    private static void put(MachineDraft draft, Property<Long> property, @Nullable String value) {
        if (value != null && value.matches("\\d{1,18}")) {
            draft.put(property, Long.parseLong(value));
        }
    }
}

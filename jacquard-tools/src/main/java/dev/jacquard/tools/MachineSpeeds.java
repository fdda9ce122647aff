package dev.jacquard.tools;

import dev.jacquard.base.machine.Machine;
import dev.jacquard.base.machine.MachineDetails.CpuKind;
import dev.jacquard.base.machine.MachineObject;
import dev.jacquard.base.machine.MachineObject.DeviceKind;
import dev.jacquard.base.machine.MachineObject.Info;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Property;
import dev.jacquard.components.program.InputException;
import dev.jacquard.tools.SimulatedDevice.Link;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The speeds of the processors of a machine, by their kinds, and its co-processors, of which no description has the
 * speed. Immutable.
 *
 * @param machine described
 */
record MachineSpeeds(Machine machine) {
    /** The pairs of a kind that are proportional to its speed; the first counts that all kinds have. */
    private static final List<String> MEASURES = List.of("LinuxCapacity", "FrequencyBaseMHz", "FrequencyMaxMHz");

    private static final double BYTES_PER_GIGABYTE = 1e9;

    /** Returns the speeds of the processors that may work at once, the fastest first; 1 is the fastest kind's. */
    List<Double> workers() {
        List<CpuKind> kinds = machine.details().cpuKinds();
        double[] speeds = MEASURES.stream()
                .map(measure -> speeds(kinds, measure))
                .filter(its -> its.length > 0)
                .findFirst()
                .orElse(new double[kinds.size()]);
        return machine.objects(Kind.PU)
                .map(unit -> speed(unit, kinds, speeds))
                .sorted(Comparator.reverseOrder())
                .limit(machine.processors())
                .toList();
    }

    /** Returns the speeds of the kinds by a measure, of which 1 is the most; none if it does not tell them all. */
    private static double[] speeds(List<CpuKind> kinds, String measure) {
        double[] speeds = kinds.stream()
                .mapToDouble(kind -> value(kind, measure).orElse(0))
                .toArray();
        double most = 0;
        double least = Double.POSITIVE_INFINITY;
        for (double speed : speeds) {
            most = Math.max(most, speed);
            least = Math.min(least, speed);
        }
        if (!(least > 0 && most < Double.POSITIVE_INFINITY)) {
            return new double[0];
        }
        for (int kind = 0; kind < speeds.length; kind++) {
            speeds[kind] /= most;
        }
        return speeds;
    }

    private static OptionalDouble value(CpuKind kind, String measure) {
        for (Info info : kind.infos()) {
            if (info.name().equals(measure) && info.value().matches("\\d{1,9}")) {
                return OptionalDouble.of(Double.parseDouble(info.value()));
            }
        }
        return OptionalDouble.empty();
    }

    /** A processor of no kind, or of a kind without a speed, is as fast as the fastest. */
    private static double speed(MachineObject unit, List<CpuKind> kinds, double... speeds) {
        for (int kind = 0; kind < kinds.size(); kind++) {
            if (speeds[kind] > 0 && kinds.get(kind).cpus().containsAll(unit.cpus())) {
                return speeds[kind];
            }
        }
        return 1;
    }

    /**
     * Returns the co-processors with the speeds of an option, which are one for all or one for each; if there are no
     * co-processors a device for each speed.
     *
     * @param file for messages
     * @param speeds empty for no devices
     * @param link between the host and each of them; null for that of its bus, if the machine tells how fast it is
     */
    List<SimulatedDevice> devices(String option, String file, List<Double> speeds, @Nullable Link link) {
        Map<MachineObject, String> coprocessors = coprocessors();
        int count = coprocessors.size();
        if (speeds.isEmpty() || count == 0) {
            return SimulatedDevice.numbered(speeds, link);
        }
        if (speeds.size() != 1 && speeds.size() != count) {
            throw new InputException(
                    option + ": " + file + " has " + count + (count == 1 ? " co-processor" : " co-processors")
                            + "; expected one speed for all" + (count == 1 ? "" : ", or " + count));
        }
        List<SimulatedDevice> devices = new ArrayList<>();
        coprocessors.forEach((device, name) -> devices.add(new SimulatedDevice(
                name, speeds.get(devices.size() % speeds.size()), link == null ? busOf(device) : link)));
        return devices;
    }

    private static Link busOf(MachineObject device) {
        double bytes = device.get(Property.PCI_LINK_SPEED).orElse(0.0) * BYTES_PER_GIGABYTE;
        return bytes > 0 ? new Link(1 / bytes, 0) : Link.NONE;
    }

    /** Returns the distinct devices with a co-processor, PCI devices where they are, and the first name of each. */
    private Map<MachineObject, String> coprocessors() {
        Map<MachineObject, String> names = new LinkedHashMap<>();
        machine.objects(Kind.OS_DEVICE)
                .filter(device -> device.deviceKinds().contains(DeviceKind.COPROCESSOR))
                .forEach(device -> {
                    MachineObject own = device.parent()
                            .filter(above -> above.kind() == Kind.PCI_DEVICE)
                            .orElse(device);
                    names.putIfAbsent(own, device.name().isBlank() ? "d" + names.size() : device.name());
                });
        return names;
    }
}

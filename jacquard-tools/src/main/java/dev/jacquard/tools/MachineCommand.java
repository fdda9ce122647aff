package dev.jacquard.tools;

import com.sun.management.OperatingSystemMXBean;
import dev.jacquard.apps.program.Json;
import dev.jacquard.core.device.DeviceOffer;
import dev.jacquard.core.device.DeviceProperties;
import dev.jacquard.core.device.DeviceProvider;
import dev.jacquard.core.device.Devices;
import dev.jacquard.numerics.blas.BlasProvider;
import dev.jacquard.numerics.blas.Blases;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.Ffts;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows what a program can use here. */
@Command(
        name = "machine",
        description = "Show processors, memory, devices, the JDK and the libraries that programs can use here.")
final class MachineCommand implements Callable<Integer> {
    @Mixin
    private final Options options = new Options();

    private final Environment environment;

    MachineCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Map<String, Object> machine = describe();
        if (options.json) {
            environment.out().print(Json.write(machine));
        } else {
            machine.forEach(this::print);
        }
        return 0;
    }

    private void print(String name, Object value) {
        if (value instanceof Map<?, ?> entries) {
            entries.forEach((key, entry) -> environment.out().println("%-14s %s: %s".formatted(name, key, entry)));
        } else if (value instanceof List<?> all) {
            all.forEach(one -> print(name, one instanceof Map<?, ?> device ? text(device) : one));
        } else {
            environment.out().println("%-14s %s".formatted(name, value));
        }
    }

    /** A device on a line. */
    private static String text(Map<?, ?> device) {
        return "%s: %s, %s MiB, %s compute units"
                .formatted(
                        device.get("name"), device.get("model"), device.get("memoryMiB"), device.get("computeUnits"));
    }

    private static Map<String, Object> describe() {
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("architecture", System.getProperty("os.arch"));
        machine.put("processors", Runtime.getRuntime().availableProcessors());
        // In a container both are the container's limits, not the machine's.
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            machine.put("memoryMiB", system.getTotalMemorySize() >> 20);
        }
        machine.put("heapMiB", Runtime.getRuntime().maxMemory() >> 20);
        machine.put("jdk", System.getProperty("java.vendor") + " " + Runtime.version());
        Map<String, Object> ffts = new LinkedHashMap<>();
        for (FftProvider provider : Ffts.providers()) {
            ffts.put(
                    provider.name(),
                    provider.absence().map(reason -> "absent: " + reason).orElse("available"));
        }
        machine.put("fft", ffts);
        Map<String, Object> blas = new LinkedHashMap<>();
        for (BlasProvider provider : Blases.providers()) {
            blas.put(
                    provider.name(),
                    provider.absence().map(reason -> "absent: " + reason).orElse("available"));
        }
        machine.put("blas", blas);
        DeviceProvider.Discovery devices = Devices.discover();
        machine.put(
                "devices",
                devices.offers().stream().map(MachineCommand::describe).toList());
        machine.put("absentDevices", devices.absences());
        return machine;
    }

    private static Map<String, Object> describe(DeviceOffer offer) {
        DeviceProperties properties = offer.properties();
        Map<String, Object> device = new LinkedHashMap<>();
        device.put("name", offer.name());
        device.put("target", offer.target().name());
        device.put("model", properties.model());
        device.put("memoryMiB", properties.memoryBytes() >> 20);
        device.put("largestBufferMiB", properties.largestBuffer() >> 20);
        device.put("computeUnits", properties.computeUnits());
        device.put("properties", properties.more());
        return device;
    }
}

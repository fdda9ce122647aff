package dev.jacquard.tools;

import com.sun.management.OperatingSystemMXBean;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.libraries.hwloc.HwlocFile;
import dev.jacquard.libraries.hwloc.HwlocFile.Version;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceProvider;
import dev.jacquard.memory.device.Devices;
import dev.jacquard.memory.device.link.LinkFile;
import dev.jacquard.memory.device.link.LinkTable;
import dev.jacquard.numerics.blas.Blases;
import dev.jacquard.numerics.fft.Ffts;
import dev.jacquard.numerics.provider.LibraryProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the resources that a program can use here. */
@Command(
        name = "machine",
        description = "Show processors, memories, devices and the links between them, the JDK and the libraries that "
                + "programs can use here; or a machine that a file of hwloc describes.",
        footer = {"", "docs/machine.md describes the tree and the files."})
final class MachineCommand extends Subcommand {
    @Option(
            names = "--measure",
            description = "Measure bandwidth and latency between the host's memory and the devices', and keep that for "
                    + "programs.")
    private boolean measure;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "Show the machine of FILE, which hwloc's lstopo wrote as XML, version 2 or 3.")
    private @Nullable Path from;

    @Option(names = "--to", paramLabel = "FILE", description = "Write the machine as XML that hwloc reads.")
    private @Nullable Path to;

    @Option(
            names = "--to-version",
            paramLabel = "N",
            description =
                    "Version of the file of --to: 2, which hwloc 2 and 3 read, or 3 (default: that of --from, else 2).")
    private @Nullable Integer toVersion;

    @Option(names = "--svg", paramLabel = "FILE", description = "Draw the machine as nested boxes.")
    private @Nullable Path svg;

    private final LinkFile links;

    MachineCommand(Environment environment, LinkFile links) {
        super(environment);
        this.links = links;
    }

    @Override
    public Integer call() throws IOException {
        checkOptions();
        List<String> lost = new ArrayList<>();
        Map<String, Object> values;
        HwlocFile file;
        if (from == null) {
            values = new LinkedHashMap<>();
            file = new HwlocFile(Version.V2, describe(values, lost));
            values.putAll(MachineTree.counts(file.machine()));
        } else {
            file = read(from);
            values = MachineTree.counts(file.machine());
            values.put("links", MachineTree.links(file.machine()));
        }
        write(to, lost, out -> out.write(new HwlocFile(version(file.version()), file.machine()).toXml()));
        write(svg, lost, out -> out.write(MachinePicture.svg(file.machine())));
        if (json) {
            values.put("tree", MachineTree.values(file.machine().root()));
            environment.out().print(Report.json(values));
        } else {
            values.forEach(this::print);
            MachineTree.lines(file.machine()).forEach(line -> print("tree", line));
        }
        return told(lost);
    }

    private void checkOptions() {
        if (from != null && measure) {
            throw new InputException("--measure measures the links of this machine; expected it without --from");
        }
        if (toVersion != null && toVersion != 2 && toVersion != 3) {
            throw new InputException("--to-version " + toVersion + ": expected 2 or 3");
        }
        requirePlace("--to", to);
        requirePlace("--svg", svg);
        requireOther("--to", to, "the file of --from", from);
        requireOther("--svg", svg, "the file of --from", from);
        requireOther("--svg", svg, "the file of --to", to);
    }

    private Version version(Version ofFile) {
        return toVersion == null ? ofFile : toVersion == 2 ? Version.V2 : Version.V3;
    }

    private static HwlocFile read(Path file) {
        try {
            return HwlocFile.read(file);
        } catch (HwlocFile.MalformedException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        } catch (NoSuchFileException e) {
            throw new InputException("--from " + file + ": there is no such file", e);
        } catch (IOException e) {
            throw new InputException("--from " + file + ": the file cannot be read: " + e, e);
        }
    }

    private void print(String name, Object value) {
        if (value instanceof Map<?, ?> entries) {
            entries.forEach((key, entry) -> environment.out().println("%-14s %s: %s".formatted(name, key, entry)));
        } else if (value instanceof List<?> all) {
            all.forEach(one -> print(name, one instanceof Map<?, ?> entry ? text(entry) : one));
        } else {
            environment.out().println("%-14s %s".formatted(name, value));
        }
    }

    /** A device, a memory or a link on a line. */
    private static String text(Map<?, ?> device) {
        if (device.containsKey("from")) {
            return MachineLinks.text(device);
        }
        if (device.containsKey("of")) {
            return "%s: %s MiB, of %s".formatted(device.get("name"), device.get("MiB"), device.get("of"));
        }
        return "%s: %s, %s MiB, %s compute units"
                .formatted(
                        device.get("name"), device.get("model"), device.get("memoryMiB"), device.get("computeUnits"));
    }

    /** Describes what programs can use here. Returns the tree of the machine, with its devices and measured links. */
    private Machine describe(Map<String, Object> machine, List<String> lost) throws IOException {
        machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("architecture", System.getProperty("os.arch"));
        machine.put("processors", Machine.availableProcessors());
        // In a container both are the container's limits, not the machine's.
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            machine.put("memoryMiB", system.getTotalMemorySize() >> 20);
        }
        machine.put("heapMiB", Runtime.getRuntime().maxMemory() >> 20);
        machine.put("jdk", System.getProperty("java.vendor") + " " + Runtime.version());
        machine.put("fft", available(Ffts.providers()));
        machine.put("blas", available(Blases.providers()));
        DeviceProvider.Discovery devices = Devices.discover();
        machine.put(
                "devices",
                devices.offers().stream().map(MachineCommand::describe).toList());
        machine.put("absentDevices", devices.absences());
        machine.put("memories", memories(devices.offers()));
        List<LinkTable.Measured> measured =
                measure ? MachineLinks.measure(devices.offers(), links, lost::add) : links.read();
        machine.put("links", MachineLinks.describe(devices.offers(), measured));
        return MachineDevices.joined(Machine.current(), devices.offers(), measured);
    }

    private static Map<String, Object> available(List<? extends LibraryProvider> libraries) {
        Map<String, Object> available = new LinkedHashMap<>();
        for (LibraryProvider library : libraries) {
            available.put(
                    library.name(),
                    library.absence().map(reason -> "absent: " + reason).orElse("available"));
        }
        return available;
    }

    /** The memories that replicas of data can be in. */
    private static List<Map<String, Object>> memories(List<DeviceOffer> devices) throws IOException {
        List<Map<String, Object>> memories = new ArrayList<>();
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            memories.add(memory(LinkTable.HOST, system.getTotalMemorySize(), "the machine or its container"));
        }
        for (DeviceOffer device : devices) {
            memories.add(memory(device.name(), device.properties().memoryBytes(), "the device"));
        }
        Path folder = Path.of(System.getProperty("java.io.tmpdir", "."));
        memories.add(memory(
                LinkTable.DISK, Files.getFileStore(folder).getUsableSpace(), folder + ", free; or any other folder"));
        return memories;
    }

    private static Map<String, Object> memory(String name, long bytes, String of) {
        Map<String, Object> memory = new LinkedHashMap<>();
        memory.put("name", name);
        memory.put("MiB", bytes >> 20);
        memory.put("of", of);
        return memory;
    }

    private static Map<String, Object> describe(DeviceOffer offer) {
        Device.Properties properties = offer.properties();
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

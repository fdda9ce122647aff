package dev.jacquard.base.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** The memory of this process as the operating system counts it: heap, off-heap and mapped files alike. */
public final class ProcessMemory {
    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessMemory() {}

    /** Bytes that are resident now; empty where the system does not say (other systems than Linux). */
    public static OptionalLong residentBytes() {
        return field("VmRSS:");
    }

    /** The most bytes that were ever resident; empty where the system does not say. */
    public static OptionalLong peakResidentBytes() {
        return field("VmHWM:");
    }

    private static OptionalLong field(String name) {
        List<String> lines;
        try {
            lines = Files.isReadable(STATUS) ? Files.readAllLines(STATUS) : List.of();
        } catch (IOException e) {
            return OptionalLong.empty(); // a system that has the file but does not let it be read
        }
        return parse(lines, name);
    }

    /** The value of a line like {@code VmRSS: 1234 kB}, in bytes. */
    static OptionalLong parse(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).trim())
                .filter(value -> value.endsWith(" kB"))
                .mapToLong(value -> 1024 * Long.parseLong(value.substring(0, value.length() - 3)))
                .findFirst();
    }
}

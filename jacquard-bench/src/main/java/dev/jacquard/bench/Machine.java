package dev.jacquard.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where figures come from.
 *
 * @param cpu the processor's model
 * @param cores processors that this process may use
 * @param os name, version and architecture
 */
record Machine(String cpu, int cores, String os) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    /** This machine. */
    public static Machine here() {
        return new Machine(
                cpuModel(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
    }

    private static String cpuModel() {
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch"); // not Linux: the architecture is all that is known
        }
    }

    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("cpu", cpu);
        values.put("cores", cores);
        values.put("os", os);
        return values;
    }
}

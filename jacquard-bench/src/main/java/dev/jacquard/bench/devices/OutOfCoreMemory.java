package dev.jacquard.bench.devices;

import static dev.jacquard.bench.devices.OutOfCoreProduct.MEBIBYTE;

import dev.jacquard.bench.devices.OutOfCoreProduct.Size;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.numerics.blas.BlasRoutines;
import dev.jacquard.numerics.blas.Blases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * How much memory the product out of core takes, as the system sees it: a separate process opens the session, and
 * reports its resident memory before the first task and the most until the last one. Its heap is small and all in
 * memory from the beginning.
 */
final class OutOfCoreMemory extends Workload {
    private static final Path STATUS = Path.of("/proc/self/status");
    /**
     * The memory that may be resident in addition to the limit: the library's work memory, the disk's buffer, code. In
     * bytes.
     */
    private static final long BESIDE = 64L << 20;

    OutOfCoreMemory() {
        super("outofcore.resident", "MiB", new Rounds(0, 1), new Rounds(0, 1));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        return Files.exists(STATUS) ? List.of(new Measured(Collections.max(plan.workers()), Size.of(plan))) : List.of();
    }

    @Override
    public List<Absence> absences(Plan plan) {
        return Files.exists(STATUS)
                ? List.of()
                : List.of(new Absence("jacquard", "only Linux reports resident memory in " + STATUS, ""));
    }

    private static final class Measured extends Contender {
        private final Size size;

        Measured(int workers, Size size) {
            super("jacquard", workers);
            this.size = size;
        }

        @Override
        public Map<String, Double> round() throws IOException, InterruptedException {
            Path answer = Files.createTempFile("jacquard-", ".resident");
            try {
                return measured(answer);
            } finally {
                Files.delete(answer);
            }
        }

        private Map<String, Double> measured(Path answer) throws IOException, InterruptedException {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-Xms64m",
                            "-Xmx64m",
                            "-XX:+AlwaysPreTouch",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Alone.class.getName(),
                            String.valueOf(workers()),
                            String.valueOf(size.tiles()),
                            String.valueOf(size.side()),
                            answer.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            verify(process.waitFor() == 0, "the process, which ended with " + process.exitValue() + ',');
            String[] numbers = Files.readString(answer).split(" ", -1);
            double resident = Double.parseDouble(numbers[0]);
            double limit = size.limit();
            verify(
                    resident <= limit + BESIDE,
                    "resident memory, " + resident + " bytes more than before with a limit of " + limit + ',');
            return Map.of(
                    MAIN,
                    resident / MEBIBYTE,
                    ".accounted",
                    Double.parseDouble(numbers[1]) / MEBIBYTE,
                    ".limit",
                    limit / MEBIBYTE);
        }
    }

    /**
     * The program of that process: {@code WORKERS TILES SIDE FILE}. Writes the largest growth of resident memory, and
     * the most that was accounted for: bytes.
     */
    static final class Alone {
        private Alone() {}

        public static void main(String[] args) throws IOException {
            Size size = new Size(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            BlasRoutines<double[]> blas = Blases.open("auto").doubles();
            try (Session session = size.limited(Integer.parseInt(args[0])).open()) {
                long before = status("VmRSS");
                TiledProduct product = new TiledProduct(session, blas, size.tiles(), size.side());
                product.fill();
                product.multiply();
                if (product.wrong() != 0) {
                    throw new IllegalStateException("the product is wrong");
                }
                long most = status("VmHWM");
                Transfers.Used host = session.data().transfers().spaces().getFirst();
                Files.writeString(Path.of(args[3]), (most - before) + " " + host.peak());
            }
        }

        private static long status(String what) throws IOException {
            List<String> lines = Files.readAllLines(STATUS);
            String line = lines.stream()
                    .filter(one -> one.startsWith(what + ':'))
                    .findFirst()
                    .orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
    }
}

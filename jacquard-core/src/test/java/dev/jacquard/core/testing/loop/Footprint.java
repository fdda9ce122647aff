package dev.jacquard.core.testing.loop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What this process takes of the machine at one moment.
 *
 * @param tasks how many it has run on devices so far
 * @param accounted bytes that a session accounts for, in all of its memories
 * @param heap bytes of the heap that are alive
 * @param resident bytes of memory, whatever they are for: also what drivers and the emulated device take
 * @param files that are open
 */
record Footprint(long tasks, long accounted, long heap, long resident, long files) {
    private static final int COLLECTIONS = 3;
    private static final Path FILES = Path.of("/proc/self/fd");

    /** Code that is compiled later, and what is looked up in tables that grow by doubling. */
    private static final long HEAP_TOLERANCE = 1 << 19;

    /** Takes a look, after collections. */
    static Footprint of(long tasks, long accounted) throws IOException {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        long heap = runtime.totalMemory() - runtime.freeMemory();
        try (Stream<Path> open = Files.list(FILES)) {
            return new Footprint(tasks, accounted, heap, residentNow(), open.count());
        }
    }

    /**
     * The most of each, with the number of tasks of {@code this}: what collections and drivers take goes up and down.
     */
    Footprint most(Footprint other) {
        return new Footprint(
                tasks,
                Math.max(accounted, other.accounted),
                Math.max(heap, other.heap),
                Math.max(resident, other.resident),
                Math.max(files, other.files));
    }

    private static long residentNow() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/status"));
        String line = lines.stream()
                .filter(one -> one.startsWith("VmRSS:"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
    }

    /** What is more here than it was {@code before}, by more than may be; empty when nothing is. */
    String growthSince(Footprint before, long residentTolerance) {
        return grown("accounted bytes", before, before.accounted, accounted, 0)
                + grown("heap", before, before.heap, heap, HEAP_TOLERANCE)
                + grown("resident memory", before, before.resident, resident, residentTolerance)
                + grown("open files", before, before.files, files, 0);
    }

    private String grown(String what, Footprint before, long was, long is, long tolerance) {
        return is <= was + tolerance
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%s grew from %d to %d between %d and %d tasks%n",
                        what,
                        was,
                        is,
                        before.tasks,
                        tasks);
    }
}

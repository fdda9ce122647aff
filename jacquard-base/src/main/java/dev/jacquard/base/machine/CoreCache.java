package dev.jacquard.base.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The cache that a core has, as {@link Machine#cacheBytesPerCore} says it, from the few files of Linux that tell that:
 * a whole description takes ten times as long.
 *
 * <p>Source: the kernel's {@code ABI/testing/sysfs-devices-system-cpu}.
 */
final class CoreCache {
    /** That of this machine. */
    static final OptionalLong OF_CORE = read(Path.of("/"));

    private static final int MOST_CACHES = 16;

    private CoreCache() {}

    /**
     * Returns the least share of a core in a cache of the second level, else of the third; empty if neither is known.
     *
     * @param files the folder that {@code /proc} and {@code /sys} are in
     */
    static OptionalLong read(Path files) {
        Path cpus = files.resolve("sys/devices/system/cpu");
        try {
            IndexSet online = IndexSet.ofList(text(cpus.resolve("online")));
            IndexSet allowed = new ProcessLimits(files).allowedCpus().orElse(online);
            long second = share(cpus, online, allowed, "2");
            long least = second > 0 ? second : share(cpus, online, allowed, "3");
            return least > 0 ? OptionalLong.of(least) : OptionalLong.empty();
        } catch (IOException | IllegalArgumentException e) {
            return OptionalLong.empty(); // another system, or files of another form
        }
    }

    /** Returns the least share in caches of a level; 0 without such a cache. */
    private static long share(Path cpus, IndexSet online, IndexSet allowed, String level) throws IOException {
        long least = 0;
        IndexSet seen = IndexSet.EMPTY;
        for (int cpu : online.and(allowed).stream().toArray()) {
            if (seen.contains(cpu)) {
                continue;
            }
            Path folder = cpus.resolve("cpu" + cpu);
            Path cache = cache(folder, level);
            if (cache == null) {
                continue;
            }
            IndexSet users = users(cache.resolve("shared_cpu_list"), cpu, online);
            IndexSet threads = users(folder.resolve("topology/core_cpus_list"), cpu, online);
            if (threads.size() == 1) {
                threads = users(folder.resolve("topology/thread_siblings_list"), cpu, online);
            }
            long bytes = SystemFiles.bytes(text(cache.resolve("size")));
            long share = bytes / Math.max(1, users.size() / threads.size());
            least = share > 0 && (least == 0 || share < least) ? share : least;
            seen = seen.or(users);
        }
        return least;
    }

    private static IndexSet users(Path list, int cpu, IndexSet online) throws IOException {
        return IndexSet.of(cpu).or(IndexSet.ofList(text(list)).and(online));
    }

    private static @Nullable Path cache(Path folder, String level) throws IOException {
        for (int index = 0; index < MOST_CACHES; index++) {
            Path cache = folder.resolve("cache/index" + index);
            String its = text(cache.resolve("level"));
            if (its.isEmpty()) {
                return null;
            }
            if (its.equals(level) && !text(cache.resolve("type")).equals("Instruction")) {
                return cache;
            }
        }
        return null;
    }

    private static String text(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file).strip() : "";
    }
}

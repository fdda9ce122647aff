package dev.jacquard.base.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The limits of this process on Linux: its processors, its share of their time by control groups of version 1 and 2,
 * its stacks. A file that cannot be read is no limit.
 *
 * <p>Source: the kernel's {@code admin-guide/cgroup-v2.rst} and {@code scheduler/sched-bwc.rst}. Immutable.
 */
final class ProcessLimits {
    private static final int FIELDS_OF_MOUNT = 5;

    private final Path files;

    /** Reads below a folder that {@code proc} and {@code sys} are in. */
    ProcessLimits(Path files) {
        this.files = files;
    }

    /** Returns the processors that the process may run on: by its affinity and by its control group. */
    Optional<IndexSet> allowedCpus() {
        return field("proc/self/status", "Cpus_allowed_list:").flatMap(ProcessLimits::list);
    }

    private static Optional<IndexSet> list(String text) {
        try {
            return Optional.of(IndexSet.ofList(text)).filter(set -> !set.isEmpty());
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // more processors than are counted here
        }
    }

    /** Returns the soft limit of a stack in bytes. */
    Optional<Long> stackBytes() {
        return field("proc/self/limits", "Max stack size")
                .map(values -> values.split("\\s+", -1)[0])
                .flatMap(ProcessLimits::number);
    }

    /** Returns how many processors' time the process may use; the least of its control groups' limits. */
    Optional<Double> cpuLimit() {
        double least = Double.POSITIVE_INFINITY;
        for (String line : lines("proc/self/cgroup")) {
            String[] fields = line.split(":", 3);
            if (fields.length == 3 && fields[1].isEmpty()) {
                least = Math.min(least, limit(mount("cgroup2", ""), fields[2], ProcessLimits::limitOfVersion2));
            } else if (fields.length == 3 && List.of(fields[1].split(",", -1)).contains("cpu")) {
                least = Math.min(least, limit(mount("cgroup", "cpu"), fields[2], ProcessLimits::limitOfVersion1));
            }
        }
        return least == Double.POSITIVE_INFINITY ? Optional.empty() : Optional.of(least);
    }

    /** A limit that a folder of a control group sets; infinite if it sets none. */
    private interface FolderLimit {
        double of(Path folder);
    }

    /** A mounted hierarchy of control groups: its folder, and the group that this folder is. */
    private record Mount(Path folder, String group) {}

    /** Returns the least limit of a group and those above it. */
    private static double limit(@Nullable Mount mount, String group, FolderLimit limits) {
        if (mount == null) {
            return Double.POSITIVE_INFINITY;
        }
        // in a container the mounted folder is often the group itself, or the process sees its own group as the root
        String below = group.startsWith(mount.group) ? group.substring(mount.group.length()) : "";
        Path folder = mount.folder.resolve(below.replaceFirst("^/+", "")).normalize();
        double least = Double.POSITIVE_INFINITY;
        while (folder != null && folder.startsWith(mount.folder)) {
            least = Math.min(least, limits.of(folder));
            folder = folder.getParent();
        }
        return least;
    }

    private static double limitOfVersion2(Path folder) {
        String[] quota = text(folder.resolve("cpu.max")).strip().split("\\s+", -1);
        return quota.length == 2 ? ratio(quota[0], quota[1]) : Double.POSITIVE_INFINITY;
    }

    private static double limitOfVersion1(Path folder) {
        return ratio(
                text(folder.resolve("cpu.cfs_quota_us")).strip(),
                text(folder.resolve("cpu.cfs_period_us")).strip());
    }

    private static double ratio(String quota, String period) {
        long time = number(quota).orElse(-1L); // "max" and -1 are no limit
        long of = number(period).orElse(0L);
        return time > 0 && of > 0 ? (double) time / of : Double.POSITIVE_INFINITY;
    }

    /** Finds where a hierarchy is mounted: {@code proc/self/mountinfo} has its root and folder, a dash, its type. */
    private @Nullable Mount mount(String type, String controller) {
        for (String line : lines("proc/self/mountinfo")) {
            int dash = line.indexOf(" - ");
            String[] fields = line.split(" ", -1);
            if (dash < 0 || fields.length <= FIELDS_OF_MOUNT) {
                continue;
            }
            String[] what = line.substring(dash + 3).split(" ", -1);
            boolean has = what[0].equals(type)
                    && (controller.isEmpty()
                            || List.of(what[what.length - 1].split(",", -1)).contains(controller));
            if (has) {
                Path folder = files.resolve(fields[4].replaceFirst("^/+", "")).normalize();
                return new Mount(folder, fields[3].equals("/") ? "" : fields[3]);
            }
        }
        return null;
    }

    private Optional<String> field(String file, String name) {
        return lines(file).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .findFirst();
    }

    private static Optional<Long> number(String digits) {
        try {
            return Optional.of(Long.parseLong(digits));
        } catch (NumberFormatException e) {
            return Optional.empty(); // "max", "unlimited"
        }
    }

    private List<String> lines(String file) {
        try (Stream<String> lines = text(files.resolve(file)).lines()) {
            return lines.toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return ""; // there is none, or it may not be read
        }
    }
}

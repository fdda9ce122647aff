package dev.jacquard.base.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits as control groups of both versions have them, in files written here. */
class ProcessLimitsTest {
    @TempDir
    Path files;

    private void write(String file, String text) throws IOException {
        Path path = files.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    private Optional<Double> limit() {
        return new ProcessLimits(files).cpuLimit();
    }

    @Test
    void withoutFilesThereIsNoLimit() {
        assertEquals(Optional.empty(), limit());
        assertEquals(Optional.empty(), new ProcessLimits(files).allowedCpus());
        assertEquals(Optional.empty(), new ProcessLimits(files).stackBytes());
    }

    @Test
    void theLeastOfTheGroupsAboveCounts() throws IOException {
        write("proc/self/cgroup", "0::/work/job/step");
        write("proc/self/mountinfo", "30 24 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate");
        write("sys/fs/cgroup/work/job/step/cpu.max", "max 100000");
        write("sys/fs/cgroup/work/job/cpu.max", "400000 100000");
        write("sys/fs/cgroup/work/cpu.max", "800000 100000");
        assertEquals(Optional.of(4.0), limit());
        write("sys/fs/cgroup/work/job/step/cpu.max", "50000 100000");
        assertEquals(Optional.of(0.5), limit());
    }

    /** A container may mount its own group as the root of the hierarchy. */
    @Test
    void theMountedFolderMayBeTheGroup() throws IOException {
        write("proc/self/cgroup", "0::/docker/abc");
        write("proc/self/mountinfo", "30 24 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw");
        write("sys/fs/cgroup/cpu.max", "200000 100000");
        assertEquals(Optional.of(2.0), limit());
    }

    @Test
    void versionOneHasAFolderForProcessors() throws IOException {
        write("proc/self/cgroup", "4:memory:/\n3:cpu,cpuacct:/job\n2:cpuset:/");
        write("proc/self/mountinfo", """
                31 24 0:27 / /sys/fs/cgroup/memory rw shared:5 - cgroup cgroup rw,memory
                32 24 0:28 / /sys/fs/cgroup/cpu,cpuacct rw shared:6 - cgroup cgroup rw,cpu,cpuacct""");
        write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "300000");
        write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000");
        write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1");
        write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000");
        assertEquals(Optional.of(3.0), limit());
    }

    @Test
    void nonsenseIsNoLimit() throws IOException {
        write("proc/self/cgroup", "0::/../../etc\nx\n::");
        write("proc/self/mountinfo", "30 24\n30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
        write("sys/fs/cgroup/cpu.max", "-5 0");
        write("proc/self/status", "Cpus_allowed_list:\t0-x");
        write("proc/self/limits", "Max stack size            unlimited            unlimited            bytes");
        assertEquals(Optional.empty(), limit());
        assertEquals(Optional.empty(), new ProcessLimits(files).allowedCpus());
        assertEquals(Optional.empty(), new ProcessLimits(files).stackBytes());
    }
}

package dev.jacquard.core.testing.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Nothing grows with the number of tasks that ran on devices. {@code scripts/check-leaks} shows it for a million. */
class DeviceLoopTest {
    @Test
    void tasksOnADeviceLeaveNothingBehind() throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/proc/self/fd")), "only Linux tells memory and files of a process there");
        String output = DeviceLoop.run("--tasks", "40000");
        assertEquals(11, output.lines().count(), output);
    }

    @Test
    void whatGrewIsNamed() {
        Footprint before = new Footprint(100, 0, 10 << 20, 100 << 20, 20);
        assertEquals("", before.growthSince(before, 0));
        assertEquals("", new Footprint(200, 0, 9 << 20, 108 << 20, 20).growthSince(before, 8 << 20));
        assertEquals("""
                accounted bytes grew from 0 to 8 between 100 and 200 tasks
                heap grew from 10485760 to 12582912 between 100 and 200 tasks
                resident memory grew from 104857600 to 113246209 between 100 and 200 tasks
                open files grew from 20 to 21 between 100 and 200 tasks
                """, new Footprint(200, 8, 12 << 20, (108 << 20) + 1, 21).growthSince(before, 8 << 20));
    }
}

package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.testing.random.Feature;
import dev.jacquard.core.testing.random.Slice;
import dev.jacquard.core.testing.random.Tally;
import dev.jacquard.testkit.Rounds;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The random programs of the core with streams whose bodies submit their tasks, against a sequential run. */
class StreamsAmongTasksTest {
    private static final int PROGRAMS = Rounds.some(300);

    @TempDir
    @SuppressWarnings("NullAway") // the framework sets it
    Path folder;

    @Test
    void streamsMeetAllFeatures() {
        Set<Feature> features = Set.of(Feature.STREAMS);
        Tally _ = Slice.having(features, 0, PROGRAMS, folder, new StreamedTasks());
    }

    @Test
    void streamsMeetDevicesWithLittleMemory() {
        Set<Feature> features =
                EnumSet.of(Feature.STREAMS, Feature.DATA, Feature.KERNELS, Feature.DEVICES, Feature.MEMORY);
        Tally tally = Slice.having(features, 1_000_000, PROGRAMS / 3, folder, new StreamedTasks());
        assertTrue(tally.evictions("emulated0") > 0, tally::toString);
    }
}

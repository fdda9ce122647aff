package dev.jacquard.devices.mixtures;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.core.testing.random.Feature;
import dev.jacquard.core.testing.random.LentOffer;
import dev.jacquard.core.testing.random.Slice;
import dev.jacquard.core.testing.random.Tally;
import dev.jacquard.memory.device.DeviceProvider;
import dev.jacquard.memory.device.Devices;
import dev.jacquard.testkit.Rounds;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The random programs of the core, on the devices of this machine, alone and beside emulated ones: the result is that
 * of a plain loop, bit for bit.
 */
class RandomProgramsTest {
    private static final int ALL_FEATURES = Rounds.some(200);
    private static final int LITTLE_MEMORY = Rounds.some(200);

    private static List<LentOffer> devices = List.of();

    @TempDir
    @SuppressWarnings("NullAway") // the framework sets it
    Path folder;

    @BeforeAll
    static void open() {
        DeviceProvider.Discovery found = Devices.discover();
        assumeTrue(!found.offers().isEmpty(), () -> "no devices: " + found.absences());
        devices = found.offers().stream().map(LentOffer::new).toList();
    }

    @AfterAll
    static void close() {
        devices.forEach(LentOffer::close);
    }

    @Test
    void doWhatTheyMayWithAllFeatures() {
        Slice.run(0, ALL_FEATURES, 1, devices, folder);
    }

    @Test
    void doSoWithLittleMemory() {
        Set<Feature> little = EnumSet.of(Feature.DATA, Feature.KERNELS, Feature.MEMORY);
        Tally tally = Slice.having(little, 1_000_000, LITTLE_MEMORY, devices, folder);
        assertTrue(devices.stream().allMatch(device -> tally.evictions(device.name()) > 0), tally::toString);
    }
}

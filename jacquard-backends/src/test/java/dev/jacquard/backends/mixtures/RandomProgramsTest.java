package dev.jacquard.backends.mixtures;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.core.coherence.Transfers;
import dev.jacquard.core.device.DeviceProvider;
import dev.jacquard.core.device.Devices;
import dev.jacquard.core.machine.Target;
import dev.jacquard.core.schedule.Policies;
import dev.jacquard.core.schedule.Policy;
import dev.jacquard.core.testing.data.DataMixture;
import dev.jacquard.core.testing.random.LentOffer;
import dev.jacquard.core.testing.random.Slice;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The random programs of the core, on the devices of this machine, alone and beside emulated ones: the result is that of a plain loop, bit for bit. */
class RandomProgramsTest {
    private static final int PROGRAMS = 40;
    private static final int ALL_FEATURES = 200;

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

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void giveTheResultOfAPlainLoop(int emulated) {
        boolean evicted = false;
        for (long from = 1_000L * emulated; from < 1_000L * emulated + 5 * PROGRAMS; from += PROGRAMS) {
            Transfers moved = DataMixture.draw(from, Policies.named("stealing"), emulated, devices, folder)
                    .run(from, PROGRAMS, seed -> {});
            assertTrue(moved.copies() > 0);
            evicted |= moved.spaces().stream()
                    .anyMatch(space -> space.space().equals(devices.getFirst().name()) && space.evictions() > 0);
        }
        assertTrue(evicted);
    }

    @Test
    void doWhatTheyMayWithAllFeatures() {
        List<LentOffer> opencl = devices.stream()
                .filter(device -> device.target().equals(Target.OPENCL))
                .toList();
        assumeTrue(!opencl.isEmpty(), "no OpenCL device");
        Slice.run(0, ALL_FEATURES, 1, opencl, folder);
    }

    static Stream<Policy> policies() {
        return Policies.all().stream();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void giveItUnderEveryPolicy(Policy policy) {
        DataMixture.draw(100_000, policy, 1, devices, folder).run(100_000, PROGRAMS, seed -> {});
    }
}

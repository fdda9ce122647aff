package dev.jacquard.core.coherence;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.data.Box;
import dev.jacquard.core.schedule.Policies;
import dev.jacquard.core.schedule.Policy;
import dev.jacquard.core.testing.data.DataCampaign;
import dev.jacquard.core.testing.data.DataMixture;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random programs on parts of fields, on the host and up to three devices, with limits and disk: the result is that of a plain loop. */
class RandomDataTest {
    private static final int SIDE = 12;

    @TempDir
    @SuppressWarnings("NullAway") // the framework sets it
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void giveTheResultOfAPlainLoop(int devices) {
        boolean evicted = false;
        boolean onDisk = false;
        for (long block = 0; block < 10; block++) {
            long from = 10_000L * devices + 20 * block;
            Transfers moved = DataMixture.draw(from, Policies.named("stealing"), devices, List.of(), folder)
                    .run(from, 20, seed -> {});
            evicted |= moved.spaces().stream()
                    .anyMatch(space -> space.space().startsWith("emulated") && space.evictions() > 0);
            onDisk |= moved.links().stream().anyMatch(link -> link.from().equals("disk"));
        }
        assertTrue(onDisk && evicted == devices > 0);
    }

    static Stream<Policy> policies() {
        return Policies.all().stream();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void giveItUnderEveryPolicy(Policy policy) {
        for (long from = 100_000; from < 100_060; from += 20) {
            DataMixture.draw(from, policy, 2, List.of(), folder).run(from, 20, seed -> {});
        }
    }

    /**
     * Programs that found something, in the kind of session in which they did. 407: room for a second part was made where the first was to be
     * written to. 414: what an eviction had saved already was dropped to save the rest, again and again.
     */
    @ParameterizedTest
    @ValueSource(longs = {407, 414})
    void neverAgain(long seed) {
        DataMixture mixture = DataCampaign.mixture(seed, Policies.all(), List.of(), folder);
        for (int time = 0; time < 60; time++) {
            mixture.run(seed, 1, any -> {});
        }
    }

    @Test
    void boxesMinusBoxesAreDisjointAndComplete() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000; i++) {
            Box all = draw(random);
            Box cut = draw(random);
            List<Box> rest = all.without(cut);
            long elements = all.intersects(cut) ? all.intersection(cut).elements() : 0;
            for (Box box : rest) {
                elements += box.elements();
                assertTrue(all.contains(box) && !box.intersects(cut));
                assertTrue(rest.stream().filter(box::intersects).count() == 1);
            }
            assertTrue(elements == all.elements());
        }
    }

    private static Box draw(SplittableRandom random) {
        long row = random.nextInt(SIDE);
        long column = random.nextInt(SIDE);
        return Box.of(
                new long[] {row, column},
                new long[] {row + 1 + random.nextLong(SIDE - row), column + 1 + random.nextLong(SIDE - column)});
    }
}

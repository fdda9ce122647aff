package dev.jacquard.engine.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeModelTest {
    private final TimeModel model = new TimeModel();

    @Test
    void timesAreLearntHoweverManyNamesThereWere() {
        for (int i = 0; i < 50_000; i++) {
            model.add("read tile " + i, Place.HOST, 0, 10);
        }
        model.add("solve", Place.HOST, 0, 5_000);
        assertEquals(5_000, model.nanos("solve", Place.HOST, 0));
        assertEquals(10, model.nanos("read tile 49999", Place.HOST, 0));
        assertTrue(model.nanos("read tile 0", Place.HOST, 0) < 0, "the oldest name is forgotten");
    }

    @Test
    void aNameThatIsUsedAllTheTimeKeepsItsAverage() {
        model.add("solve", Place.HOST, 0, 1_000_000); // has in it what is done once
        model.add("solve", Place.HOST, 0, 1_000);
        for (int i = 0; i < 100_000; i++) {
            model.add("read tile " + i, Place.HOST, 0, 10);
            if (i % 1_000 == 0) {
                assertEquals(1_000, model.nanos("solve", Place.HOST, 0));
            }
        }
    }

    @Test
    void theFirstRunCountsOnlyUntilThereIsASecond() {
        model.add("solve", Place.HOST, 0, 9_000);
        assertEquals(9_000, model.nanos("solve", Place.HOST, 0));
        model.add("solve", Place.HOST, 0, 1_000);
        assertEquals(1_000, model.nanos("solve", Place.HOST, 0));
        assertEquals(1, model.entries().getFirst().count());
    }

    /** A spike among equal runs, wherever it comes: the run that follows it shows that it was one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 20})
    void aSingleLongRunChangesNothing(int spike) {
        for (int run = 0; run < 30; run++) {
            model.add("solve", Place.HOST, 0, run == spike ? 50_000_000 : 1_000);
            assertEquals(1_000, model.nanos("solve", Place.HOST, 0), "after run " + run);
        }
        assertTrue(model.entries().getFirst().deviationNanos() <= 4_000, "the deviation is bounded");
    }

    @Test
    void aChangeThatLastsIsFollowed() {
        for (int run = 0; run < 20; run++) {
            model.add("solve", Place.HOST, 0, 1_000);
        }
        for (int run = 0; run < 30; run++) {
            model.add("solve", Place.HOST, 0, 4_000);
        }
        assertEquals(4_000, model.nanos("solve", Place.HOST, 0), 100);
    }

    @Test
    void meanAndDeviationAreThoseOfTheRuns() {
        Random random = new Random(7);
        for (int run = 0; run < 2_000; run++) {
            model.add("solve", Place.HOST, 0, 10_000 + 1_000 * random.nextGaussian());
        }
        TimeFile.Entry entry = model.entries().getFirst();
        assertEquals(10_000, entry.meanNanos(), 1_000);
        assertEquals(1_000, entry.deviationNanos(), 700);
        assertEquals(1_999, entry.count());
    }

    @Test
    void placesAndSizesAreApart() {
        Place device = Place.device(ExecutionTarget.EMULATED, "emulated0", 2);
        for (int size = 0; size < 60; size++) {
            for (Place place : List.of(Place.HOST, device)) {
                model.add("scale", place, 1L << size, 100 * size + place.number());
                model.add("scale", place, 1L << size, 100 * size + place.number());
            }
        }
        for (int size = 0; size < 60; size++) {
            assertEquals(100 * size, model.nanos("scale", Place.HOST, (1L << size) + (1L << size) / 2));
            assertEquals(100 * size + 2, model.nanos("scale", device, 1L << size));
        }
        assertEquals(120, model.entries().size());
    }

    @Test
    void valuesThatAreNoTimesDoNotCount() {
        for (double bad : new double[] {Double.NaN, -1, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e19}) {
            model.add("solve", Place.HOST, 0, bad);
        }
        assertEquals(-1, model.nanos("solve", Place.HOST, 0));
        assertEquals(List.of(), model.entries());
    }

    // ---- retries

    @Test
    void aPlaceIsTriedTwiceAndThenSeldom() {
        Place slow = Place.device(ExecutionTarget.EMULATED, "emulated0", 2);
        Place fast = Place.device(ExecutionTarget.EMULATED, "emulated1", 3);
        run(fast, 1_000, 10);
        assertTrue(model.isDue("scale", slow, 64), "never tried");
        assertFalse(model.isDue("scale", slow, 64), "the trial has not ended");
        run(slow, 90_000, 1);
        assertTrue(model.isDue("scale", slow, 64), "the first run does not count");
        run(slow, 4_000, 1);
        List<Integer> retries = new ArrayList<>();
        for (int n = 0; n < 2_000; n++) {
            run(fast, 1_000, 1);
            if (model.isDue("scale", slow, 64)) {
                retries.add(n);
                run(slow, 4_000, 1);
                assertFalse(model.isDue("scale", slow, 64));
            }
        }
        assertEquals(7, retries.size(), () -> "one in 4 · 64 runs elsewhere: " + retries);
        assertFalse(model.isDue("scale", fast, 64), "the best place");
    }

    @Test
    void aPlaceWhereRunsFailIsTriedAgainSeldom() {
        Place failing = Place.device(ExecutionTarget.EMULATED, "emulated0", 2);
        int due = 0;
        for (int n = 0; n < 640; n++) {
            due += model.isDue("scale", failing, 64) ? 1 : 0;
            run(Place.HOST, 1_000, 1);
        }
        assertEquals(10, due);
    }

    private void run(Place place, double nanos, int times) {
        for (int n = 0; n < times; n++) {
            model.add("scale", place, 64, nanos);
        }
    }

    // ---- sizes that were not measured

    @ParameterizedTest
    @CsvSource({"0.5, 1, 20000", "0.001, 1.5, 3000", "40, 0.5, 0", "0.02, 1.2, 500000", "0, 1, 7000"})
    void theFitFindsTheLawOfNoisyTimes(double a, double b, double c) {
        Random random = new Random(11);
        for (int bits = 10; bits < 26; bits++) {
            for (int run = 0; run < 40; run++) {
                long size = (1L << bits) + random.nextLong(1L << bits);
                double noise = 1 + 0.05 * random.nextGaussian();
                model.add("law", Place.HOST, size, (a * Math.pow((double) size, b) + c) * Math.max(0.5, noise));
            }
        }
        PowerFit fit = Objects.requireNonNull(model.fit("law", Place.HOST));
        if (a > 0) {
            assertEquals(b, fit.b(), 0.1, fit::toString);
            assertEquals(1, fit.a() * Math.pow(1 << 20, fit.b() - b) / a, 0.2, fit::toString);
        }
        assertEquals(c, fit.c(), 0.25 * c + 50 * a, fit::toString);
        for (long size : new long[] {1 << 9, 1 << 27, 1 << 28}) {
            double expected = a * Math.pow((double) size, b) + c;
            assertEquals(1, model.nanos("law", Place.HOST, size) / expected, 0.25, fit::toString);
        }
    }

    @Test
    void fewerThanFourClassesHaveNoFit() {
        for (int bits = 10; bits < 13; bits++) {
            learn("law", 1L << bits, 1 << bits);
        }
        assertEquals(-1, model.nanos("law", Place.HOST, 1 << 20));
        learn("law", 1 << 13, 1 << 13);
        assertEquals(1 << 20, model.nanos("law", Place.HOST, 1 << 20), 0.01 * (1 << 20));
    }

    @Test
    void classesThatDoNotAgreeHaveNoFit() {
        double[] times = {9e6, 3e3, 7e5, 2e3, 8e6, 1e3};
        for (int i = 0; i < times.length; i++) {
            learn("erratic", 1L << (10 + i), times[i]);
        }
        assertNull(model.fit("erratic", Place.HOST));
        assertEquals(-1, model.nanos("erratic", Place.HOST, 1 << 20));
    }

    @Test
    void oneClassThatIsFarOffDoesNotBendTheFit() {
        for (int bits = 10; bits < 18; bits++) {
            learn("law", 1L << bits, bits == 14 ? 5e6 : 2.0 * (1 << bits));
        }
        assertEquals(2.0 * (1 << 20), model.nanos("law", Place.HOST, 1 << 20), 0.1 * (1 << 20));
        assertEquals(5e6, model.nanos("law", Place.HOST, 1 << 14), "its own time was measured");
    }

    @Test
    void theFitFollowsLaterMeasurements() {
        for (int bits = 10; bits < 16; bits++) {
            learn("law", 1L << bits, 1 << bits);
        }
        assertEquals(1 << 20, model.nanos("law", Place.HOST, 1 << 20), 0.01 * (1 << 20));
        for (int run = 0; run < 60; run++) {
            for (int bits = 10; bits < 16; bits++) {
                model.add("law", Place.HOST, 1L << bits, 3.0 * (1 << bits));
            }
        }
        assertEquals(3.0 * (1 << 20), model.nanos("law", Place.HOST, 1 << 20), 0.1 * (1 << 20));
    }

    private void learn(String name, long size, double nanos) {
        model.add(name, Place.HOST, size, nanos);
        model.add(name, Place.HOST, size, nanos);
    }
}

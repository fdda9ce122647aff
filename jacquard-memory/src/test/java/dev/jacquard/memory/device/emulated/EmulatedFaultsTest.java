package dev.jacquard.memory.device.emulated;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceMemoryException;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EmulatedFaultsTest {
    @Test
    void theLaunchOfThatNumberFailsAndNothingBehindItRuns() {
        try (Rig rig = Rig.with(FaultPlan.NONE.at(Kind.LAUNCH, 3))) {
            rig.fill(10);
            rig.in();
            rig.increment();
            rig.increment();
            DeviceEvent before = rig.stream.record();
            rig.increment();
            rig.increment();
            rig.out();
            DeviceEvent behind = rig.stream.record();
            before.await();
            assertMentions(
                    assertThrows(DeviceException.class, behind::await), "increment", "launch 3", "emulated0", "work");
            assertTrue(behind.isOver());
            assertThrows(DeviceException.class, rig::finish);
            assertEquals(10, rig.value());

            try (EmulatedStream other = rig.device.stream("other")) { // goes on
                other.copyOut(rig.buffer, rig.host(), Rig.ALL);
                Rig.finish(other);
                assertEquals(12, rig.value());
            }
        }
    }

    @Test
    void theCopyOfThatNumberFailsAndCopiesNothing() {
        try (Rig rig = Rig.with(FaultPlan.NONE.at(Kind.COPY, 2))) {
            rig.fill(10);
            rig.in();
            rig.increment();
            rig.out();
            assertMentions(assertThrows(DeviceException.class, rig::finish), "copy 2", "512 bytes out");
            assertEquals(10, rig.value());
        }
    }

    @Test
    void whoWaitsForAFailedStreamFailsToo() {
        try (Rig rig = Rig.with(FaultPlan.NONE.at(Kind.LAUNCH, 1));
                EmulatedStream other = rig.device.stream("other")) {
            rig.increment();
            DeviceEvent failed = rig.stream.record();
            other.await(failed);
            assertMentions(assertThrows(DeviceException.class, () -> Rig.finish(other)), "other", "launch 1");
        }
    }

    @Test
    void aCorruptedCopyHasOneWrongByteAmongItsOwn() {
        var shape = new CopyShape(3, 5, 7, 4, 9, 11, 2, 40, 50);
        for (long seed = 0; seed < 50; seed++) {
            byte[] copied = corrupted(shape, seed);
            int bytes = 0;
            for (int i = 0; i < copied.length; i++) {
                bytes += copied[i] == 0 ? 0 : 1;
                assertTrue(copied[i] == 0 || isCopied(shape, i), "byte " + i + " was not copied");
            }
            assertEquals(1, bytes);
        }
    }

    /**
     * Copies are read back twice to find a corrupted one; if damages were alike, those of short copies would hide it.
     */
    @Test
    void corruptedCopiesOfOneByteDiffer() {
        var shape = new CopyShape(0, 0, 1, 1, 1, 1, 1, 1, 1);
        long different = LongStream.range(0, 500)
                .map(seed -> corrupted(shape, seed)[0])
                .distinct()
                .count();
        assertTrue(different > 200, () -> different + " of 255"); // on average 219, with a deviation of 4
    }

    /** What zeros are after a copy that was damaged. */
    private static byte[] corrupted(CopyShape shape, long seed) {
        try (Rig rig = Rig.with(FaultPlan.NONE.at(Kind.CORRUPTION, 3).seed(seed))) {
            rig.in();
            rig.out();
            rig.stream.copyOut(rig.buffer, rig.host(), shape);
            rig.finish();
            return rig.host().asSlice(0, Rig.BYTES).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static boolean isCopied(CopyShape shape, long at) {
        for (long plane = 0; plane < shape.planes(); plane++) {
            for (long row = 0; row < shape.rows(); row++) {
                long begin = shape.toOffset() + plane * shape.toSlice() + row * shape.toPitch();
                if (begin <= at && at < begin + shape.runBytes()) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void theAllocationOfThatNumberIsRefusedAndTakesNothing() {
        try (Rig rig = Rig.with(FaultPlan.NONE.at(Kind.ALLOCATION, 2))) {
            assertMentions(
                    assertThrows(DeviceMemoryException.class, () -> rig.device.allocate(77)), "allocation 2", "77");
            assertEquals(Rig.BYTES, rig.device.usedBytes());
            rig.device.allocate(77).close();
        }
    }

    @Test
    void aSeedChoosesTheSameOnesEachTimeAndAboutAsManyAsItsRate() {
        FaultPlan faults =
                FaultPlan.NONE.rate(Kind.LAUNCH, 0.1).rate(Kind.COPY, 0.1).seed(7);
        int launches = 0;
        int both = 0;
        int otherSeed = 0;
        for (long n = 1; n <= 10_000; n++) {
            boolean launch = faults.strike(Kind.LAUNCH, n);
            assertEquals(launch, faults.strike(Kind.LAUNCH, n));
            launches += launch ? 1 : 0;
            both += launch && faults.strike(Kind.COPY, n) ? 1 : 0;
            otherSeed += launch && faults.seed(8).strike(Kind.LAUNCH, n) ? 1 : 0;
            assertFalse(faults.strike(Kind.LOSS, n));
        }
        assertTrue(launches > 850 && launches < 1150, "1,000 expected: " + launches); // fixed by the seed
        assertTrue(both > 60 && both < 140, "100 expected: " + both);
        assertTrue(otherSeed > 60 && otherSeed < 140, "100 expected: " + otherSeed);
    }

    @Test
    void numbersAndRatesAddUp() {
        FaultPlan faults = FaultPlan.NONE.at(Kind.COPY, 2, 4).at(Kind.COPY, 9).at(Kind.LOSS, 5);
        assertEquals(FaultPlan.NONE.at(Kind.LOSS, 5).at(Kind.COPY, 9, 4, 2), faults);
        assertNotEquals(faults, faults.seed(1));
        for (long n : List.of(2L, 4L, 9L)) {
            assertTrue(faults.strike(Kind.COPY, n));
        }
        assertFalse(faults.strike(Kind.COPY, 5));
        assertTrue(FaultPlan.NONE.rate(Kind.COPY, 1).strike(Kind.COPY, 1));
        assertFalse(FaultPlan.NONE.rate(Kind.COPY, 0).strike(Kind.COPY, 1));
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> FaultPlan.NONE.at(Kind.COPY, 0)), "COPY", "0");
        assertMentions(assertThrows(IllegalArgumentException.class, () -> FaultPlan.NONE.rate(Kind.LOSS, 1.5)), "1.5");
        assertThrows(IllegalArgumentException.class, () -> FaultPlan.NONE.rate(Kind.LOSS, Double.NaN));
    }
}

package dev.jacquard.base.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CycleRateTest {
    private static final long ONE = 1L << 58;

    @ParameterizedTest
    @CsvSource({
        // nanoseconds per cycle, cycles since the start (unsigned), nanoseconds
        "1,      0,                    0",
        "1,      1,                    1",
        "0.5,    1,                    0",
        "0.5,    3,                    1",
        "0.25,   4,                    1",
        "20,     1,                    20",
        "0.5,    9223372036854775807,  4611686018427387903",
        "0.5,    9223372036854775808,  4611686018427387904", // as a signed number the least
        "0.25,   18446744073709551615, 4611686018427387903", // all bits: a hundred and more years
        "1,      9223372036854775807,  9223372036854775807",
        "20,     461168601842738790,   9223372036854775800",
        "0.3125, 10091520000000000000, 3153600000000000000", // a hundred years of 365 days at 3.2 GHz
        "0.2,    15768000000000000000, 3153600000000000000", // at 5 GHz
    })
    void cyclesBecomeNanosecondsWithoutWrapping(double perCycle, String cycles, long nanos) {
        CycleRate rate = new CycleRate(0, 0, (long) (perCycle * ONE));
        long error = Math.abs(rate.nanos(Long.parseUnsignedLong(cycles)) - nanos);

        // 0.2 is no binary fraction: a microsecond in a hundred years
        assertTrue(error <= (perCycle == 0.2 ? 1_000 : 0), "off by " + error);
    }

    @Test
    void theCounterMayPassItsSignAndZeroOnTheWay() {
        for (long start : new long[] {0, Long.MAX_VALUE - 5, -5}) {
            CycleRate rate = new CycleRate(start, 1_000, ONE / 2);
            for (int cycles = 0; cycles < 20; cycles++) {
                assertEquals(1_000 + cycles / 2, rate.nanos(start + cycles));
            }
        }
    }

    @Test
    void agreesWithLongArithmetic() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            long multiplier = random.nextLong() >>> (1 + random.nextInt(10));
            long cycles = random.nextLong() >>> random.nextInt(64);
            BigInteger exact = new BigInteger(Long.toUnsignedString(cycles))
                    .multiply(BigInteger.valueOf(multiplier))
                    .shiftRight(58);
            assertEquals(exact.longValue(), new CycleRate(0, 0, multiplier).nanos(cycles), "seed " + seed);
        }
    }

    @ParameterizedTest
    @CsvSource({"0.1", "1", "2.4", "3.2", "5.7"})
    void theRateIsThatOfTheCounter(double ghz) {
        Machine machine = new Machine(ghz, 20);
        CycleRate rate = CycleRate.measure(machine::cycles, machine::nanos);

        long from = rate.nanos(machine.cycles());
        machine.now += 1e9;
        assertEquals(1e9, (double) (rate.nanos(machine.cycles()) - from), 2e5);
        assertEquals(machine.now, (double) rate.nanos(machine.cycles()), 1e6);
    }

    @Test
    void whatComesBetweenTheReadingsMakesTheMeasurementLonger() {
        Machine quiet = new Machine(3, 20);
        CycleRate.measure(quiet::cycles, quiet::nanos);
        Machine slow = new Machine(3, 700);
        CycleRate rate = CycleRate.measure(slow::cycles, slow::nanos);

        assertTrue(slow.now - Machine.START > 2 * (quiet.now - Machine.START));
        assertEquals(1e9, (double) (rate.nanos((long) 33e9) - rate.nanos((long) 30e9)), 4e5);
    }

    @ParameterizedTest
    @CsvSource({"0", "0.01", "1000"})
    void aCounterThatNoProcessorHasIsRefused(double ghz) {
        Machine machine = new Machine(ghz, 20);
        String message = refusal(() -> CycleRate.measure(machine::cycles, machine::nanos));

        assertTrue(message.startsWith("no processor counts"), message);
    }

    @Test
    void clocksThatCannotBeReadTogetherAreRefused() {
        Machine machine = new Machine(3, 10_000_000);
        String message = refusal(() -> CycleRate.measure(machine::cycles, machine::nanos));

        assertTrue(message.startsWith("the clocks were read together within 2"), message);
    }

    private static String refusal(Executable measurement) {
        return String.valueOf(
                assertThrows(UnsupportedOperationException.class, measurement).getMessage());
    }

    /** Both clocks of a machine on which each reading takes its time. */
    private static final class Machine {
        private static final double START = 5e9;

        private final double ghz;
        private final double reading;
        private double now = START;

        Machine(double ghz, double reading) {
            this.ghz = ghz;
            this.reading = reading;
        }

        long cycles() {
            now += reading;
            return (long) (now * ghz);
        }

        long nanos() {
            now += reading;
            return (long) now;
        }
    }
}

package dev.jacquard.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TicksTest {
    private static List<String> texts(double low, double high) {
        return Ticks.of(low, high, 0.15).stream().map(Ticks.Tick::text).toList();
    }

    @Test
    void scalesHaveBothEndsAndRoundNumbers() {
        assertEquals(List.of("0", "0.2", "0.4", "0.6", "0.8", "1"), texts(0, 1));
        assertEquals(List.of("-4.75", "0", "5", "10", "15.3"), texts(-4.75, 15.25));
        assertEquals(List.of("0.0123", "0.02", "0.025", "0.03", "0.035", "0.04"), texts(0.01234, 0.04));
        assertEquals(
                List.of("1000", "1000.0002", "1000.0004", "1000.0006", "1000.0008", "1000.001"), texts(1000, 1000.001));
        assertEquals(List.of("3"), texts(3, 3));
        assertEquals(List.of("0.3"), texts(0.1 + 0.2, 0.1 + 0.2));
    }

    @Test
    void numbersHaveFewDigits() {
        assertEquals("1.23e-7", Ticks.text(1.2345e-7, 1e-9));
        assertEquals("12300", Ticks.text(12345, 100));
        assertEquals("12345", Ticks.text(12345, 0));
        assertEquals("-1.5e10", Ticks.text(-1.5e10, 0));
        assertEquals("0.001", Ticks.text(0.001, 0));
        assertEquals("0.1", Ticks.text(0.1, 0));
        assertEquals("4.94e-324", Ticks.text(Double.MIN_VALUE, 0));
        assertEquals("NaN", Ticks.text(Double.NaN, 0));
        assertEquals("-∞", Ticks.text(Double.NEGATIVE_INFINITY, 0));
    }

    /** The marks ascend, none is closer to the next than asked for, and no two have one text. */
    @Test
    void anyScaleHasMarksApart() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            double a = number(random);
            double b = random.nextInt(4) == 0 ? Math.nextUp(a) : number(random);
            double apart = 0.05 + random.nextDouble() / 3;
            List<Ticks.Tick> ticks = Ticks.of(Math.min(a, b), Math.max(a, b), apart);
            String what = a + " and " + b + " at " + apart + ": " + ticks;
            assertTrue(ticks.size() <= 1 / apart + 2, what);
            for (int j = 1; j < ticks.size(); j++) {
                assertTrue(ticks.get(j).share() - ticks.get(j - 1).share() > apart * 0.99, what);
                assertTrue(!ticks.get(j).text().equals(ticks.get(j - 1).text()), what);
            }
        }
    }

    private static double number(Random random) {
        double number = random.nextInt(3) == 0
                ? Double.longBitsToDouble(random.nextLong())
                : random.nextInt(-5, 6) * Math.pow(10, random.nextInt(-4, 5));
        return Double.isFinite(number) ? number : 0;
    }
}

package dev.jacquard.expressions.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers in parts, beside the same by decimal numbers. */
class FixedPointTest {
    private static final MathContext DIGITS = new MathContext(80);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.69314718055994530941723212145817656807550013436025525412068000949339362196969471560586",
                "1.57079632679489661923132169163975144209858469968755291048747229615390820314310449931402",
                "0.58496250072115618145373894394781650875981440769248106045575265454109822779435856252229",
                "3.5"
            })
    void partsAddUpToTheNumber(String decimal) {
        BigDecimal exact = new BigDecimal(decimal);
        FixedPoint number = FixedPoint.of(decimal);
        assertEquals(exact.doubleValue(), number.nearest());
        for (int bits : new int[] {12, 26, 32, 40}) {
            List<Double> parts = number.parts(bits, 3, false);
            BigDecimal rest = exact;
            for (double part : parts.subList(0, 2)) {
                assertTrue(part == 0 || bits(part) <= bits, () -> part + " has more than " + bits + " bits");
                BigDecimal before = rest;
                rest = rest.subtract(new BigDecimal(part));
                assertTrue(
                        rest.signum() >= 0 && rest.doubleValue() <= before.doubleValue() * Math.scalb(1.0, 1 - bits),
                        () -> part + " is not the beginning of " + before);
            }
            assertEquals(rest.doubleValue(), parts.get(2));
        }
    }

    @Test
    void floatsAreFloats() {
        String third = "0.33333333333333333333333333333333";
        List<Double> parts = FixedPoint.of(third).parts(24, 2, true);
        assertEquals((float) (double) parts.get(1), parts.get(1).doubleValue());
        assertEquals(1.0 / 3, parts.get(0) + parts.get(1), 1e-15);
    }

    @Test
    void quotientsAreTheNearestNumbers() {
        BigDecimal exact = BigDecimal.TWO.divide(new BigDecimal("0.7").multiply(BigDecimal.valueOf(3)), DIGITS);
        assertEquals(exact.doubleValue(), FixedPoint.of("0.7").divides(2, 3).nearest());
    }

    /** Returns the number of bits from the first 1 to the last one. */
    private static int bits(double number) {
        long mantissa = Double.doubleToLongBits(number) & ((1L << 52) - 1);
        return 53 - Long.numberOfTrailingZeros(mantissa | (1L << 52));
    }
}

package dev.jacquard.base.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecimalTextTest {
    @ParameterizedTest
    @CsvSource({
        "0, false",
        "-0.0, false",
        "0e-999, false",
        "1, false",
        "1e-320, false",
        "1e-400, true",
        "-0.001E-400, true",
        "+.5e-330, true"
    })
    void aNumberThatNoDoubleHoldsVanishes(String text, boolean vanishes) {
        assertEquals(vanishes, DecimalText.vanishes(text, Double.parseDouble(text)));
    }
}

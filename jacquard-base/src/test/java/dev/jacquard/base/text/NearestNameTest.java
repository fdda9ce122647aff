package dev.jacquard.base.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {
    @Test
    void distanceCountsEdits() {
        assertEquals(0, NearestName.distance("fft", "FFT"));
        assertEquals(1, NearestName.distance("gird.rows", "grid.rows"));
        assertEquals(3, NearestName.distance("kitten", "sitting"));
        assertEquals(3, NearestName.distance("", "abc"));
    }

    @Test
    void theNearestIsNamedUnlessItIsFar() {
        assertEquals("; did you mean 'peaks'?", NearestName.hint("peak", List.of("fft", "peaks", "blend")));
        assertEquals("; known are fft, peaks", NearestName.hint("something", List.of("fft", "peaks")));
        assertEquals("; known are c, dx", NearestName.hint("q", List.of("c", "dx")), "they share no sign");
        assertEquals("; did you mean 'dx'?", NearestName.hint("dt", List.of("c", "dx")));
    }
}

package dev.jacquard.numerics.fft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FftsTest {
    @Test
    void autoTakesTheDefaultWhenNoOtherLibraryIsKnown() {
        assertEquals("jtransforms", Ffts.byName("auto").name());
    }

    @Test
    void anUnknownNameListsTheKnownOnes() {
        var error = assertThrows(IllegalArgumentException.class, () -> Ffts.byName("fftx"));
        assertTrue(String.valueOf(error.getMessage()).contains("'fftx'"));
        assertTrue(String.valueOf(error.getMessage()).contains("auto, jtransforms"));
    }

    @Test
    void arraysOfAnotherSizeAreRefused() {
        try (RealFft2d fft = Ffts.byName("jtransforms").plan(4, 6)) {
            assertThrows(IllegalArgumentException.class, () -> fft.forward(new float[23], new float[32]));
        }
    }
}

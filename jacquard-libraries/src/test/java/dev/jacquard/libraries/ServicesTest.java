package dev.jacquard.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.numerics.blas.BlasProvider;
import dev.jacquard.numerics.blas.Blases;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.Ffts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The libraries of the system beside those from Maven, in the order of {@code auto}. */
class ServicesTest {
    @Test
    void theSystemsLibrariesAreFoundBesideThoseFromMaven() {
        assertEquals(
                List.of("openblas", "openblas-system"),
                Blases.providers().stream().map(BlasProvider::name).toList());
        assertEquals(
                List.of("fftw", "jtransforms"),
                Ffts.providers().stream().map(FftProvider::name).toList());
    }
}

package dev.jacquard.numerics.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.RealFft2d;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The contract of every FFT library. A library's test extends this class; where the machine lacks the library, its
 * tests are skipped with the reason.
 */
public abstract class FftContract {
    private final FftProvider provider;

    /** The contract for the library of {@code provider}. */
    protected FftContract(FftProvider provider) {
        provider.absence().ifPresent(reason -> assumeTrue(false, provider.name() + " is absent: " + reason));
        this.provider = provider;
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,2", "2,1", "1,7", "7,1", "2,2", "3,4", "4,3", "8,8", "5,9", "16,32", "13,61", "33,18"})
    void agreesWithTheDefinition(int rows, int columns) {
        float[] image = noise(rows * columns);
        try (RealFft2d fft = provider.plan(rows, columns)) {
            float[] spectrum = new float[fft.spectrumLength()];
            fft.forward(image, spectrum);
            assertArrayEquals(definition(image, rows, columns), spectrum, 1e-4f * rows * columns);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,2", "1,4", "2,4", "1,6", "6,1", "3,5", "183,245", "512,512", "211,223", "64,31", "1040,1392"})
    void inverseUndoesForwardTimesThePixels(int rows, int columns) {
        float[] image = noise(rows * columns);
        float[] kept = image.clone();
        try (RealFft2d fft = provider.plan(rows, columns)) {
            float[] spectrum = new float[fft.spectrumLength()];
            float[] back = new float[fft.imageLength()];
            fft.forward(image, spectrum);
            assertArrayEquals(kept, image, "forward leaves its input as it is");
            fft.inverse(spectrum, back);
            for (int i = 0; i < back.length; i++) {
                assertEquals(image[i], back[i] / (rows * columns), 1e-5f, "pixel " + i);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0,4", "4,0"})
    void refusesEmptyImages(int rows, int columns) {
        var error = assertThrows(IllegalArgumentException.class, () -> provider.plan(rows, columns));
        assertTrue(String.valueOf(error.getMessage()).contains(columns + " x " + rows));
    }

    private static float[] noise(int length) {
        Random random = new Random(42);
        float[] samples = new float[length];
        for (int i = 0; i < length; i++) {
            samples[i] = random.nextFloat() - 0.5f;
        }
        return samples;
    }

    private static float[] definition(float[] image, int rows, int columns) {
        int half = columns / 2 + 1;
        float[] spectrum = new float[rows * half * 2];
        for (int v = 0; v < rows; v++) {
            for (int u = 0; u < half; u++) {
                double re = 0;
                double im = 0;
                for (int y = 0; y < rows; y++) {
                    for (int x = 0; x < columns; x++) {
                        double angle = -2 * Math.PI * ((double) v * y / rows + (double) u * x / columns);
                        re += image[y * columns + x] * Math.cos(angle);
                        im += image[y * columns + x] * Math.sin(angle);
                    }
                }
                spectrum[2 * (v * half + u)] = (float) re;
                spectrum[2 * (v * half + u) + 1] = (float) im;
            }
        }
        return spectrum;
    }
}

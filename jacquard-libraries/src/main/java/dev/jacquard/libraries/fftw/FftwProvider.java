package dev.jacquard.libraries.fftw;

import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.RealFft2d;
import java.util.Optional;

/** FFTW 3 in single precision, where it is installed. */
public final class FftwProvider implements FftProvider {
    /** For {@link java.util.ServiceLoader}. */
    public FftwProvider() {}

    @Override
    public String name() {
        return "fftw";
    }

    @Override
    public Optional<String> absence() {
        return FftwLibrary.lookUp().absence();
    }

    @Override
    public int rank() {
        return 10;
    }

    @Override
    public RealFft2d plan(int rows, int columns) {
        if (rows < 1 || columns < 1) {
            throw new IllegalArgumentException("an image needs at least 1 x 1 pixels, not " + columns + " x " + rows);
        }
        return new FftwFft2d(FftwLibrary.lookUp().calls(), rows, columns);
    }
}

package dev.jacquard.libraries.fftw;

import dev.jacquard.numerics.testing.FftContract;

class FftwProviderTest extends FftContract {
    FftwProviderTest() {
        super(new FftwFft2d.Provider());
    }
}

package dev.jacquard.numerics.fft;

import dev.jacquard.numerics.testing.FftContract;

class JTransformsProviderTest extends FftContract {
    JTransformsProviderTest() {
        super(new JTransformsFft2d.Provider());
    }
}

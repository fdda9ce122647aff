package dev.jacquard.numerics.fft;

import dev.jacquard.numerics.provider.LibraryProvider;

/** A library that transforms real images. */
public interface FftProvider extends LibraryProvider {
    /**
     * Plans transforms of images with {@code rows} rows and {@code columns} columns, both at least 1. The caller owns
     * the result.
     *
     * @throws IllegalStateException when the library is absent
     */
    RealFft2d plan(int rows, int columns);
}

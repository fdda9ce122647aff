package dev.jacquard.numerics.fft;

import java.util.Optional;

/** A library that transforms real images, found by {@link java.util.ServiceLoader}. Safe for use by many threads. */
public interface FftProvider {
    /** The name by which users choose this library, in lower case. */
    String name();

    /** Why the library cannot be used on this machine and what to install; empty when it can. */
    Optional<String> absence();

    /** What {@code auto} goes by: it takes the available library with the highest rank. */
    int rank();

    /**
     * Plans transforms of images with {@code rows} rows and {@code columns} columns, both at least 1. The caller owns
     * the result.
     *
     * @throws IllegalStateException when the library is absent
     */
    RealFft2d plan(int rows, int columns);
}

package dev.jacquard.numerics.blas;

import dev.jacquard.numerics.provider.LibraryProvider;

/** A library of linear algebra. */
public interface BlasProvider extends LibraryProvider {
    /**
     * The library, loaded once for the life of the process.
     *
     * @throws IllegalStateException when it is absent
     */
    Blas open();
}

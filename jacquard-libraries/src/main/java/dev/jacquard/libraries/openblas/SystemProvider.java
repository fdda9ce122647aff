package dev.jacquard.libraries.openblas;

import dev.jacquard.numerics.blas.Blas;
import dev.jacquard.numerics.blas.BlasProvider;
import dev.jacquard.numerics.openblas.OpenBlasLibrary;
import java.util.Optional;

/** The OpenBLAS of the operating system, where it is installed. */
public final class SystemProvider implements BlasProvider {
    private static final String NAME = "openblas-system";

    /** For {@link java.util.ServiceLoader}. */
    public SystemProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<String> absence() {
        return Holder.LIBRARY.absence();
    }

    /** Below the one from Maven, which is newer than what distributions have. */
    @Override
    public int rank() {
        return 0;
    }

    @Override
    public Blas open() {
        return Holder.LIBRARY.open();
    }

    /** Loads on first use, not when providers are listed. */
    private static final class Holder {
        static final OpenBlasLibrary LIBRARY = OpenBlasLibrary.load(NAME, SystemLibrary::load);
    }
}

package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.blas.Blas;
import dev.jacquard.numerics.blas.BlasProvider;
import java.util.Optional;

/** The default library: the OpenBLAS that comes as a jar from Maven. */
public final class BundledProvider implements BlasProvider {
    private static final String NAME = "openblas";

    /** For {@link java.util.ServiceLoader}. */
    public BundledProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<String> absence() {
        return Holder.LIBRARY.absence();
    }

    @Override
    public int rank() {
        return 10;
    }

    @Override
    public Blas open() {
        return Holder.LIBRARY.open();
    }

    /** Loads on first use, not when providers are listed. */
    private static final class Holder {
        static final OpenBlasLibrary LIBRARY = OpenBlasLibrary.load(NAME, BundledLibrary::load);
    }
}

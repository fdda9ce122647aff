package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.blas.Blas;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The result of looking for an OpenBLAS: the library, or the reason for its absence. Immutable. */
public final class OpenBlasLibrary {
    private final String name;
    private final @Nullable Blas blas;
    private final @Nullable String absence;

    private OpenBlasLibrary(String name, @Nullable Blas blas, @Nullable String absence) {
        this.name = name;
        this.blas = blas;
        this.absence = absence;
    }

    /**
     * Loads a library and binds its functions. What the loader or a missing function throws becomes the absence.
     *
     * @param name the provider's
     * @param loader loads the library for the life of the process; the message of what it throws says why it cannot
     */
    public static OpenBlasLibrary load(String name, Supplier<SymbolLookup> loader) {
        try {
            return new OpenBlasLibrary(name, new OpenBlas(name, loader.get()), null);
        } catch (RuntimeException | LinkageError unfit) {
            return new OpenBlasLibrary(name, null, String.valueOf(unfit.getMessage()));
        }
    }

    /** The reason for its absence; empty when there is one. */
    public Optional<String> absence() {
        return Optional.ofNullable(absence);
    }

    /**
     * The library.
     *
     * @throws IllegalStateException when there is none
     */
    public Blas open() {
        if (blas == null) {
            throw new IllegalStateException("the BLAS library '" + name + "' is absent: " + absence);
        }
        return blas;
    }
}

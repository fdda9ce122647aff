package dev.jacquard.numerics.openblas;

import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.foreign.NativeLibrary;
import dev.jacquard.numerics.blas.Blas;
import dev.jacquard.numerics.blas.BlasProvider;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** An OpenBLAS, wherever it is found. It is loaded on first use, not when providers are listed, and once. */
public abstract class OpenBlasProvider implements BlasProvider {
    /** By name. */
    private static final Map<String, Found<Blas>> LOADED = new ConcurrentHashMap<>();

    private final String name;
    private final int rank;
    private final Supplier<NativeLibrary> loader;

    /**
     * For subclasses.
     *
     * @param loader loads the library for the life of the process; the message of its exception says why it cannot
     */
    protected OpenBlasProvider(String name, int rank, Supplier<NativeLibrary> loader) {
        this.name = name;
        this.rank = rank;
        this.loader = loader;
    }

    /**
     * Loads the library when it is first asked for; an exception of the loader or of a missing function is its absence.
     */
    private Found<Blas> loaded() {
        return LOADED.computeIfAbsent(name, any -> {
            try {
                return Found.of(new OpenBlas(name, loader.get()));
            } catch (RuntimeException | LinkageError unfit) {
                return Found.absent(String.valueOf(unfit.getMessage()));
            }
        });
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final int rank() {
        return rank;
    }

    @Override
    public final Optional<String> absence() {
        return loaded().absence();
    }

    @Override
    public final Blas open() {
        Blas blas = loaded().thing();
        if (blas == null) {
            throw new IllegalStateException("the BLAS library '" + name + "' is absent: " + loaded().reason());
        }
        return blas;
    }

    /** The default library: the OpenBLAS that comes as a jar from Maven. */
    public static final class Bundled extends OpenBlasProvider {
        /** For {@link java.util.ServiceLoader}. */
        public Bundled() {
            super("openblas", 10, BundledLibrary::load);
        }
    }
}

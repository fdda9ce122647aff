package dev.jacquard.libraries.fftw;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The shared library as this process found it: its calls, or why there are none. Loaded once, for ever. */
final class FftwLibrary {
    private static final String[] NAMES = {"libfftw3f.so.3", "libfftw3f.so", "libfftw3f.3.dylib", "libfftw3f.dylib"};

    private final @Nullable FftwCalls calls;
    private final @Nullable String absence;

    private FftwLibrary(@Nullable FftwCalls calls, @Nullable String absence) {
        this.calls = calls;
        this.absence = absence;
    }

    static FftwLibrary lookUp() {
        return Holder.LIBRARY;
    }

    Optional<String> absence() {
        return Optional.ofNullable(absence);
    }

    FftwCalls calls() {
        if (calls == null) {
            throw new IllegalStateException("the FFT library 'fftw' is absent: " + absence);
        }
        return calls;
    }

    private static FftwLibrary load() {
        for (String name : NAMES) {
            SymbolLookup symbols;
            try {
                symbols = SymbolLookup.libraryLookup(name, Arena.global());
            } catch (IllegalArgumentException notThere) {
                continue; // The next name may be; the reason below names all.
            }
            try {
                return new FftwLibrary(new FftwCalls(symbols), null);
            } catch (RuntimeException | LinkageError unfit) {
                return new FftwLibrary(null, name + " cannot be used: " + unfit.getMessage());
            }
        }
        return new FftwLibrary(
                null,
                "none of " + String.join(", ", NAMES)
                        + " is on the loader's path; on Debian: apt-get install libfftw3-single3");
    }

    /** Loads on first use, not when providers are listed. */
    private static final class Holder {
        static final FftwLibrary LIBRARY = load();
    }
}

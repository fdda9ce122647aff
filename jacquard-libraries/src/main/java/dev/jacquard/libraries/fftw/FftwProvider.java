package dev.jacquard.libraries.fftw;

import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.RealFft2d;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** FFTW 3 in single precision, where it is installed. */
public final class FftwProvider implements FftProvider {
    private static final String[] NAMES = {"libfftw3f.so.3", "libfftw3f.so", "libfftw3f.3.dylib", "libfftw3f.dylib"};

    /** For {@link java.util.ServiceLoader}. */
    public FftwProvider() {}

    @Override
    public String name() {
        return "fftw";
    }

    @Override
    public Optional<String> absence() {
        return Optional.ofNullable(Library.FOUND.absence);
    }

    @Override
    public int rank() {
        return 10;
    }

    @Override
    public RealFft2d plan(int rows, int columns) {
        if (rows < 1 || columns < 1) {
            throw new IllegalArgumentException("an image needs at least 1 x 1 pixels, not " + columns + " x " + rows);
        }
        FftwCalls calls = Library.FOUND.calls;
        if (calls == null) {
            throw new IllegalStateException("the FFT library 'fftw' is absent: " + Library.FOUND.absence);
        }
        return new FftwFft2d(calls, rows, columns);
    }

    /** The library's calls, or why there are none. Loaded on first use, for ever, not when providers are listed. */
    private record Library(
            @Nullable FftwCalls calls, @Nullable String absence) {
        static final Library FOUND = load();

        private static Library load() {
            for (String name : NAMES) {
                SymbolLookup symbols;
                try {
                    symbols = SymbolLookup.libraryLookup(name, Arena.global());
                } catch (IllegalArgumentException notThere) {
                    continue; // The next name may be; the reason below names all.
                }
                try {
                    return new Library(new FftwCalls(symbols), null);
                } catch (RuntimeException | LinkageError unfit) {
                    return new Library(null, name + " cannot be used: " + unfit.getMessage());
                }
            }
            return new Library(
                    null,
                    "none of " + String.join(", ", NAMES)
                            + " is on the loader's path; on Debian: apt-get install libfftw3-single3");
        }
    }
}

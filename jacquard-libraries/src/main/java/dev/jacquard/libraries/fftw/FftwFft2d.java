package dev.jacquard.libraries.fftw;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.RealFft2d;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pair of FFTW plans and the native image and spectrum that they run on. This object owns both memories through its
 * arena; {@link #close} destroys the plans first. Confined to the thread that made it.
 */
final class FftwFft2d implements RealFft2d {
    /** A cache line, and enough for every vector instruction FFTW uses. */
    private static final long ALIGNMENT = 64;

    private final FftwCalls calls;
    private final int rows;
    private final int columns;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment nativeImage;
    private final MemorySegment nativeSpectrum;
    private final MemorySegment forward;
    private final MemorySegment inverse;

    FftwFft2d(FftwCalls calls, int rows, int columns) {
        this.calls = calls;
        this.rows = rows;
        this.columns = columns;
        this.nativeImage = arena.allocate(Float.BYTES * (long) imageLength(), ALIGNMENT);
        this.nativeSpectrum = arena.allocate(Float.BYTES * (long) spectrumLength(), ALIGNMENT);
        this.forward = calls.plan(calls.forward, rows, columns, nativeImage, nativeSpectrum);
        this.inverse = calls.plan(calls.inverse, rows, columns, nativeSpectrum, nativeImage);
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public void forward(float[] image, float[] spectrum) {
        requireLengths(image, spectrum);
        MemorySegment.copy(image, 0, nativeImage, JAVA_FLOAT, 0, image.length);
        calls.execute.call(forward);
        MemorySegment.copy(nativeSpectrum, JAVA_FLOAT, 0, spectrum, 0, spectrum.length);
    }

    @Override
    public void inverse(float[] spectrum, float[] image) {
        requireLengths(image, spectrum);
        MemorySegment.copy(spectrum, 0, nativeSpectrum, JAVA_FLOAT, 0, spectrum.length);
        calls.execute.call(inverse);
        MemorySegment.copy(nativeImage, JAVA_FLOAT, 0, image, 0, image.length);
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            calls.destroy(forward);
            calls.destroy(inverse);
            arena.close();
        }
    }

    /** FFTW 3 in single precision, where it is installed. */
    public static final class Provider implements FftProvider {
        private static final String[] NAMES = {"libfftw3f.so.3", "libfftw3f.so", "libfftw3f.3.dylib", "libfftw3f.dylib"
        };

        /** For {@link java.util.ServiceLoader}. */
        public Provider() {}

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
                throw new IllegalArgumentException(
                        "an image needs at least 1 x 1 pixels, not " + columns + " x " + rows);
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
}

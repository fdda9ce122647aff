package dev.jacquard.libraries.fftw;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.foreign.LibrarySearch;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.RealFft2d;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

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
        this.forward = calls.forward(rows, columns, nativeImage, nativeSpectrum);
        this.inverse = calls.inverse(rows, columns, nativeSpectrum, nativeImage);
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
        calls.execute(forward);
        MemorySegment.copy(nativeSpectrum, JAVA_FLOAT, 0, spectrum, 0, spectrum.length);
    }

    @Override
    public void inverse(float[] spectrum, float[] image) {
        requireLengths(image, spectrum);
        MemorySegment.copy(spectrum, 0, nativeSpectrum, JAVA_FLOAT, 0, spectrum.length);
        calls.execute(inverse);
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
        /** For {@link java.util.ServiceLoader}. */
        public Provider() {}

        @Override
        public String name() {
            return "fftw";
        }

        @Override
        public Optional<String> absence() {
            return Library.CALLS.absence();
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
            FftwCalls calls = Library.CALLS.thing();
            if (calls == null) {
                throw new IllegalStateException("the FFT library 'fftw' is absent: " + Library.CALLS.reason());
            }
            return new FftwFft2d(calls, rows, columns);
        }

        /** Loaded on first use, for ever, not when providers are listed. */
        private static final class Library {
            static final Found<FftwCalls> CALLS = LibrarySearch.named(
                            "libfftw3f.so.3", "libfftw3f.so", "libfftw3f.3.dylib", "libfftw3f.dylib")
                    .help("on Debian: apt-get install libfftw3-single3")
                    .find()
                    .map(FftwCalls::new);
        }
    }
}

package dev.jacquard.libraries.fftw;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.jacquard.numerics.fft.RealFft2d;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

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
        this.forward = calls.planForward(rows, columns, nativeImage, nativeSpectrum, FftwCalls.ESTIMATE);
        this.inverse = calls.planInverse(rows, columns, nativeSpectrum, nativeImage, FftwCalls.ESTIMATE);
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
        checkLengths(image, spectrum);
        MemorySegment.copy(image, 0, nativeImage, JAVA_FLOAT, 0, image.length);
        calls.execute(forward);
        MemorySegment.copy(nativeSpectrum, JAVA_FLOAT, 0, spectrum, 0, spectrum.length);
    }

    @Override
    public void inverse(float[] spectrum, float[] image) {
        checkLengths(image, spectrum);
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

    private void checkLengths(float[] image, float[] spectrum) {
        if (image.length != imageLength() || spectrum.length != spectrumLength()) {
            throw new IllegalArgumentException("transforms of " + columns + " x " + rows + " pixels need "
                    + imageLength() + " and " + spectrumLength() + " floats, not " + image.length + " and "
                    + spectrum.length);
        }
    }
}

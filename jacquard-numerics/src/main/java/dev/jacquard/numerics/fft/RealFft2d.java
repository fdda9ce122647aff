package dev.jacquard.numerics.fft;

/**
 * A planned two-dimensional Fourier transform of real images of one size. Owns scratch memory: one call at a time, from
 * any thread; close it.
 *
 * <p>A spectrum holds the left half of the transform, {@code rows} rows of {@code columns / 2 + 1} complex numbers,
 * each as real and imaginary part; the right half is its conjugate mirror image. Neither direction is normalised:
 * forward and inverse together multiply an image by {@code rows * columns}.
 *
 * <pre>{@code
 * try (RealFft2d fft = Ffts.byName("auto").plan(183, 245)) {
 *     float[] spectrum = new float[fft.spectrumLength()];
 *     fft.forward(image, spectrum);
 * }
 * }</pre>
 */
public interface RealFft2d extends AutoCloseable {
    /** Rows of an image. */
    int rows();

    /** Columns of an image. */
    int columns();

    /** The number of floats of an image. */
    default int imageLength() {
        return Math.multiplyExact(rows(), columns());
    }

    /** The number of floats of a spectrum. */
    default int spectrumLength() {
        return Math.multiplyExact(rows(), 2 * (columns() / 2 + 1));
    }

    /**
     * Requires arrays of this transform's lengths.
     *
     * @throws IllegalArgumentException when one of them has another length
     */
    default void requireLengths(float[] image, float[] spectrum) {
        if (image.length != imageLength() || spectrum.length != spectrumLength()) {
            throw new IllegalArgumentException("transforms of " + columns() + " x " + rows() + " pixels need "
                    + imageLength() + " and " + spectrumLength() + " floats, not " + image.length + " and "
                    + spectrum.length);
        }
    }

    /** Writes the transform of {@code image} into {@code spectrum}; leaves the image as it is. */
    void forward(float[] image, float[] spectrum);

    /**
     * Writes the inverse transform of {@code spectrum} into {@code image}, unnormalised. The spectrum's content is
     * undefined afterwards.
     */
    void inverse(float[] spectrum, float[] image);

    /** Frees the scratch memory. */
    @Override
    void close();
}

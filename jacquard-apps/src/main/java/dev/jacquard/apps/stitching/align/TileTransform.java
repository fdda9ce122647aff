package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.numerics.fft.RealFft2d;

/**
 * Transforms tiles for {@link PairAligner}. Owns scratch memory, borrows the transform: both are confined to one
 * thread.
 *
 * <pre>{@code
 * try (RealFft2d fft = Ffts.byName("auto").plan(tile.height(), tile.width())) {
 *     float[] spectrum = new float[fft.spectrumLength()];
 *     new TileTransform(fft).transform(tile, spectrum);
 * }
 * }</pre>
 */
public final class TileTransform {
    /**
     * Keeps the power of two bright tiles' product in the range of a float; a power of two, so that nothing is rounded.
     */
    private static final float DEEP = 1f / 256;

    private final RealFft2d fft;
    private final float[] image;

    /** For tiles of the size that {@code fft} transforms. */
    public TileTransform(RealFft2d fft) {
        this.fft = fft;
        this.image = new float[fft.imageLength()];
    }

    /** Writes the transform of {@code tile} into {@code spectrum}, of the length that the transform asks for. */
    public void transform(GrayImage tile, float[] spectrum) {
        if (tile.width() != fft.columns() || tile.height() != fft.rows()) {
            throw new IllegalArgumentException("this transform is for tiles of " + fft.columns() + " x " + fft.rows()
                    + " pixels, not " + tile.width() + " x " + tile.height());
        }
        short[] samples = tile.samples();
        float scale = tile.bits() == 8 ? 1 : DEEP;
        for (int i = 0; i < samples.length; i++) {
            image[i] = (samples[i] & 0xFFFF) * scale;
        }
        fft.forward(image, spectrum);
    }
}

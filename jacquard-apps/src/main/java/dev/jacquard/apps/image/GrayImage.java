package dev.jacquard.apps.image;

/**
 * A grayscale image of unsigned samples.
 *
 * @param width columns, at least 1
 * @param height rows, at least 1
 * @param bits 8 or 16: how many bits of a sample the file held
 * @param samples {@code height * width} samples, row after row; read them with {@code samples[i] & 0xFFFF}. Not copied:
 *     all holders of the image may write to it.
 */
public record GrayImage(int width, int height, int bits, short[] samples) {
    public GrayImage {
        if (width < 1 || height < 1 || samples.length != Math.multiplyExact(width, height)) {
            throw new IllegalArgumentException("an image of " + width + " x " + height + " pixels needs "
                    + (long) width * height + " samples, not " + samples.length);
        }
        if (bits != 8 && bits != 16) {
            throw new IllegalArgumentException("bits must be 8 or 16, not " + bits);
        }
    }

    /** The sample in {@code row} (down from 0) and {@code column} (right from 0), 0 to 65,535. */
    public int sample(int row, int column) {
        return samples[row * width + column] & 0xFFFF;
    }
}

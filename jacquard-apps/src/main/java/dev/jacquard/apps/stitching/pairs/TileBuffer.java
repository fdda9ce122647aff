package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.image.GrayImage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that a memory edge lends: room for a transform, and the image that the transform is of.
 *
 * <p>Written by the tasks that read and transform the tile, one after the other; only read once it is part of a pair.
 */
final class TileBuffer {
    private final float[] spectrum;
    private final short[] samples;
    private @Nullable GrayImage image;

    TileBuffer(int rows, int columns) {
        spectrum = new float[Math.multiplyExact(rows, 2 * (columns / 2 + 1))];
        samples = new short[Math.multiplyExact(rows, columns)];
    }

    /** Room for the image. */
    short[] samples() {
        return samples;
    }

    float[] spectrum() {
        return spectrum;
    }

    GrayImage image() {
        return Objects.requireNonNull(image, "no tile was read into this buffer");
    }

    void hold(GrayImage tile) {
        image = tile;
    }
}

package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.image.GrayImage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that a memory edge lends: room for a transform, and the image that the transform is of. The room is made
 * when a task first needs it, so that the threads that work on tiles share the time that zeroing it takes.
 *
 * <p>Written by the tasks that read and transform the tile, one after the other; only read once it is part of a pair.
 */
final class TileBuffer {
    private final int rows;
    private final int columns;
    private float @Nullable [] spectrum;
    private short @Nullable [] samples;
    private @Nullable GrayImage image;

    TileBuffer(int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
    }

    /** Returns the bytes of a buffer's arrays. */
    static long bytes(int rows, int columns) {
        return Short.BYTES * (long) rows * columns + Float.BYTES * 2L * rows * (columns / 2 + 1);
    }

    /** Room for the image. */
    short[] samples() {
        short[] known = samples;
        if (known == null) {
            known = new short[Math.multiplyExact(rows, columns)];
            samples = known;
        }
        return known;
    }

    /** The transform, or room for it. */
    float[] spectrum() {
        float[] known = spectrum;
        if (known == null) {
            known = new float[Math.multiplyExact(rows, 2 * (columns / 2 + 1))];
            spectrum = known;
        }
        return known;
    }

    GrayImage image() {
        return Objects.requireNonNull(image, "no tile was read into this buffer");
    }

    void hold(GrayImage tile) {
        image = tile;
    }
}

package dev.jacquard.apps.stitching.mosaic;

import java.io.IOException;

/** Takes the finished rows of the mosaic from top to bottom, by one thread at a time. */
@FunctionalInterface
public interface RowSink {
    /**
     * The next rows.
     *
     * @param samples {@code rows * width} unsigned samples, row after row; may be reused after the call
     * @param rows how many
     */
    void accept(short[] samples, int rows) throws IOException;
}

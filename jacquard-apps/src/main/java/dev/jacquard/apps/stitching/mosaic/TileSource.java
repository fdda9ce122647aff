package dev.jacquard.apps.stitching.mosaic;

import dev.jacquard.apps.image.GrayImage;
import java.io.IOException;

/** Where tiles come from. Called by several workers at a time. */
@FunctionalInterface
public interface TileSource {
    /**
     * The tile; all tiles of a mosaic have the same size. It is no longer used when the same worker loads the next.
     *
     * @param index which tile
     * @param worker who loads it: one at a time per worker
     */
    GrayImage load(int index, int worker) throws IOException;
}

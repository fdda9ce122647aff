package dev.jacquard.apps.stitching.mosaic;

import dev.jacquard.apps.image.GrayImage;
import java.io.IOException;

/** Where tiles come from. Called by several workers at a time. */
@FunctionalInterface
public interface TileSource {
    /** The tile; all tiles of a mosaic have the same size. */
    GrayImage load(int index) throws IOException;
}

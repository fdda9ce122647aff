package dev.jacquard.apps.stitching;

import dev.jacquard.apps.stitching.align.Pair;
import dev.jacquard.apps.stitching.align.StagePrior;
import dev.jacquard.apps.stitching.pairs.DisplacementGraph;
import dev.jacquard.components.program.InputException;

/**
 * The heap that a plate takes at least, so that one is refused before the work begins that could not be stitched.
 *
 * @param transforms bytes of the transforms that live at once, and of the memory of one worker
 * @param mosaic bytes of the mosaic's rows that tiles may still come to
 * @param what the plate, for people
 */
record HeapNeed(long transforms, long mosaic, String what) {
    private static final long MEBIBYTE = 1 << 20;

    static HeapNeed of(TileGrid tiles, StitchingSettings settings) {
        int width = tiles.tileWidth();
        int height = tiles.tileHeight();
        int live = settings.traversal().smallestPool(tiles.rows(), tiles.columns());
        StagePrior prior = settings.prior(tiles);
        long columns = width + (tiles.columns() - 1L) * prior.smallestStep(Pair.Direction.WEST);
        long rows = height + Math.min((tiles.rows() - 1L) * prior.smallestStep(Pair.Direction.NORTH), height / 2);
        return new HeapNeed(
                DisplacementGraph.leastBytes(prior, live),
                RowRing.bytes(columns, rows, settings.blend()),
                tiles.tiles().size() + " tiles of " + width + " x " + height + " pixels");
    }

    /**
     * Checks that a heap suffices.
     *
     * @param heap its largest size in bytes
     * @throws InputException when it does not
     */
    void require(long heap) {
        if (transforms > heap) {
            throw tooLarge(
                    transforms, "transforms that wait for those of neighbours, and what a worker computes with", heap);
        }
        if (mosaic > heap) {
            throw tooLarge(mosaic, "rows of the mosaic that tiles still come to", heap);
        }
    }

    private InputException tooLarge(long bytes, String why, long heap) {
        return new InputException(what + " take at least " + Math.ceilDiv(bytes, MEBIBYTE) + " MiB of heap (" + why
                + "), and there are " + heap / MEBIBYTE + "; give more with JACQUARD_JAVA_OPTIONS=-Xmx…");
    }
}

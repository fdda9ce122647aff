package dev.jacquard.bench.plates;

import dev.jacquard.apps.image.TiffHeader;
import dev.jacquard.apps.stitching.TileGrid;
import dev.jacquard.apps.stitching.align.Grid;
import dev.jacquard.apps.stitching.align.StagePrior;
import dev.jacquard.numerics.fft.FftProvider;
import java.util.List;

/**
 * The inputs of every contender of the first phase.
 *
 * @param headers of the tiles, in the grid's order
 * @param grid their places
 * @param prior the known properties of the stage
 * @param order in which tiles are read
 * @param smallestPool how many tiles must be in memory at a time, in that order
 * @param library of transforms
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record Tiles(
        List<TiffHeader> headers, Grid grid, StagePrior prior, int[] order, int smallestPool, FftProvider library) {
    /** The number of peaks of a correlation that are read: the application's default. */
    static final int PEAKS = 2;

    static Tiles of(PlateFolder plate, FftProvider library) {
        int side = plate.side();
        TileGrid found = TileGrid.rowByRow(plate.folder(), "img_r{rrr}_c{ccc}.tif", side, side);
        TileGrid.Traversal traversal = TileGrid.Traversal.DIAGONAL_SERPENTINE;
        return new Tiles(
                found.tiles(),
                new Grid(side, side),
                StagePrior.auto(found.tileWidth(), found.tileHeight()),
                traversal.order(side, side),
                traversal.smallestPool(side, side),
                library);
    }

    /** Steps for rivals, which the caller closes. */
    Kernels kernels() {
        return new Kernels(library, prior);
    }
}

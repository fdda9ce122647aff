package dev.jacquard.apps.stitching;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.image.TiffReader;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Loads tiles into memory that each worker keeps from one tile to the next. */
final class TileLoader {
    private final TileGrid tiles;
    /** One per worker, used by that worker's tasks alone. */
    private final List<Desk> desks;

    TileLoader(TileGrid tiles, int workers) {
        this.tiles = tiles;
        this.desks = Stream.generate(
                        () -> new Desk(new TiffReader(), new short[tiles.tileWidth() * tiles.tileHeight()]))
                .limit(workers)
                .toList();
    }

    /** The tile, valid until {@code worker} loads the next. */
    GrayImage load(int tile, int worker) throws IOException {
        Desk desk = desks.get(worker);
        return desk.reader.read(tiles.tiles().get(tile), desk.samples);
    }

    private record Desk(TiffReader reader, short[] samples) {}
}

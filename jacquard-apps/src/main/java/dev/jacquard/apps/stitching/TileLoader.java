package dev.jacquard.apps.stitching;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.image.TiffReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Loads tiles into memory that each worker keeps from one tile to the next. */
final class TileLoader {
    private final TileGrid tiles;
    /** One per worker, made and used by that worker's tasks alone: with few tiles most workers never load one. */
    private final @Nullable Desk[] desks;

    TileLoader(TileGrid tiles, int workers) {
        this.tiles = tiles;
        this.desks = new @Nullable Desk[workers];
    }

    /** The tile, valid until {@code worker} loads the next. */
    GrayImage load(int tile, int worker) throws IOException {
        Desk desk = desks[worker];
        if (desk == null) {
            desk = new Desk(new TiffReader(), new short[tiles.tileWidth() * tiles.tileHeight()]);
            desks[worker] = desk;
        }
        return desk.reader.read(tiles.tiles().get(tile), desk.samples);
    }

    private record Desk(TiffReader reader, short[] samples) {}
}

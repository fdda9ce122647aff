package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.image.TiffHeader;
import dev.jacquard.apps.image.TiffReader;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.data.Handle;
import java.io.IOException;
import java.util.List;

/** Reads a tile into a buffer that is free when every pair of the tile was measured. */
final class ReadTile implements Body<Integer, LoadedTile> {
    private final List<TiffHeader> tiles;
    private final PairsOfTile pairs;
    private final MemoryEdge<TileBuffer> transforms;
    private final TiffReader reader = new TiffReader();

    ReadTile(List<TiffHeader> tiles, PairsOfTile pairs, MemoryEdge<TileBuffer> transforms) {
        this.tiles = tiles;
        this.pairs = pairs;
        this.transforms = transforms;
    }

    @Override
    public void execute(Integer tile, Emitter<LoadedTile> out) throws IOException {
        Handle<TileBuffer> buffer = out.take(
                transforms, ReleaseRule.after(Math.max(1, pairs.of(tile).size())));
        buffer.value().hold(reader.read(tiles.get(tile), buffer.value().samples()));
        out.emit(new LoadedTile(tile, buffer));
    }
}

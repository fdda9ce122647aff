package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.stitching.align.Pair;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import org.jspecify.annotations.Nullable;

/** The bookkeeper's rule: a pair is ready when the transforms of both its tiles are there. */
final class PairsRule implements Rule<LoadedTile, LoadedPair> {
    private final PairsOfTile pairs;
    private final @Nullable LoadedTile[] loaded;

    PairsRule(int tiles, PairsOfTile pairs) {
        this.pairs = pairs;
        this.loaded = new @Nullable LoadedTile[tiles];
    }

    @Override
    public void apply(LoadedTile tile, int pipeline, Emitter<LoadedPair> out) {
        loaded[tile.index()] = tile;
        for (Pair pair : pairs.of(tile.index())) {
            LoadedTile from = loaded[pair.from()];
            LoadedTile to = loaded[pair.to()];
            if (from != null && to != null) {
                out.emit(new LoadedPair(pair, from, to));
            }
        }
        if (pairs.of(tile.index()).isEmpty()) {
            out.release(tile.buffer());
        }
    }
}

package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.stitching.align.Grid;
import dev.jacquard.apps.stitching.align.Pair;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The bookkeeper's rule: a pair is ready when the transforms of both its tiles are there. */
final class PairsRule implements Rule<LoadedTile, PairsRule.LoadedPair> {
    private final List<List<Pair>> pairs;
    private final @Nullable LoadedTile[] loaded;

    /** Creates a rule for tiles that belong to {@code pairs}, by the number of the tile. */
    PairsRule(List<List<Pair>> pairs) {
        this.pairs = pairs;
        this.loaded = new @Nullable LoadedTile[pairs.size()];
    }

    /** Returns the pairs that each tile belongs to. */
    static List<List<Pair>> pairsOfTiles(Grid grid) {
        List<List<Pair>> ofTile = Stream.<List<Pair>>generate(() -> new ArrayList<>(4))
                .limit(grid.tiles())
                .toList();
        for (Pair pair : grid.pairs()) {
            ofTile.get(pair.from()).add(pair);
            ofTile.get(pair.to()).add(pair);
        }
        return ofTile;
    }

    @Override
    public void apply(LoadedTile tile, int pipeline, Emitter<LoadedPair> out) {
        loaded[tile.index()] = tile;
        for (Pair pair : pairs.get(tile.index())) {
            LoadedTile from = loaded[pair.from()];
            LoadedTile to = loaded[pair.to()];
            if (from != null && to != null) {
                out.emit(new LoadedPair(pair, from, to));
            }
        }
        if (pairs.get(tile.index()).isEmpty()) {
            out.release(tile.buffer());
        }
    }

    /** Two neighbours with transforms that are there. */
    record LoadedPair(Pair pair, LoadedTile from, LoadedTile to) {
        @Override
        public String toString() {
            return "pair " + pair.from() + "-" + pair.to();
        }
    }
}

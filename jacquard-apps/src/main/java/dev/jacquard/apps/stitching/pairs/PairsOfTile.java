package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.stitching.align.Grid;
import dev.jacquard.apps.stitching.align.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The pairs that a tile belongs to. Immutable. */
final class PairsOfTile {
    private final List<List<Pair>> ofTile;

    PairsOfTile(Grid grid) {
        ofTile = IntStream.range(0, grid.tiles())
                .<List<Pair>>mapToObj(tile -> new ArrayList<>(4))
                .toList();
        for (Pair pair : grid.pairs()) {
            ofTile.get(pair.from()).add(pair);
            ofTile.get(pair.to()).add(pair);
        }
    }

    List<Pair> of(int tile) {
        return ofTile.get(tile);
    }
}

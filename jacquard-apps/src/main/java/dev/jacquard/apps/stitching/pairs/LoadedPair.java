package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.stitching.align.Pair;

/**
 * Two neighbours whose transforms are there.
 *
 * @param pair which
 * @param from the left or upper one
 * @param to the right or lower one
 */
record LoadedPair(Pair pair, LoadedTile from, LoadedTile to) {
    @Override
    public String toString() {
        return "pair " + pair.from() + "-" + pair.to();
    }
}

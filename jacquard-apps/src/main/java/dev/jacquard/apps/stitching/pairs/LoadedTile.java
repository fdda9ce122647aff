package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.memory.data.Handle;

/**
 * A tile on its way.
 *
 * @param index its number in the grid
 * @param buffer its image and, after the transform, its spectrum
 */
record LoadedTile(int index, Handle<TileBuffer> buffer) {
    @Override
    public String toString() {
        return "tile " + index;
    }
}

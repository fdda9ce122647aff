package dev.jacquard.apps.stitching.mosaic;

/**
 * A tile and where its top left pixel lies in the mosaic.
 *
 * @param index which tile
 * @param row its row in the grid, for the order in which tiles are laid down
 * @param column its column in the grid
 * @param x pixels from the mosaic's left edge, at least 0
 * @param y pixels from its top edge, at least 0
 */
public record PlacedTile(int index, int row, int column, int x, int y) {}

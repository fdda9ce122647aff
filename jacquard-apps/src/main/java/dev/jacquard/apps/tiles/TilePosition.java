package dev.jacquard.apps.tiles;

import dev.jacquard.components.component.SocketType;
import java.util.List;

/**
 * Where a tile lies in its plate.
 *
 * @param file the name of the tile's file, without folders
 * @param x pixels to the right of the leftmost tile
 * @param y pixels below the topmost tile
 */
public record TilePosition(String file, int x, int y) {
    /** The type of sockets that hand on the positions of a plate. */
    public static final SocketType<List<TilePosition>> LIST = SocketType.listOf(SocketType.of(TilePosition.class));
}

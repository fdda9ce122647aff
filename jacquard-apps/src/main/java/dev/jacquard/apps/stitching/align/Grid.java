package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.stitching.align.Pair.Direction;
import java.util.ArrayList;
import java.util.List;

/** Rows and columns of tiles, both at least 1. Tiles are numbered along rows from the top left, from 0. */
public record Grid(int rows, int columns) {
    public Grid {
        if (rows < 1 || columns < 1) {
            throw new IllegalArgumentException("a grid needs at least 1 x 1 tiles, not " + columns + " x " + rows);
        }
    }

    /** The number of tiles. */
    public int tiles() {
        return Math.multiplyExact(rows, columns);
    }

    /** The number of the tile in {@code row} and {@code column}. */
    public int tile(int row, int column) {
        return row * columns + column;
    }

    /** All pairs of neighbours, ordered by their {@code to} tile, west before north. */
    public List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (int to = 0; to < tiles(); to++) {
            if (to % columns > 0) {
                pairs.add(new Pair(to - 1, to, Direction.WEST));
            }
            if (to >= columns) {
                pairs.add(new Pair(to - columns, to, Direction.NORTH));
            }
        }
        return pairs;
    }
}

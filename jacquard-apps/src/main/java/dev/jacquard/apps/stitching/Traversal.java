package dev.jacquard.apps.stitching;

import java.util.Arrays;

/**
 * The order in which the tiles of a grid are read. Tiles are numbered row by row from the top left: {@code row *
 * columns + column}.
 *
 * <p>Which order matters for memory: a tile's transform stays until all of its neighbours have come. Along rows that is
 * a row of transforms, along diagonals never more than the shorter side and one or two.
 */
public enum Traversal {
    ROW(Line.ROW, false),
    COLUMN(Line.COLUMN, false),
    DIAGONAL(Line.DIAGONAL, false),
    ROW_SERPENTINE(Line.ROW, true),
    COLUMN_SERPENTINE(Line.COLUMN, true),
    DIAGONAL_SERPENTINE(Line.DIAGONAL, true);

    private enum Line {
        ROW,
        COLUMN,
        DIAGONAL
    }

    private final Line line;
    private final boolean serpentine;

    Traversal(Line line, boolean serpentine) {
        this.line = line;
        this.serpentine = serpentine;
    }

    /** All tiles of a grid, in this order. */
    public int[] order(int rows, int columns) {
        // Plain loops over sortable keys: streams would add 10 ms to a cold start.
        long[] keys = new long[rows * columns];
        for (int tile = 0; tile < keys.length; tile++) {
            int row = tile / columns;
            int column = tile % columns;
            long nth = switch (line) {
                case ROW -> row;
                case COLUMN -> column;
                case DIAGONAL -> row + column;
            };
            int along = line == Line.ROW ? column : row;
            boolean backwards = serpentine && nth % 2 == 1;
            keys[tile] = nth * keys.length + (backwards ? keys.length - 1 - along : along);
        }
        return sortedBy(keys);
    }

    private static int[] sortedBy(long[] keys) {
        long[] keysAndTiles = new long[keys.length];
        for (int tile = 0; tile < keys.length; tile++) {
            keysAndTiles[tile] = keys[tile] * keys.length + tile;
        }
        Arrays.sort(keysAndTiles);
        int[] tiles = new int[keys.length];
        for (int k = 0; k < tiles.length; k++) {
            tiles[k] = (int) (keysAndTiles[k] % keys.length);
        }
        return tiles;
    }

    /** The smallest pool of transforms with which a grid can be read in this order. */
    public int smallestPool(int rows, int columns) {
        return smallestPool(rows, columns, order(rows, columns));
    }

    /**
     * The smallest pool of transforms with which tiles read in {@code order} make progress, when each needs one before
     * it is read, in that order, and gives it back once it and all of its neighbours have been read. The k-th tile then
     * needs one beside those of all earlier tiles that still wait for a neighbour not read before it; the pool is the
     * largest such number.
     */
    static int smallestPool(int rows, int columns, int[] order) {
        int[] position = new int[order.length];
        for (int k = 0; k < order.length; k++) {
            position[order[k]] = k;
        }
        int[] ending = new int[order.length + 1];
        for (int tile : order) {
            ending[lastNeighbour(tile, rows, columns, position)]++;
        }
        int live = 0;
        int most = 0;
        for (int k = 0; k < order.length; k++) {
            live++;
            most = Math.max(most, live);
            live -= ending[k];
        }
        return most;
    }

    /** The turn at which the last of a tile and its neighbours is read. */
    private static int lastNeighbour(int tile, int rows, int columns, int[] position) {
        int last = position[tile];
        for (int neighbour : neighbours(tile, rows, columns)) {
            last = Math.max(last, position[neighbour]);
        }
        return last;
    }

    /** The tiles above, left, right and below, where the grid has them. */
    static int[] neighbours(int tile, int rows, int columns) {
        int row = tile / columns;
        int column = tile % columns;
        int[] found = new int[4];
        int count = 0;
        if (row > 0) {
            found[count++] = tile - columns;
        }
        if (column > 0) {
            found[count++] = tile - 1;
        }
        if (column + 1 < columns) {
            found[count++] = tile + 1;
        }
        if (row + 1 < rows) {
            found[count++] = tile + columns;
        }
        return Arrays.copyOf(found, count);
    }
}

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
            long key = nth * keys.length + (backwards ? keys.length - 1 - along : along);
            keys[tile] = key * keys.length + tile;
        }
        Arrays.sort(keys);
        int[] tiles = new int[keys.length];
        for (int k = 0; k < tiles.length; k++) {
            tiles[k] = (int) (keys[k] % keys.length);
        }
        return tiles;
    }

    /**
     * The smallest pool of transforms with which a grid can be read in this order, when each tile needs one before it
     * is read and gives it back once it and all of its neighbours have been read. The k-th tile then needs one beside
     * those of all earlier tiles that still wait for a neighbour not read before it; the pool is the largest such
     * number.
     */
    public int smallestPool(int rows, int columns) {
        int[] order = order(rows, columns);
        int[] position = new int[order.length];
        for (int k = 0; k < order.length; k++) {
            position[order[k]] = k;
        }
        int[] ending = new int[order.length];
        for (int tile : order) {
            int last = 0;
            for (int neighbour : neighbours(tile, rows, columns)) {
                last = Math.max(last, position[neighbour]);
            }
            ending[last]++;
        }
        int live = 0;
        int most = 0;
        for (int ended : ending) {
            live++;
            most = Math.max(most, live);
            live -= ended;
        }
        return most;
    }

    /** The tiles above, left, right and below; the tile itself in the place of each that the grid does not have. */
    static int[] neighbours(int tile, int rows, int columns) {
        int column = tile % columns;
        return new int[] {
            tile < columns ? tile : tile - columns,
            column == 0 ? tile : tile - 1,
            column + 1 == columns ? tile : tile + 1,
            tile + columns >= rows * columns ? tile : tile + columns
        };
    }
}

package dev.jacquard.apps.stitching;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The order in which the tiles of a grid are read. Tiles are numbered row by row from the top left:
 * {@code row * columns + column}.
 *
 * <p>Which order matters for memory: a tile's transform stays until all of its neighbours have come. Along rows that is a
 * row of transforms, along diagonals never more than the shorter side and one or two.
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
        Function<Integer, Integer> lineOf = tile -> switch (line) {
            case ROW -> tile / columns;
            case COLUMN -> tile % columns;
            case DIAGONAL -> tile / columns + tile % columns;
        };
        Function<Integer, Integer> alongOf = tile -> {
            int along = line == Line.ROW ? tile % columns : tile / columns;
            return serpentine && lineOf.apply(tile) % 2 == 1 ? -along : along;
        };
        return IntStream.range(0, rows * columns)
                .boxed()
                .sorted(Comparator.comparing(lineOf).thenComparing(alongOf))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The smallest pool of transforms with which a grid can be read in this order. */
    public int smallestPool(int rows, int columns) {
        return smallestPool(rows, columns, order(rows, columns));
    }

    /**
     * The smallest pool of transforms with which tiles read in {@code order} make progress, when each needs one before it
     * is read, in that order, and gives it back once it and all of its neighbours have been read. The k-th tile then needs
     * one beside those of all earlier tiles that still wait for a neighbour not read before it; the pool is the largest
     * such number.
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

    /** When the last of a tile and its neighbours is read. */
    private static int lastNeighbour(int tile, int rows, int columns, int[] position) {
        return Arrays.stream(neighbours(tile, rows, columns))
                .map(neighbour -> position[neighbour])
                .reduce(position[tile], Math::max);
    }

    /** The tiles above, left, right and below, where the grid has them. */
    static int[] neighbours(int tile, int rows, int columns) {
        int row = tile / columns;
        int column = tile % columns;
        return IntStream.of(
                        row > 0 ? tile - columns : -1,
                        column > 0 ? tile - 1 : -1,
                        column + 1 < columns ? tile + 1 : -1,
                        row + 1 < rows ? tile + columns : -1)
                .filter(neighbour -> neighbour >= 0)
                .toArray();
    }
}

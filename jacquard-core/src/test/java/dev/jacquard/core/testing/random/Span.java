package dev.jacquard.core.testing.random;

import dev.jacquard.core.access.Area;
import dev.jacquard.core.data.Box;

/**
 * A box of cells of a store, both ends included.
 *
 * @param across how many columns the store has
 * @param flat whether the store has one dimension
 */
record Span(int row, int lastRow, int column, int lastColumn, int across, boolean flat) {
    int size() {
        return (lastRow - row + 1) * (lastColumn - column + 1);
    }

    /** The number in the store of the {@code i}th cell. */
    int cell(int i) {
        int columns = lastColumn - column + 1;
        return (row + i / columns) * across + column + i % columns;
    }

    boolean contains(Span other) {
        return row <= other.row && other.lastRow <= lastRow && column <= other.column && other.lastColumn <= lastColumn;
    }

    boolean intersects(Span other) {
        return row <= other.lastRow && other.row <= lastRow && column <= other.lastColumn && other.column <= lastColumn;
    }

    Area area() {
        return flat ? Area.of(column, lastColumn) : Area.of(row, lastRow, column, lastColumn);
    }

    Box box() {
        return flat
                ? Box.of(new long[] {column}, new long[] {lastColumn + 1L})
                : Box.of(new long[] {row, column}, new long[] {lastRow + 1L, lastColumn + 1L});
    }

    /** A box within this one. */
    Span within(Dice dice) {
        int firstRow = row + dice.below(lastRow - row + 1);
        int firstColumn = column + dice.below(lastColumn - column + 1);
        return new Span(
                firstRow,
                firstRow + dice.below(lastRow - firstRow + 1),
                firstColumn,
                firstColumn + dice.below(lastColumn - firstColumn + 1),
                across,
                flat);
    }

    /** This box with a margin, within {@code all}. */
    Span halo(Span all) {
        return new Span(
                Math.max(all.row, row - 1),
                Math.min(all.lastRow, lastRow + 1),
                Math.max(all.column, column - 1),
                Math.min(all.lastColumn, lastColumn + 1),
                across,
                flat);
    }
}

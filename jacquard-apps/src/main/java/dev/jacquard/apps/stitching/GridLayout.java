package dev.jacquard.apps.stitching;

/**
 * How the numbers in tiles' names map to places of the grid. Places count from 0 at the top left.
 *
 * @param rows rows of the grid, at least 1
 * @param columns columns of the grid, at least 1
 * @param first the first number
 * @param order along which direction consecutive numbers run
 * @param serpentine whether every second line runs backwards
 * @param start the corner that the first number is in
 */
record GridLayout(int rows, int columns, int first, Order order, boolean serpentine, Corner start) {
    /** Along which direction consecutive numbers run. */
    public enum Order {
        ROW,
        COLUMN
    }

    /** A corner of the grid. */
    public enum Corner {
        TOP_LEFT,
        TOP_RIGHT,
        BOTTOM_LEFT,
        BOTTOM_RIGHT
    }

    public GridLayout {
        if (rows < 1 || columns < 1 || (long) rows * columns > 1_000_000) {
            throw new IllegalArgumentException(
                    "a grid of " + rows + " x " + columns + " tiles; expected 1 to 1,000,000 tiles");
        }
    }

    public int size() {
        return rows * columns;
    }

    /** The number in the name of the tile at a place, of tiles numbered in sequence. */
    public int number(int row, int column) {
        int line = order == Order.ROW ? rowFromStart(row) : columnFromStart(column);
        int along = order == Order.ROW ? columnFromStart(column) : rowFromStart(row);
        int length = order == Order.ROW ? columns : rows;
        return first + line * length + (serpentine && line % 2 == 1 ? length - 1 - along : along);
    }

    /** The row number in the name of the tile at a place, of tiles named by row and column. */
    int rowNumber(int row) {
        return first + rowFromStart(row);
    }

    /** The column number in the name of the tile at a place, of tiles named by row and column. */
    int columnNumber(int column) {
        return first + columnFromStart(column);
    }

    private int rowFromStart(int row) {
        return start == Corner.BOTTOM_LEFT || start == Corner.BOTTOM_RIGHT ? rows - 1 - row : row;
    }

    private int columnFromStart(int column) {
        return start == Corner.TOP_RIGHT || start == Corner.BOTTOM_RIGHT ? columns - 1 - column : column;
    }
}

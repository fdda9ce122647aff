package dev.jacquard.core.testing;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.access.Area;
import dev.jacquard.core.access.AreaAccess;
import dev.jacquard.core.access.Mode;
import java.util.function.IntConsumer;

/**
 * The cells of one resource, row by row. A field of one row has areas of one dimension, any other has areas of two (rows
 * first). At most 64 cells, so that a set of them is a number.
 *
 * @param rows at least 1
 * @param columns at least 1
 * @param parent the number of the field that this is a part of, below its own; -1 when it is a root
 * @param unordered whether conflicting tasks exclude each other without an order; as its parent is
 */
public record Field(int rows, int columns, int parent, boolean unordered) {
    /** How many cells. */
    public int cells() {
        return rows * columns;
    }

    /** The area of these rows and columns, both ends included; of these columns where the field has one row. */
    public Area area(int firstRow, int lastRow, int firstColumn, int lastColumn) {
        return rows == 1 ? Area.of(firstColumn, lastColumn) : Area.of(firstRow, lastRow, firstColumn, lastColumn);
    }

    /** Hands the index of every cell that {@code access} touches to {@code sink}, in rising order. */
    public void touched(Access access, IntConsumer sink) {
        if (access.whole() == Mode.NONE) {
            return;
        }
        Area area = access instanceof AreaAccess part ? part.area() : area(0, rows - 1, 0, columns - 1);
        int across = area.dimensions() - 1;
        int lastRow = rows == 1 ? 0 : (int) area.high(0);
        for (int row = rows == 1 ? 0 : (int) area.low(0); row <= lastRow; row++) {
            for (int column = (int) area.low(across); column <= area.high(across); column++) {
                sink.accept(row * columns + column);
            }
        }
    }

    /** The cells that {@code access} touches, as bits. */
    long mask(Access access) {
        long[] bits = {0};
        touched(access, cell -> bits[0] |= 1L << cell);
        return bits[0];
    }
}

package dev.jacquard.apps.linear;

import dev.jacquard.numerics.blas.Operand;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A square matrix in panels: groups of neighbouring columns, each an array of all rows, column by column.
 *
 * @param elements the precision
 * @param order the number of rows
 * @param width the number of columns in a panel; the last one may have less
 * @param arrays by panel
 * @param <A> the arrays
 */
record Panels<A>(Elements<A> elements, int order, int width, List<A> arrays) {
    /** Zeros. */
    static <A> Panels<A> zeros(Elements<A> elements, int order, int width) {
        int count = (order + width - 1) / width;
        return new Panels<>(
                elements,
                order,
                width,
                IntStream.range(0, count)
                        .mapToObj(k -> elements.allocate(order * Math.min(width, order - k * width)))
                        .toList());
    }

    int count() {
        return arrays.size();
    }

    /** Returns the first column of a panel. */
    int first(int panel) {
        return panel * width;
    }

    /** Returns the number of columns of a panel. */
    int size(int panel) {
        return Math.min(width, order - first(panel));
    }

    /** Returns the rows of a panel from {@code row} on. */
    Operand<A> from(int panel, int row) {
        return elements.operand(arrays.get(panel), row, order);
    }

    double get(int row, int column) {
        return elements.get(arrays.get(column / width), place(row, column));
    }

    void set(int row, int column, double value) {
        elements.set(arrays.get(column / width), place(row, column), value);
    }

    /** Subtracts {@code factor} times the rows of a column from {@code row} on from the rows of {@code target}. */
    void subtract(double factor, int column, int row, int size, double[] target) {
        elements.subtract(factor, arrays.get(column / width), place(row, column), size, target, row);
    }

    /** Returns the product of a column and {@code other}, from {@code row} on. */
    double dot(int column, int row, double[] other) {
        return dot(column, row, order - row, other);
    }

    /** Returns the product of {@code size} rows of a column and the rows of {@code other}, from {@code row} on. */
    double dot(int column, int row, int size, double[] other) {
        return elements.dot(arrays.get(column / width), place(row, column), size, other, row);
    }

    private int place(int row, int column) {
        return column % width * order + row;
    }
}

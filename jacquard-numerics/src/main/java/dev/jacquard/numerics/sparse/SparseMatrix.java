package dev.jacquard.numerics.sparse;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A real matrix of which the entries are kept, by rows; all others are zero. Immutable: any thread may use it.
 *
 * <pre>{@code
 * SparseMatrix a = SparseMatrix.of(2, 2, new int[] {0, 1, 1}, new int[] {1, 0, 1}, new double[] {3, 4, 5});
 * double[] y = a.times(new double[] {1, 1});   // 3, 9
 * }</pre>
 */
public final class SparseMatrix {
    private final int rows;
    private final int columns;
    /** By row: where its entries begin; one more at the end. */
    private final int[] starts;
    /** By entry: its column. Ascending within a row. */
    private final int[] columnOf;

    private final double[] values;

    private SparseMatrix(int rows, int columns, int[] starts, int[] columnOf, double[] values) {
        this.rows = rows;
        this.columns = columns;
        this.starts = starts;
        this.columnOf = columnOf;
        this.values = values;
    }

    /** The action on an entry. */
    @FunctionalInterface
    public interface EntryAction {
        /** Called for the entry in {@code row} and {@code column}, both from 0. */
        void entry(int row, int column, double value);
    }

    /**
     * Makes a matrix of entries in any order. The arrays are copied.
     *
     * @param rowOf by entry, from 0
     * @param columnOf by entry, from 0
     * @param values by entry
     * @throws IllegalArgumentException if an entry lies outside of the matrix or stands there twice, or the arrays
     *     differ in length
     */
    public static SparseMatrix of(int rows, int columns, int[] rowOf, int[] columnOf, double[] values) {
        requireEntries(rows, columns, rowOf, columnOf, values);
        return made(rows, columns, rowOf, columnOf, values, null);
    }

    /**
     * Makes a matrix of entries in any order, of which several may stand in one place. The arrays are not checked.
     *
     * @param together the combination of two values in one place, in the order of the entries
     * @throws ArithmeticException if that is too large for a double
     */
    static SparseMatrix assembled(
            int rows, int columns, int[] rowOf, int[] columnOf, double[] values, DoubleBinaryOperator together) {
        return made(rows, columns, rowOf, columnOf, values, together);
    }

    /** @param together null if an entry may stand there once only */
    private static SparseMatrix made(
            int rows,
            int columns,
            int[] rowOf,
            int[] columnOf,
            double[] values,
            @Nullable DoubleBinaryOperator together) {
        int[] byColumn = sorted(columns, columnOf, null);
        int[] order = sorted(rows, rowOf, byColumn);
        int[] starts = new int[rows + 1];
        int[] itsColumns = new int[values.length];
        double[] itsValues = new double[values.length];
        int size = 0;
        int before = -1; // the entry in the place before
        for (int entry : order) {
            boolean isAgain = before >= 0 && rowOf[entry] == rowOf[before] && columnOf[entry] == columnOf[before];
            if (isAgain) {
                itsValues[size - 1] =
                        together(rowOf[entry] + 1, columnOf[entry] + 1, itsValues[size - 1], values[entry], together);
            } else {
                itsColumns[size] = columnOf[entry];
                itsValues[size++] = values[entry];
                starts[rowOf[entry] + 1]++;
            }
            before = entry;
        }
        Arrays.parallelPrefix(starts, Integer::sum);
        return size == values.length
                ? new SparseMatrix(rows, columns, starts, itsColumns, itsValues)
                : new SparseMatrix(
                        rows, columns, starts, Arrays.copyOf(itsColumns, size), Arrays.copyOf(itsValues, size));
    }

    private static double together(
            int row, int column, double first, double second, @Nullable DoubleBinaryOperator together) {
        if (together == null) {
            throw new IllegalArgumentException(
                    "entry (" + row + ", " + column + ") stands there twice, counted from 1; expected each once");
        }
        double value = together.applyAsDouble(first, second);
        if (!Double.isFinite(value)) {
            throw new ArithmeticException("the sum of the values of entry (" + row + ", " + column
                    + "), counted from 1, is too large for a double");
        }
        return value;
    }

    private static void requireEntries(int rows, int columns, int[] rowOf, int[] columnOf, double[] values) {
        if (rows < 1 || columns < 1) {
            throw new IllegalArgumentException(
                    "a matrix of " + rows + " x " + columns + "; expected 1 or more of both");
        }
        if (rowOf.length != values.length || columnOf.length != values.length) {
            throw new IllegalArgumentException(rowOf.length + " rows, " + columnOf.length + " columns and "
                    + values.length + " values of entries; expected as many of each");
        }
        for (int i = 0; i < values.length; i++) {
            if (rowOf[i] < 0 || rowOf[i] >= rows || columnOf[i] < 0 || columnOf[i] >= columns) {
                throw new IllegalArgumentException("entry (" + rowOf[i] + ", " + columnOf[i] + ") lies outside of the "
                        + rows + " x " + columns + " matrix; rows and columns count from 0");
            }
        }
    }

    /** Returns the entries sorted by {@code keys}; equal keys stay as they are in {@code before}. A counting sort. */
    private static int[] sorted(int limit, int[] keys, int @Nullable [] before) {
        int[] next = new int[limit + 1];
        for (int key : keys) {
            next[key + 1]++;
        }
        Arrays.parallelPrefix(next, Integer::sum);
        int[] order = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            int entry = before == null ? i : before[i];
            order[next[keys[entry]]++] = entry;
        }
        return order;
    }

    /** Returns the number of rows. */
    public int rows() {
        return rows;
    }

    /** Returns the number of columns. */
    public int columns() {
        return columns;
    }

    /** Returns the number of entries. */
    public int entries() {
        return values.length;
    }

    /** Returns the value in {@code row} and {@code column}, both from 0; zero where there is no entry. */
    public double get(int row, int column) {
        int place = Arrays.binarySearch(columnOf, starts[row], starts[row + 1], column);
        return place < 0 ? 0 : values[place];
    }

    /** Hands out all entries, row by row, the columns ascending. */
    public void forEach(EntryAction action) {
        for (int row = 0; row < rows; row++) {
            for (int place = starts[row]; place < starts[row + 1]; place++) {
                action.entry(row, columnOf[place], values[place]);
            }
        }
    }

    /**
     * Returns {@code A x}, its sums rounded once.
     *
     * @throws IllegalArgumentException if {@code x} has not as many elements as there are columns
     */
    public double[] times(double[] x) {
        double[] minus = residual(new double[rows], x);
        for (int row = 0; row < rows; row++) {
            minus[row] = 0 - minus[row];
        }
        return minus;
    }

    /**
     * Returns {@code b - A x}, as if computed in twice the precision and rounded then: cancellation leaves the digits
     * that matter.
     *
     * <p>Source: T. Ogita, S. M. Rump and S. Oishi, Accurate sum and dot product, SIAM J. Sci. Comput. 26 (2005),
     * algorithm 5.3.
     *
     * @throws IllegalArgumentException if {@code b} has not as many elements as there are rows, or {@code x} as there
     *     are columns
     */
    public double[] residual(double[] b, double[] x) {
        if (b.length != rows || x.length != columns) {
            throw new IllegalArgumentException("b has " + b.length + " elements and x " + x.length + "; the matrix of "
                    + rows + " x " + columns + " expects " + rows + " and " + columns);
        }
        double[] result = new double[rows];
        for (int row = 0; row < rows; row++) {
            double sum = b[row];
            double lost = 0;
            for (int place = starts[row]; place < starts[row + 1]; place++) {
                double factor = -values[place];
                double other = x[columnOf[place]];
                double product = factor * other;
                double next = sum + product;
                double part = next - sum;
                lost += Math.fma(factor, other, -product) + ((sum - (next - part)) + (product - part));
                sum = next;
            }
            result[row] = sum + lost;
        }
        return result;
    }

    /** Returns the largest sum of the absolute values in a row. */
    public double normInfinity() {
        double largest = 0;
        for (int row = 0; row < rows; row++) {
            double sum = 0;
            for (int place = starts[row]; place < starts[row + 1]; place++) {
                sum += Math.abs(values[place]);
            }
            largest = Math.max(largest, sum);
        }
        return largest;
    }

    /** Returns true if it is equal to its transpose, to the bit. */
    public boolean isSymmetric() {
        return rows == columns && equals(transposed());
    }

    private SparseMatrix transposed() {
        int[] rowOf = new int[values.length];
        for (int row = 0; row < rows; row++) {
            Arrays.fill(rowOf, starts[row], starts[row + 1], row);
        }
        return of(columns, rows, columnOf, rowOf, values);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SparseMatrix matrix
                && rows == matrix.rows
                && columns == matrix.columns
                && Arrays.equals(starts, matrix.starts)
                && Arrays.equals(columnOf, matrix.columnOf)
                && Arrays.equals(values, matrix.values);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(columnOf) + Arrays.hashCode(values);
    }

    /** Returns its size. */
    @Override
    public String toString() {
        return rows + " x " + columns + " matrix of " + values.length + " entries";
    }
}

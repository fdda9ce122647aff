package dev.jacquard.numerics.testing;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.Blas.Triangle;
import dev.jacquard.numerics.blas.Operand;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A matrix, or with one column a vector, somewhere in a larger memory, and what that memory held at first: so that a
 * test sees what a routine wrote that it must not write.
 */
final class Tile {
    private final MemorySegment memory;
    private final long offset;
    private final int stride;
    final int rows;
    final int columns;
    private final boolean single;
    private final boolean inRows;
    private final double[] before;

    Tile(MemorySegment memory, boolean single, Layout layout, long offset, int stride, int rows, int columns) {
        this.memory = memory;
        this.single = single;
        this.inRows = layout == Layout.ROW_MAJOR;
        this.offset = offset;
        this.stride = stride;
        this.rows = rows;
        this.columns = columns;
        this.before = new double[(int) (memory.byteSize() / (single ? Float.BYTES : Double.BYTES))];
        remember();
    }

    <A> Operand<A> operand() {
        return Operand.of(memory, offset, stride);
    }

    void remember() {
        for (int i = 0; i < before.length; i++) {
            before[i] = cell(i);
        }
    }

    double get(int row, int column) {
        return cell(index(row, column));
    }

    void set(int row, int column, double value) {
        if (single) {
            memory.setAtIndex(JAVA_FLOAT_UNALIGNED, index(row, column), (float) value);
        } else {
            memory.setAtIndex(JAVA_DOUBLE_UNALIGNED, index(row, column), value);
        }
        before[(int) index(row, column)] = cell(index(row, column));
    }

    /** The elements as they are, or as they were when last remembered. */
    double[][] values(boolean now) {
        double[][] values = new double[rows][columns];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                values[i][j] = now ? get(i, j) : before[(int) index(i, j)];
            }
        }
        return values;
    }

    /**
     * Fails unless the elements, those of {@code part} alone if that is given, are as expected, and all others as they
     * were.
     */
    void check(double[][] expected, double tolerance, @Nullable Triangle part, String what) {
        double[] all = before.clone();
        boolean[] written = new boolean[all.length];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                if (part == null || (part == Triangle.UPPER ? j >= i : j <= i)) {
                    all[(int) index(i, j)] = expected[i][j];
                    written[(int) index(i, j)] = true;
                }
            }
        }
        for (int i = 0; i < all.length; i++) {
            double cell = cell(i);
            if (written[i] ? !(Math.abs(all[i] - cell) <= tolerance) : all[i] != cell) {
                assertEquals(
                        all[i],
                        cell,
                        written[i] ? tolerance : 0,
                        what + ", cell " + i + " of " + all.length + (written[i] ? "" : ", which is not the result's"));
            }
        }
    }

    private long index(int row, int column) {
        return offset + (inRows ? (long) row * stride + column : (long) column * stride + row);
    }

    private double cell(long index) {
        return single
                ? memory.getAtIndex(JAVA_FLOAT_UNALIGNED, index)
                : memory.getAtIndex(JAVA_DOUBLE_UNALIGNED, index);
    }
}

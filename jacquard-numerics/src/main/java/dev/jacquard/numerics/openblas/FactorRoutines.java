package dev.jacquard.numerics.openblas;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.jacquard.numerics.blas.Blas.Diagonal;
import dev.jacquard.numerics.blas.Blas.IndefiniteMatrixException;
import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.Blas.Side;
import dev.jacquard.numerics.blas.Blas.SingularMatrixException;
import dev.jacquard.numerics.blas.Blas.Transpose;
import dev.jacquard.numerics.blas.Blas.Triangle;
import dev.jacquard.numerics.blas.Operand;
import dev.jacquard.numerics.openblas.CheckedOperand.Part;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The routines of LAPACK that are there. The Fortran functions know columns only: on rows {@code potrf} takes the other
 * triangle, and {@code getrf} is composed. Routines of exchanges and {@code trsm} need no Fortran.
 */
final class FactorRoutines<A> extends MatrixRoutines<A> {
    /** Columns that are factored at a time: a panel of some thousand rows fits a second-level cache. */
    private static final int PANEL = 64;

    FactorRoutines(Functions functions, Layout layout) {
        super(functions, layout);
    }

    @Override
    public void getrf(int m, int n, Operand<A> a, Operand<int[]> pivots) {
        sizes("getrf", m, n);
        CheckedOperand opA = matrix("getrf: A", m, n, a, Part.ALL);
        int rank = Math.min(m, n);
        MemorySegment exchanged = pivots("getrf", pivots, rank, Part.ALL);
        if (rank == 0) {
            return;
        }
        int info;
        try (Arena arena = Arena.ofConfined();
                OperandCopies staging = OperandCopies.of(2.0 / 3 * m * n * rank, opA)) {
            MemorySegment found = arena.allocate(JAVA_INT, rank);
            info = layout == Layout.ROW_MAJOR
                    ? factorRows(arena, staging.isQuick(), m, n, opA, found)
                    : factorColumns(arena, staging.isQuick(), m, n, opA.memory, opA.stride, found);
            MemorySegment.copy(found, 0, exchanged, 0, found.byteSize());
        }
        if (info > 0) {
            throw new SingularMatrixException(info, rank);
        }
    }

    /**
     * Factors a matrix in rows, panel by panel from the left: a panel is transposed for the Fortran function and back,
     * which costs little since it is narrow and stays in the cache; the columns right of it are brought up to date in
     * place. The right-looking algorithm of LAPACK's {@code dgetrf} (LAPACK Users' Guide, third edition, section 5.4).
     */
    private int factorRows(Arena arena, boolean quick, int m, int n, CheckedOperand matrix, MemorySegment found) {
        int rank = Math.min(m, n);
        int stride = matrix.stride;
        MemorySegment a = matrix.memory;
        MemorySegment panel = arena.allocate((long) m * Math.min(PANEL, rank) * functions.element.byteSize(), 64);
        int info = 0;
        for (int j = 0; j < rank; j += PANEL) {
            int width = Math.min(PANEL, rank - j);
            int right = n - j - width;
            int below = m - j - width;
            long diagonal = (long) j * stride + j;
            MemorySegment exchanges = found.asSlice(j * 4L, width * 4L);
            transpose(quick, m - j, width, matrix.from(diagonal), stride, panel, m - j);
            int status = factorColumns(arena, quick, m - j, width, panel, m - j, exchanges);
            transpose(quick, width, m - j, panel, m - j, matrix.from(diagonal), stride);
            info = info == 0 && status > 0 ? j + status : info;
            for (int i = 0; i < width; i++) {
                int other = j + exchanges.getAtIndex(JAVA_INT, i);
                exchanges.setAtIndex(JAVA_INT, i, other);
                exchangeBeside(matrix, j + i, other - 1, j, right, j + width);
            }
            if (right > 0) {
                long beside = diagonal + width;
                long under = diagonal + (long) width * stride;
                Operand<A> corner = Operand.of(a, diagonal, stride);
                Operand<A> above = Operand.of(a, beside, stride);
                trsm(Side.LEFT, Triangle.LOWER, Transpose.NO, Diagonal.UNIT, width, right, 1, corner, above);
                Operand<A> left = Operand.of(a, under, stride);
                Operand<A> rest = Operand.of(a, under + width, stride);
                gemm(Transpose.NO, Transpose.NO, below, right, width, -1, left, above, 1, rest);
            }
        }
        return info;
    }

    /** Exchanges two rows in the {@code left} first columns and in {@code right} columns from {@code from} on. */
    private void exchangeBeside(CheckedOperand matrix, int row, int other, int left, int right, int from) {
        if (row != other) {
            long one = (long) row * matrix.stride;
            long two = (long) other * matrix.stride;
            if (left > 0) {
                swap(left, matrix, one, two, 1);
            }
            if (right > 0) {
                swap(right, matrix, one + from, two + from, 1);
            }
        }
    }

    /** Factors a matrix in columns: LAPACK's status. */
    private int factorColumns(
            Arena arena, boolean quick, int m, int n, MemorySegment a, int stride, MemorySegment found) {
        MemorySegment numbers = arena.allocateFrom(JAVA_INT, m, n, stride, 0);
        functions.routines(quick).getrf(numbers, numbers.asSlice(4), a, numbers.asSlice(8), found, numbers.asSlice(12));
        int info = numbers.getAtIndex(JAVA_INT, 3);
        refuseArgument("getrf", info);
        return info;
    }

    @Override
    public void getrs(Transpose transpose, int n, int k, Operand<A> a, Operand<int[]> pivots, Operand<A> b) {
        sizes("getrs", n, k);
        matrix("getrs: A", n, n, a, Part.NONE);
        matrix("getrs: B", n, k, b, Part.ALL);
        if (transpose == Transpose.NO) {
            laswp(n, k, b, 0, n, pivots, true);
            trsm(Side.LEFT, Triangle.LOWER, transpose, Diagonal.UNIT, n, k, 1, a, b);
            trsm(Side.LEFT, Triangle.UPPER, transpose, Diagonal.NON_UNIT, n, k, 1, a, b);
        } else {
            checkPivots("getrs", pivots("getrs", pivots, n, Part.NONE), 0, n, n);
            trsm(Side.LEFT, Triangle.UPPER, transpose, Diagonal.NON_UNIT, n, k, 1, a, b);
            trsm(Side.LEFT, Triangle.LOWER, transpose, Diagonal.UNIT, n, k, 1, a, b);
            laswp(n, k, b, 0, n, pivots, false);
        }
    }

    @Override
    public void potrf(Triangle triangle, int n, Operand<A> a) {
        sizes("potrf", n);
        CheckedOperand opA = matrix("potrf: A", n, n, a, part(triangle));
        if (n == 0) {
            return;
        }
        boolean upper = (triangle == Triangle.UPPER) == (layout == Layout.COLUMN_MAJOR);
        int info;
        try (Arena arena = Arena.ofConfined();
                OperandCopies staging = OperandCopies.of(1.0 / 3 * n * n * n, opA)) {
            MemorySegment numbers = arena.allocateFrom(JAVA_INT, n, opA.stride, 0);
            MemorySegment letter = arena.allocateFrom(JAVA_BYTE, (byte) (upper ? 'U' : 'L'));
            functions
                    .routines(staging.isQuick())
                    .potrf(letter, numbers, opA.memory, numbers.asSlice(4), numbers.asSlice(8));
            info = numbers.getAtIndex(JAVA_INT, 2);
            if (info == 0) {
                info = firstNotANumber(opA, n);
            }
        }
        refuseArgument("potrf", info);
        if (info > 0) {
            throw new IndefiniteMatrixException(info, n);
        }
    }

    /**
     * Returns the number, from 1, of the first element of a diagonal that is no number; 0 if there is none. The
     * library's own functions look for elements that are not positive, and NaN is not positive either.
     */
    private int firstNotANumber(CheckedOperand of, int n) {
        for (int i = 0; i < n; i++) {
            MemorySegment element = of.from(i * (of.stride + 1L));
            boolean isNumber = functions.element.byteSize() == Double.BYTES
                    ? !Double.isNaN(element.get(JAVA_DOUBLE_UNALIGNED, 0))
                    : !Float.isNaN(element.get(JAVA_FLOAT_UNALIGNED, 0));
            if (!isNumber) {
                return i + 1;
            }
        }
        return 0;
    }

    @Override
    public void laswp(int m, int n, Operand<A> a, int first, int last, Operand<int[]> pivots, boolean forward) {
        sizes("laswp", m, n);
        if (first < 0 || last < first || last > m) {
            throw new IllegalArgumentException(
                    "laswp: rows " + first + " to before " + last + " are not rows of a matrix with " + m);
        }
        CheckedOperand opA = matrix("laswp: A", m, n, a, Part.ALL);
        MemorySegment exchanged = pivots("laswp", pivots, last, Part.NONE);
        checkPivots("laswp", exchanged, first, last, m);
        boolean rows = layout == Layout.ROW_MAJOR;
        long rowDistance = rows ? opA.stride : 1;
        int elementDistance = rows ? 1 : opA.stride;
        for (int i = first; i < last; i++) {
            int row = forward ? i : first + last - 1 - i;
            int other = exchanged.getAtIndex(JAVA_INT_UNALIGNED, row) - 1;
            if (other != row && n > 0) {
                swap(n, opA, row * rowDistance, other * rowDistance, elementDistance);
            }
        }
    }

    private void swap(int n, CheckedOperand matrix, long one, long other, int distance) {
        boolean quick = n <= OperandCopies.PIECE || !matrix.isNative();
        Routines routines = functions.routines(quick);
        int piece = quick ? OperandCopies.PIECE : n;
        for (int done = 0; done < n; done += piece) {
            long shift = (long) done * distance;
            routines.swap(
                    Math.min(piece, n - done),
                    matrix.from(one + shift),
                    distance,
                    matrix.from(other + shift),
                    distance);
        }
    }

    /** Writes {@code from}, with {@code rows} rows, into {@code to} as its transpose. */
    private void transpose(
            boolean quick, int rows, int columns, MemorySegment from, int fromStride, MemorySegment to, int toStride) {
        functions.routines(quick).omatcopy(101, 112, rows, columns, 1.0, from, fromStride, to, toStride);
    }

    private static MemorySegment pivots(String routine, Operand<int[]> pivots, int count, Part written) {
        if (pivots.stride() != 1) {
            throw new IllegalArgumentException(routine + ": pivots need a stride of 1, not " + pivots.stride());
        }
        return new CheckedOperand(routine + ": pivots", JAVA_INT, count, 1, pivots, written).memory;
    }

    /** Pivots come from users, and native code would exchange with whatever memory they name. */
    private static void checkPivots(String routine, MemorySegment pivots, int first, int last, int m) {
        for (int i = first; i < last; i++) {
            int pivot = pivots.getAtIndex(JAVA_INT_UNALIGNED, i);
            if (pivot < 1 || pivot > m) {
                throw new IllegalArgumentException(
                        routine + ": pivot " + i + " is " + pivot + ", and rows are counted from 1 to " + m);
            }
        }
    }

    /** A negative status: the library refused an argument that our checks had let through. */
    private static void refuseArgument(String routine, int info) {
        if (info < 0) {
            throw new IllegalStateException(routine + ": the library refused its argument " + -info);
        }
    }
}

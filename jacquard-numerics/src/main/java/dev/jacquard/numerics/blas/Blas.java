package dev.jacquard.numerics.blas;

/**
 * A library of linear algebra: BLAS and the part of LAPACK that tasks on tiles need, in two precisions and two layouts.
 * Safe for use by many threads at once.
 *
 * <pre>{@code
 * Operand<double[]> a = Operand.of(new double[] {1, 2, 3, 4}, 0, 2);
 * Operand<double[]> c = Operand.of(new double[4], 0, 2);
 * Blases.open("auto").doubles().gemm(Transpose.NO, Transpose.NO, 2, 2, 2, 1, a, a, 0, c);   // C = A A
 * }</pre>
 */
public interface Blas {
    /** The provider's name. */
    String name();

    /** The library's version and the processor that its kernels are for, in its own words. */
    String description();

    /** The routines in double precision on matrices in {@code layout}. */
    BlasRoutines<double[]> doubles(Layout layout);

    /** The routines in single precision on matrices in {@code layout}. */
    BlasRoutines<float[]> floats(Layout layout);

    /** The routines in double precision on matrices in rows. */
    default BlasRoutines<double[]> doubles() {
        return doubles(Layout.ROW_MAJOR);
    }

    /** The routines in single precision on matrices in rows. */
    default BlasRoutines<float[]> floats() {
        return floats(Layout.ROW_MAJOR);
    }

    /** The number of threads that the library takes for one call. */
    int threads();

    /**
     * Lets every later call of the process take {@code threads} threads of the library's own. It starts with 1: tasks
     * are the parallelism, and each of n workers calling a library that takes n threads would make n * n. More than 1
     * is for a program with one large call that runs alone.
     *
     * @throws IllegalArgumentException when {@code threads} is less than 1
     */
    void threads(int threads);

    /** The form in which a routine takes a matrix. */
    enum Transpose {
        /** As it is. */
        NO,

        /** Rows for columns. */
        YES
    }

    /** The diagonal of a triangular matrix. */
    enum Diagonal {
        /** The values in memory. */
        NON_UNIT,

        /** Ones, whatever the values in memory. */
        UNIT
    }

    /** The side of a product on which the triangular matrix stands. */
    enum Side {
        /** {@code A B}. */
        LEFT,

        /** {@code B A}. */
        RIGHT
    }

    /**
     * The triangle of a square matrix that a routine uses, with the diagonal. The other one is neither read nor
     * written.
     */
    enum Triangle {
        /** Columns from the diagonal on. */
        UPPER,

        /** Columns up to the diagonal. */
        LOWER
    }

    /** The order of a matrix in memory. */
    enum Layout {
        /** Rows one after the other; the leading dimension is the distance from one row to the next. */
        ROW_MAJOR,

        /** Columns one after the other; the leading dimension is the distance from one column to the next. */
        COLUMN_MAJOR
    }

    /** A factorisation met a pivot that is exactly zero: the matrix cannot be inverted. */
    final class SingularMatrixException extends ArithmeticException {
        private static final long serialVersionUID = 1;

        private final int pivot;

        /** The {@code pivot}-th pivot, counted from 1, of {@code order} is zero. */
        public SingularMatrixException(int pivot, int order) {
            super("the matrix is singular: pivot " + pivot + " of " + order + " is zero");
            this.pivot = pivot;
        }

        /** The first pivot that is zero, counted from 1. */
        public int pivot() {
            return pivot;
        }
    }

    /** A factorisation met a leading minor that is not positive: the matrix is not positive definite. */
    final class IndefiniteMatrixException extends ArithmeticException {
        private static final long serialVersionUID = 1;

        private final int minor;

        /** The leading minor of order {@code minor}, of a matrix of order {@code order}, is not positive. */
        public IndefiniteMatrixException(int minor, int order) {
            super("the matrix is not positive definite: its leading minor of order " + minor + " of " + order
                    + " is not positive");
            this.minor = minor;
        }

        /** The order of the first leading minor that is not positive. */
        public int minor() {
            return minor;
        }
    }
}

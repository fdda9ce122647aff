package dev.jacquard.numerics.blas;

/** A factorisation met a pivot that is exactly zero: the matrix cannot be inverted. */
public final class SingularMatrixException extends ArithmeticException {
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

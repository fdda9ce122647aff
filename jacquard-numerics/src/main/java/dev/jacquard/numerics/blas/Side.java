package dev.jacquard.numerics.blas;

/** Where the triangular matrix of a product stands. */
public enum Side {
    /** {@code A B}. */
    LEFT,

    /** {@code B A}. */
    RIGHT
}

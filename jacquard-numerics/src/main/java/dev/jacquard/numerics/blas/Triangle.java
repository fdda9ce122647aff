package dev.jacquard.numerics.blas;

/**
 * The triangle of a square matrix that a routine uses, with the diagonal. The other one is neither read nor written.
 */
public enum Triangle {
    /** Columns from the diagonal on. */
    UPPER,

    /** Columns up to the diagonal. */
    LOWER
}

package dev.jacquard.numerics.blas;

/** What stands on the diagonal of a triangular matrix. */
public enum Diagonal {
    /** What memory holds there. */
    NON_UNIT,

    /** Ones, whatever memory holds there. */
    UNIT
}

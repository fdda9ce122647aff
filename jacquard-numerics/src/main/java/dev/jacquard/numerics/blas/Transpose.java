package dev.jacquard.numerics.blas;

/** Whether a routine takes a matrix as it is. */
public enum Transpose {
    /** As it is. */
    NO,

    /** Rows for columns. */
    YES
}

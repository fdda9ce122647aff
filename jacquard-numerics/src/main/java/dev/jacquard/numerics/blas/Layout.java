package dev.jacquard.numerics.blas;

/** How a matrix lies in memory. */
public enum Layout {
    /** Rows one after the other; the leading dimension is the distance from one row to the next. */
    ROW_MAJOR,

    /** Columns one after the other; the leading dimension is the distance from one column to the next. */
    COLUMN_MAJOR
}

package dev.jacquard.apps.stitching.align;

/** The direction from one tile of a pair to its neighbour. */
public enum Direction {
    /** Side by side in a row: {@code from} is the western neighbour of {@code to}. */
    WEST,
    /** One above the other in a column: {@code from} is the northern neighbour of {@code to}. */
    NORTH
}

package dev.jacquard.apps.stitching.align;

/**
 * Two neighbouring tiles. Their displacement is the position of {@code to} minus the position of {@code from}.
 *
 * @param from number of the left or upper tile, {@code row * columns + column}
 * @param to number of the right or lower tile
 */
public record Pair(int from, int to, Direction direction) {

    /** The direction from one tile of a pair to its neighbour. */
    public enum Direction {
        /** Side by side in a row: {@code from} is the western neighbour of {@code to}. */
        WEST,
        /** One above the other in a column: {@code from} is the northern neighbour of {@code to}. */
        NORTH
    }
}

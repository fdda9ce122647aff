package dev.jacquard.apps.stitching.align;

/**
 * Two neighbouring tiles. Their displacement is the position of {@code to} minus the position of {@code from}.
 *
 * @param from number of the left or upper tile, {@code row * columns + column}
 * @param to number of the right or lower tile
 */
public record Pair(int from, int to, Direction direction) {}

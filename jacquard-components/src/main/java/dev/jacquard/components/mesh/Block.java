package dev.jacquard.components.mesh;

import java.util.Arrays;

/**
 * What runs once in each pass of a loop, or once in the program: parts, and loops as wholes. Immutable.
 *
 * <p>An item that is less than the number of parts is that part; another one is the loop whose number is the rest.
 */
public final class Block {
    private final int[] items;
    private final int[][] next;
    private final int[] needs;

    Block(int[] items, int[][] next, int[] needs) {
        this.items = items;
        this.next = next;
        this.needs = needs;
    }

    /** Returns the number of its items. */
    public int size() {
        return items.length;
    }

    /** Returns the item at a place of the serial order. */
    public int item(int place) {
        return items[place];
    }

    /** Returns the places of the items that wait for the one at {@code place}. The array is the block's own. */
    public int[] next(int place) {
        return next[place];
    }

    /** Returns the number of items for which the one at {@code place} waits. */
    public int needs(int place) {
        return needs[place];
    }

    /** Returns the same block with other numbers of loops. */
    Block renumbered(int parts, int[] numbers) {
        int[] renumbered = Arrays.stream(items)
                .map(item -> item < parts ? item : parts + numbers[item - parts])
                .toArray();
        return new Block(renumbered, next, needs);
    }
}

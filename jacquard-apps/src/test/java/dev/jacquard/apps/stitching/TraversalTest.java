package dev.jacquard.apps.stitching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.stitching.TileGrid.Traversal;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TraversalTest {
    @Test
    void ordersOfA2By3Grid() {
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5}, Traversal.ROW.order(2, 3));
        assertArrayEquals(new int[] {0, 1, 2, 5, 4, 3}, Traversal.ROW_SERPENTINE.order(2, 3));
        assertArrayEquals(new int[] {0, 3, 1, 4, 2, 5}, Traversal.COLUMN.order(2, 3));
        assertArrayEquals(new int[] {0, 3, 4, 1, 2, 5}, Traversal.COLUMN_SERPENTINE.order(2, 3));
        assertArrayEquals(new int[] {0, 1, 3, 2, 4, 5}, Traversal.DIAGONAL.order(2, 3));
        assertArrayEquals(new int[] {0, 3, 1, 2, 4, 5}, Traversal.DIAGONAL_SERPENTINE.order(2, 3));
    }

    @ParameterizedTest
    @EnumSource
    void everyTileComesOnce(Traversal traversal) {
        for (int rows = 1; rows <= 6; rows++) {
            for (int columns = 1; columns <= 6; columns++) {
                int[] order = traversal.order(rows, columns);
                Arrays.sort(order);
                assertArrayEquals(IntStream.range(0, rows * columns).toArray(), order, rows + " x " + columns);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theSmallestPoolSufficesAndOneLessDeadlocks(Traversal traversal) {
        for (int rows = 1; rows <= 7; rows++) {
            for (int columns = 1; columns <= 7; columns++) {
                int pool = traversal.smallestPool(rows, columns);
                int[] order = traversal.order(rows, columns);
                assertTrue(finishes(rows, columns, order, pool), rows + " x " + columns + " with " + pool);
                assertFalse(finishes(rows, columns, order, pool - 1), rows + " x " + columns + " with one less");
            }
        }
    }

    @Test
    void knownPools() {
        assertEquals(1, Traversal.DIAGONAL_SERPENTINE.smallestPool(1, 1));
        assertEquals(2, Traversal.ROW.smallestPool(1, 9));
        assertEquals(2, Traversal.COLUMN_SERPENTINE.smallestPool(9, 1));
        assertEquals(9, Traversal.ROW.smallestPool(8, 8));
    }

    /** Plays it: a tile takes a transform if one is free; those whose neighbours have all come are given back. */
    private static boolean finishes(int rows, int columns, int[] order, int pool) {
        boolean[] read = new boolean[order.length];
        boolean[] held = new boolean[order.length];
        int free = pool;
        for (int tile : order) {
            if (free == 0) {
                return false;
            }
            free--;
            read[tile] = true;
            held[tile] = true;
            for (int other = 0; other < held.length; other++) {
                boolean over = Arrays.stream(Traversal.neighbours(other, rows, columns))
                        .allMatch(n -> read[n]);
                if (held[other] && over) {
                    held[other] = false;
                    free++;
                }
            }
        }
        return true;
    }
}

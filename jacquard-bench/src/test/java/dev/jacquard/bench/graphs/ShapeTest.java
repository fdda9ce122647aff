package dev.jacquard.bench.graphs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShapeTest {
    private static int[] list(Shape.Lists lists, int task) {
        return IntStream.range(0, lists.count(task))
                .map(i -> lists.get(task, i))
                .toArray();
    }

    @Test
    void aStencilNeedsThePointsBesideAndItsOwn() {
        Shape shape = Shape.stencil(12, 4);
        assertArrayEquals(new int[] {}, list(shape.earlier(), 3));
        assertArrayEquals(new int[] {0, 1}, list(shape.earlier(), 4));
        assertArrayEquals(new int[] {4, 5, 6}, list(shape.earlier(), 9));
        assertArrayEquals(new int[] {8, 9, 10}, list(shape.later(), 5));
    }

    @Test
    void aWavefrontNeedsLeftAndUp() {
        Shape shape = Shape.wavefront(9);
        assertArrayEquals(new int[] {0}, list(shape.earlier(), 1));
        assertArrayEquals(new int[] {0}, list(shape.earlier(), 3));
        assertArrayEquals(new int[] {1, 3}, list(shape.earlier(), 4));
    }

    @Test
    void aTreeDoubles() {
        Shape shape = Shape.tree(7);
        assertArrayEquals(new int[] {3, 4}, list(shape.later(), 1));
        assertArrayEquals(new int[] {3, 4, 5, 6}, shape.later().withNone());
    }

    /** Whoever accesses a cell that another one updates is ordered with it, directly or through others. */
    @Test
    void inferredEdgesOrderAllConflicts() {
        Shape shape = Shape.accesses5(1_500);
        int tasks = shape.tasks();
        BitSet[] before = new BitSet[tasks];
        for (int task = 0; task < tasks; task++) {
            before[task] = new BitSet();
            for (int earlier : list(shape.earlier(), task)) {
                assertTrue(earlier < task);
                before[task].or(before[earlier]);
                before[task].set(earlier);
            }
            for (int earlier = 0; earlier < task; earlier++) {
                int own = shape.own(earlier);
                int mine = shape.own(task);
                boolean conflict = own == mine
                        || IntStream.of(list(shape.reads(), task)).anyMatch(cell -> cell == own)
                        || IntStream.of(list(shape.reads(), earlier)).anyMatch(cell -> cell == mine);
                assertTrue(!conflict || before[task].get(earlier), earlier + " before " + task);
            }
        }
    }

    @Test
    void aBoardSeesWhatRanTooEarlyOrTwiceOrNever() {
        Shape shape = Shape.chain(3);
        assertTrue(after(shape, true, 0, 1, 2));
        assertFalse(after(shape, true, 1, 0, 2));
        assertTrue(after(shape, false, 1, 0, 2), "who counts does not see the order");
        assertFalse(after(shape, false, 0, 1));
        assertFalse(after(shape, false, 0, 1, 2, 2));
    }

    private static boolean after(Shape shape, boolean checking, int... ran) {
        Board board = new Board(shape, checking);
        board.clear();
        IntStream.of(ran).forEach(board::run);
        return board.isRight();
    }

    @Test
    void fewCellsLieOnLinesOfTheirOwn() {
        assertEquals(16, Shape.updates(10, 4).stride());
        assertEquals(1, Shape.chain(5_000).stride());
    }
}

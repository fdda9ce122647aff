package dev.jacquard.devices.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.device.LaunchShape;
import org.junit.jupiter.api.Test;

class GridTest {
    @Test
    void oneDimensionTakesWholeWarpsUpToThePreferredBlock() {
        assertEquals(new Grid(1, 1, 1, 32, 1, 1), Grid.of(LaunchShape.of(1), 768, 1024));
        assertEquals(new Grid(1, 1, 1, 64, 1, 1), Grid.of(LaunchShape.of(33), 768, 1024));
        assertEquals(new Grid(2, 1, 1, 768, 1, 1), Grid.of(LaunchShape.of(1000), 768, 1024));
        assertEquals(new Grid(8, 1, 1, 128, 1, 1), Grid.of(LaunchShape.of(1000), 768, 128));
        assertEquals(new Grid(1_342_177_281, 1, 1, 32, 1, 1), Grid.of(LaunchShape.of(32L * 1_342_177_281), 32, 1024));
    }

    @Test
    void twoDimensionsTakeSquaresAndThreeBoxesAsLargeAsTheKernelCan() {
        assertEquals(new Grid(7, 3, 1, 16, 16, 1), Grid.of(LaunchShape.of(100, 33), 768, 1024));
        assertEquals(new Grid(7, 5, 1, 16, 8, 1), Grid.of(LaunchShape.of(100, 33), 768, 128));
        assertEquals(new Grid(7, 33, 1, 16, 1, 1), Grid.of(LaunchShape.of(100, 33), 768, 16));
        assertEquals(new Grid(1, 1, 2, 8, 8, 4), Grid.of(new LaunchShape(5, 6, 7, 0, 0, 0), 768, 1024));
        assertEquals(new Grid(1, 1, 7, 8, 8, 1), Grid.of(new LaunchShape(5, 6, 7, 0, 0, 0), 768, 64));
        assertEquals(new Grid(5, 6, 7, 1, 1, 1), Grid.of(new LaunchShape(5, 6, 7, 0, 0, 0), 768, 1));
    }

    @Test
    void groupsThatAreAskedForAreKept() {
        assertEquals(new Grid(5, 3, 2, 8, 2, 2), Grid.of(new LaunchShape(37, 5, 3, 8, 2, 2), 768, 1024));
    }

    @Test
    void whatIsTooLargeIsRefused() {
        var block = assertThrows(
                IllegalArgumentException.class, () -> Grid.of(new LaunchShape(1, 1, 1, 64, 32, 1), 768, 1024));
        assertTrue(String.valueOf(block.getMessage()).contains("64 x 32 x 1"), block::getMessage);
        var grid = assertThrows(
                IllegalArgumentException.class, () -> Grid.of(new LaunchShape(1, 70_000, 1, 1, 1, 1), 768, 1024));
        assertTrue(String.valueOf(grid.getMessage()).contains("70000 work items"), grid::getMessage);
    }
}

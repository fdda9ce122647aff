package dev.jacquard.apps.tiles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final List<TilePosition> TRUTH =
            List.of(new TilePosition("a", 0, 0), new TilePosition("b", 100, 3), new TilePosition("c", 200, 0));

    @Test
    void anotherOriginIsNoError() {
        List<TilePosition> found =
                List.of(new TilePosition("c", 207, 5), new TilePosition("a", 7, 5), new TilePosition("b", 107, 8));
        assertEquals(new Comparison(3, 3, 0), Comparison.of(found, TRUTH, 0));
    }

    @Test
    void oneWrongTileDoesNotMoveTheOthers() {
        List<TilePosition> found =
                List.of(new TilePosition("a", 0, 0), new TilePosition("b", 103, 7), new TilePosition("c", 200, 0));
        assertEquals(new Comparison(3, 2, 5), Comparison.of(found, TRUTH, 5));
        assertEquals(
                "tile b was found 5.0 pixels from where it is; expected 4.0 at most",
                assertThrows(ArithmeticException.class, () -> Comparison.of(found, TRUTH, 4))
                        .getMessage());
    }

    @Test
    void otherTilesAreRefused() {
        assertEquals(
                "positions of 2 tiles, and true ones of 3; expected those of the same tiles",
                assertThrows(IllegalArgumentException.class, () -> Comparison.of(TRUTH.subList(0, 2), TRUTH, 0))
                        .getMessage());
        List<TilePosition> found =
                List.of(new TilePosition("a", 0, 0), new TilePosition("b", 1, 1), new TilePosition("d", 0, 0));
        assertEquals(
                "tile d has no true position; expected one for each tile that was found",
                assertThrows(IllegalArgumentException.class, () -> Comparison.of(found, TRUTH, 0))
                        .getMessage());
    }
}

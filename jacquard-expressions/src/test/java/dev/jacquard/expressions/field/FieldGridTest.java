package dev.jacquard.expressions.field;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import org.junit.jupiter.api.Test;

/** Grids: where points lie, and what is refused. */
class FieldGridTest {
    @Test
    void pointsLieInTheMiddleOfCellsOrBetweenThem() {
        Grid grid = Grid.of(4, 8).lengths(2, 2).origin(10, -1).ghosts(2);
        assertEquals(0.5, grid.spacing(0));
        assertEquals(0.25, grid.spacing(1));
        assertEquals(10.25, grid.coordinate(Centring.CELL, 0, 0));
        assertEquals(9.75, grid.coordinate(Centring.CELL, 0, -1));
        assertEquals(10, grid.coordinate(Centring.FACE_X, 0, 0));
        assertEquals(12, grid.coordinate(Centring.FACE_X, 0, 4));
        assertEquals(-0.875, grid.coordinate(Centring.FACE_X, 1, 0));
        assertEquals(-1, grid.coordinate(Centring.NODE, 1, 0));
    }

    @Test
    void facesAndNodesAreOneMore() {
        Grid grid = Grid.of(4, 8).ghosts(2);
        assertEquals(new Range(0, 4, 0, 8, 0, 1), grid.interior(Centring.CELL));
        assertEquals(new Range(0, 5, 0, 8, 0, 1), grid.interior(Centring.FACE_X));
        assertEquals(new Range(0, 4, 0, 9, 0, 1), grid.interior(Centring.FACE_Y));
        assertEquals(new Range(0, 5, 0, 9, 0, 1), grid.interior(Centring.NODE));
        assertEquals(new Range(-2, 7, -2, 11, 0, 1), grid.valid(Centring.NODE));
    }

    @Test
    void rowsBeginOnBoundaries() {
        for (DataType type : new DataType[] {DataType.FLOAT64, DataType.FLOAT32}) {
            for (int ghosts = 0; ghosts < 4; ghosts++) {
                Grid grid = Grid.of(13, 5, 3).ghosts(ghosts).type(type);
                for (Centring centring : Centring.values()) {
                    Layout layout = grid.layout(centring, 9);
                    assertEquals(0, (layout.lead() + ghosts) * type.bytes() % 64);
                    assertEquals(0, layout.stride(1) * type.bytes() % 64);
                    assertEquals(grid.points(centring, 0) + 2 * ghosts, layout.extent(2));
                    assertEquals(grid.points(centring, 2) + 2 * ghosts, layout.extent(0));
                }
            }
        }
    }

    @Test
    void partsTouchAndDoNotOverlap() {
        Grid grid = Grid.of(6, 5, 4).ghosts(2);
        assertEquals(new Range(1, 6, 1, 4, 1, 3), grid.core(Centring.FACE_X, 1));
        assertEquals(new Range(0, 2, 0, 5, 0, 4), grid.border(Centring.CELL, Side.X_LOW, 2));
        assertEquals(new Range(5, 7, 0, 5, 0, 4), grid.border(Centring.FACE_X, Side.X_HIGH, 2));
        assertEquals(new Range(0, 6, -2, 0, 0, 4), grid.ghosts(Centring.CELL, Side.Y_LOW));
        assertEquals(new Range(0, 6, 0, 5, 4, 6), grid.ghosts(Centring.CELL, Side.Z_HIGH));
        assertEquals(
                Box.of(new long[] {6, 2, 2}, new long[] {8, 7, 8}), grid.box(grid.ghosts(Centring.CELL, Side.Z_HIGH)));
        assertEquals(
                Box.of(new long[] {3}, new long[] {7}),
                Grid.of(6).ghosts(2).box(Grid.of(6).core(Centring.CELL, 1)));
        refused(() -> grid.core(Centring.CELL, 2), "no core within a border of 2 points");
        refused(() -> Grid.of(4).border(Centring.CELL, Side.Y_LOW, 1), "no side Y_LOW");
    }

    @Test
    void refusesWhatIsNoGrid() {
        refused(() -> Grid.of(), "1 to 3 dimensions");
        refused(() -> Grid.of(1, 2, 3, 4), "[1, 2, 3, 4]");
        refused(() -> Grid.of(4, 0), "at least 1 cell");
        refused(() -> Grid.of(4, 4).lengths(1), "2 dimensions", "lengths");
        refused(() -> Grid.of(4).lengths(0), "above 0");
        refused(() -> Grid.of(4).lengths(Double.NaN), "above 0");
        refused(() -> Grid.of(4, 4).origin(0, Double.NaN), "coordinates of a grid's corner are finite, not [0.0, NaN]");
        refused(() -> Grid.of(4).origin(Double.NEGATIVE_INFINITY), "[-Infinity]");
        refused(() -> Grid.of(4).ghosts(-1), "-1");
        refused(() -> Grid.of(4).ghosts(17), "0 to 16");
        refused(() -> Grid.of(Integer.MAX_VALUE), "at most 2147482623 cells");
        refused(() -> Grid.of(4).type(DataType.INT32), "FLOAT64 or FLOAT32");
    }

    private static void refused(Runnable call, String... mentions) {
        assertMentions(assertThrows(IllegalArgumentException.class, call::run), mentions);
    }
}

package dev.jacquard.apps.stitching;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.apps.stitching.GridLayout.Corner;
import dev.jacquard.apps.stitching.GridLayout.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GridLayoutTest {
    /** The numbers of a grid of 2 x 3, row by row from the top. */
    @ParameterizedTest
    @CsvSource({
        "ROW, false, TOP_LEFT, 1 2 3 4 5 6",
        "ROW, true, TOP_LEFT, 1 2 3 6 5 4",
        "ROW, false, TOP_RIGHT, 3 2 1 6 5 4",
        "ROW, true, TOP_RIGHT, 3 2 1 4 5 6",
        "ROW, false, BOTTOM_LEFT, 4 5 6 1 2 3",
        "ROW, true, BOTTOM_RIGHT, 4 5 6 3 2 1",
        "COLUMN, false, TOP_LEFT, 1 3 5 2 4 6",
        "COLUMN, true, TOP_LEFT, 1 4 5 2 3 6",
        "COLUMN, false, TOP_RIGHT, 5 3 1 6 4 2",
        "COLUMN, true, BOTTOM_LEFT, 2 3 6 1 4 5",
        "COLUMN, false, BOTTOM_RIGHT, 6 4 2 5 3 1",
    })
    void numbers(Order order, boolean serpentine, Corner start, String expected) {
        GridLayout layout = new GridLayout(2, 3, 1, order, serpentine, start);
        StringBuilder numbers = new StringBuilder();
        for (int place = 0; place < 6; place++) {
            numbers.append(place == 0 ? "" : " ").append(layout.number(place / 3, place % 3));
        }
        assertEquals(expected, numbers.toString());
    }

    /** A stage that starts in a corner, moves along lines, and turns or flies back at their ends. */
    @ParameterizedTest
    @CsvSource({"1,1", "1,5", "4,1", "2,2", "3,4", "5,3"})
    void everyNumberIsWhereTheStageIsThen(int rows, int columns) {
        for (Order order : Order.values()) {
            for (Corner start : Corner.values()) {
                for (boolean serpentine : new boolean[] {false, true}) {
                    GridLayout layout = new GridLayout(rows, columns, 0, order, serpentine, start);
                    walk(layout, start.name().startsWith("TOP"), start.name().endsWith("LEFT"));
                }
            }
        }
    }

    private static void walk(GridLayout layout, boolean down, boolean right) {
        boolean alongRow = layout.order() == Order.ROW;
        int row = down ? 0 : layout.rows() - 1;
        int column = right ? 0 : layout.columns() - 1;
        int ahead = alongRow ? (right ? 1 : -1) : (down ? 1 : -1);
        int aside = alongRow ? (down ? 1 : -1) : (right ? 1 : -1);
        int length = alongRow ? layout.columns() : layout.rows();
        for (int number = 0; number < layout.size(); number++) {
            assertEquals(number, layout.number(row, column), layout + " at " + row + ", " + column);
            boolean atEnd = (number + 1) % length == 0;
            int back = layout.serpentine() ? 0 : -ahead * (length - 1);
            int moved = atEnd ? back : ahead;
            row += alongRow ? (atEnd ? aside : 0) : moved;
            column += alongRow ? moved : (atEnd ? aside : 0);
            ahead = atEnd && layout.serpentine() ? -ahead : ahead;
        }
    }
}

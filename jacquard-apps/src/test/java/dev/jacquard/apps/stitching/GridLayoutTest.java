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
}

package dev.jacquard.devices.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.memory.device.CopyShape;
import org.junit.jupiter.api.Test;

class CopiesTest {
    @Test
    void rowsWithoutGapsAreOneRun() {
        assertEquals(CopyShape.run(3, 5, 80), Copies.joined(new CopyShape(3, 5, 10, 8, 10, 10, 1, 0, 0)));
        assertEquals(CopyShape.run(0, 0, 240), Copies.joined(new CopyShape(0, 0, 10, 8, 10, 10, 3, 80, 80)));
    }

    @Test
    void rowsWithGapsStayRows() {
        CopyShape rows = new CopyShape(0, 0, 10, 8, 12, 10, 1, 0, 0);
        assertEquals(rows, Copies.joined(rows));
    }

    @Test
    void aRowPerPlaneIsAPlaneOfRows() {
        assertEquals(
                new CopyShape(1, 2, 10, 3, 40, 50, 1, 10, 10),
                Copies.joined(new CopyShape(1, 2, 10, 1, 10, 10, 3, 40, 50)));
        assertEquals(
                new CopyShape(1, 2, 80, 3, 100, 80, 1, 80, 80),
                Copies.joined(new CopyShape(1, 2, 10, 8, 10, 10, 3, 100, 80)));
    }

    @Test
    void planesThatOverlapStayPlanes() {
        CopyShape shape = new CopyShape(0, 0, 4, 8, 4, 4, 3, 4, 40);
        assertEquals(shape, Copies.joined(shape));
    }
}

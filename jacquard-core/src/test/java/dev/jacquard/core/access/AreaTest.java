package dev.jacquard.core.access;

import static dev.jacquard.core.testing.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class AreaTest {
    private static final int SIDE = 6;

    @Test
    void agreesWithSetsOfCoordinates() {
        Random random = new Random(1);
        for (int round = 0; round < 5_000; round++) {
            Area a = box(random);
            Area b = box(random);
            boolean common = false;
            boolean allOfB = true;
            for (int row = 0; row < SIDE; row++) {
                for (int column = 0; column < SIDE; column++) {
                    Area point = Area.of(row, row, column, column);
                    common |= a.contains(point) && b.contains(point);
                    allOfB &= a.contains(point) || !b.contains(point);
                }
            }
            assertEquals(common, a.intersects(b), a + " and " + b);
            assertEquals(allOfB, a.contains(b), a + " and " + b);
        }
    }

    @Test
    void growsOnEverySide() {
        assertEquals(Area.of(-1, 3, 8, 10), Area.of(0, 2, 9, 9).grow(1));
        assertThrows(IllegalArgumentException.class, () -> Area.of(0, 1).grow(-1));
    }

    @Test
    void refusesBoundsThatAreNoBox() {
        assertMessage("a lowest and a highest coordinate per dimension, not 3", () -> Area.of(1, 2, 3));
        assertMessage("not 0 numbers", Area::of);
        assertMessage("dimension 1 of an area goes from 5 to 4", () -> Area.of(0, 0, 5, 4));
    }

    @Test
    void refusesToMeetAnAreaOfOtherDimensions() {
        assertMessage("[0..1] has 1, [0..1, 2..3] has 2", () -> Area.of(0, 1).intersects(Area.of(0, 1, 2, 3)));
        assertMessage("[0..1] has 1, [0..1, 2..3] has 2", () -> Area.of(0, 1).contains(Area.of(0, 1, 2, 3)));
    }

    @Test
    void isAValue() {
        long[] bounds = {0, 1};
        Area area = Area.of(bounds);
        bounds[0] = 1;
        assertEquals(Area.of(0, 1), area);
        assertEquals(Area.of(0, 1).hashCode(), area.hashCode());
        assertNotEquals(Area.of(0, 2), area);
        assertEquals("[0..1, -2..3]", Area.of(0, 1, -2, 3).toString());
        assertEquals(2, Area.of(0, 1, -2, 3).dimensions());
        assertEquals(-2, Area.of(0, 1, -2, 3).low(1));
        assertEquals(3, Area.of(0, 1, -2, 3).high(1));
    }

    @Test
    void partsOfAResourceConflictOnlyWhereTheyMeet() {
        assertTrue(Access.write(Area.of(0, 4)).conflictsWith(Access.read(Area.of(4, 8))));
        assertFalse(Access.write(Area.of(0, 4)).conflictsWith(Access.overwrite(Area.of(5, 8))));
        assertTrue(Access.read(Area.of(0, 4)).conflictsWith(Access.write()));
        assertFalse(Access.overwrite(Area.of(0, 4)).covers(Access.read()));
        assertTrue(Access.overwrite().covers(Access.write(Area.of(0, 4))));
    }

    private static Area box(Random random) {
        int row = random.nextInt(SIDE);
        int column = random.nextInt(SIDE);
        return Area.of(row, row + random.nextInt(SIDE - row), column, column + random.nextInt(SIDE - column));
    }

    private static void assertMessage(String part, Runnable refused) {
        assertMentions(assertThrows(IllegalArgumentException.class, refused::run), part);
    }
}

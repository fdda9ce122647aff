package dev.jacquard.memory.access;

import static dev.jacquard.testkit.Messages.assertMentions;
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
    void realsKeepTheirOrder() {
        double[] rising = {
            Double.NEGATIVE_INFINITY,
            -Double.MAX_VALUE,
            -2,
            -1.5,
            -Double.MIN_VALUE,
            0,
            Double.MIN_VALUE,
            0.9,
            1,
            Math.nextUp(1.0),
            Double.MAX_VALUE,
            Double.POSITIVE_INFINITY
        };
        for (int low = 0; low < rising.length; low++) {
            for (int high = low; high < rising.length; high++) {
                Area area = Area.ofReals(rising[low], rising[high]);
                assertEquals(rising[low], area.realLow(0));
                assertEquals(rising[high], area.realHigh(0));
                for (int at = 0; at < rising.length; at++) {
                    Area point = Area.ofReals(rising[at], rising[at]);
                    assertEquals(low <= at && at <= high, area.intersects(point), area + " and " + point);
                    assertEquals(low <= at && at <= high, area.contains(point), area + " and " + point);
                }
            }
        }
    }

    @Test
    void realBoxesThatTouchIntersect() {
        assertTrue(Area.ofReals(0, 1, 0, 1).intersects(Area.ofReals(1, 2, 1, 2)));
        assertFalse(Area.ofReals(0, 1, 0, 0.9).intersects(Area.ofReals(0, 1, Math.nextUp(0.9), 2)));
        assertEquals(Area.ofReals(0.0, 1), Area.ofReals(-0.0, 1));
        assertTrue(Area.ofReals(-1, -0.0).intersects(Area.ofReals(0.0, 1)));
    }

    @Test
    void refusesWhatIsNoNumber() {
        assertMessage(
                "the highest coordinate in dimension 1 of an area is NaN", () -> Area.ofReals(0, 1, 0, Double.NaN));
        assertMessage("dimension 0 of an area goes from 1.0 to 0.5", () -> Area.ofReals(1, 0.5));
        assertMessage("per dimension, not 1 numbers", () -> Area.ofReals(1));
    }

    @Test
    void refusesToMixIntegersAndReals() {
        Area integers = Area.of(0, 1);
        Area reals = Area.ofReals(0, 1);
        String message = "[0..1] has integer ones, [0.0..1.0] has real ones";
        assertMessage(message, () -> integers.intersects(reals));
        assertMessage(message, () -> integers.contains(reals));
        assertMessage(message, () -> Access.update(integers).conflictsWith(Access.update(reals)));
        assertMessage("expected an integer margin, not 0.5", () -> integers.grow(0.5));
        assertNotEquals(integers, reals);
        assertNotEquals(Area.of(0, 0), Area.ofReals(0, 0));
        assertEquals(1.0, integers.realHigh(0));
        assertMentions(assertThrows(IllegalStateException.class, () -> reals.low(0)), "[0.0..1.0] has real bounds");
        assertThrows(IllegalStateException.class, () -> reals.high(0));
    }

    @Test
    void anAreaOfAnAreaIsRefused() {
        Access part = Access.read(Area.of(0, 1));
        assertMessage("not READ [0..1], which is to a part", () -> new AreaAccess(part, Area.of(0, 0)));
    }

    @Test
    void realsGrowByRealsAndByWholes() {
        assertEquals(Area.ofReals(-0.5, 1.5, 1.5, 3.5), Area.ofReals(0, 1, 2, 3).grow(0.5));
        assertEquals(Area.ofReals(-1, 2), Area.ofReals(0, 1).grow(1));
        assertMessage("goes from 1.0 to 0.0", () -> Area.ofReals(0, 1).grow(-1));
        assertThrows(ArithmeticException.class, () -> Area.of(0, Long.MAX_VALUE).grow(1));
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
        assertTrue(Access.update(Area.of(0, 4)).conflictsWith(Access.read(Area.of(4, 8))));
        assertFalse(Access.update(Area.of(0, 4)).conflictsWith(Access.write(Area.of(5, 8))));
        assertTrue(Access.read(Area.of(0, 4)).conflictsWith(Access.update()));
        assertFalse(Access.write(Area.of(0, 4)).covers(Access.read()));
        assertTrue(Access.write().covers(Access.update(Area.of(0, 4))));
    }

    private static Area box(Random random) {
        int row = random.nextInt(SIDE);
        int column = random.nextInt(SIDE);
        return Area.of(row, row + random.nextInt(SIDE - row), column, column + random.nextInt(SIDE - column));
    }

    private static void assertMessage(String part, Runnable refused) {
        assertMentions(assertThrows(IllegalArgumentException.class, refused::run), part);
    }

    @Test
    void aHaloIsClippedToItsField() {
        Area field = Area.of(0, 9, 0, 9);
        assertEquals(Area.of(0, 4, 2, 9), Area.of(0, 3, 3, 9).grow(1).intersection(field));
        assertEquals(Area.ofReals(0.5, 1), Area.ofReals(0, 1).intersection(Area.ofReals(0.5, 2)));
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> Area.of(0, 1).intersection(Area.of(3, 4))),
                "[0..1]",
                "[3..4]",
                "nothing in common");
    }
}

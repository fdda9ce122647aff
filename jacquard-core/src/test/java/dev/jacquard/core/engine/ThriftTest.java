package dev.jacquard.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ThriftTest {
    private final Thrift thrift = new Thrift();

    private int abstained() {
        int steps = 0;
        while (thrift.abstains()) {
            steps++;
        }
        return steps;
    }

    @Test
    void worthlessLootKeepsAThiefAwayEverLongerButNotForLong() {
        int before = -1;
        for (int i = 0; i < 5; i++) {
            thrift.tookFrom(i);
            thrift.ranStolen(100, false);
            int steps = abstained();
            assertTrue(steps > before, steps + " after " + before);
            before = steps;
        }
        for (int i = 0; i < 20; i++) {
            thrift.ranStolen(100, false);
            before = abstained();
        }
        assertTrue(before <= 100, before + " steps");
    }

    @Test
    void lootThatIsLongOrBringsWorkIsWorthIt() {
        thrift.ranStolen(100, false);
        assertTrue(thrift.isOver());
        thrift.ranStolen(5_000, false);
        assertEquals(0, abstained());
        thrift.ranStolen(100, false);
        abstained();
        thrift.ranStolen(100, true);
        assertEquals(0, abstained());
        assertFalse(thrift.isOver());
    }

    @Test
    void anOwnerThatDoesNotMoveIsHelped() {
        for (int i = 0; i < 5; i++) {
            thrift.tookFrom(7);
            thrift.ranStolen(100, false);
            abstained();
        }
        thrift.ownerIsAt(7);
        assertFalse(thrift.isOver());
        thrift.ranStolen(100, false);
        assertEquals(1, abstained(), "it begins anew");
    }

    @Test
    void anOwnerThatMovesIsLeftAlone() {
        thrift.tookFrom(7);
        thrift.ranStolen(100, false);
        thrift.ranStolen(100, false);
        abstained();
        thrift.ownerIsAt(9);
        thrift.ranStolen(100, false);
        assertEquals(7, abstained());
    }
}

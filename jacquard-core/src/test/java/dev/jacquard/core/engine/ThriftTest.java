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
            thrift.livedOnLoot(100);
            int steps = abstained();
            assertTrue(steps > before, steps + " after " + before);
            before = steps;
        }
        for (int i = 0; i < 20; i++) {
            thrift.livedOnLoot(100);
            before = abstained();
        }
        assertTrue(before <= 100, before + " steps");
    }

    @Test
    void lootThatFeedsForLongIsWorthIt() {
        thrift.livedOnLoot(100);
        assertTrue(thrift.isOver());
        thrift.livedOnLoot(5_000);
        assertEquals(0, abstained());
        assertFalse(thrift.isOver());
    }

    @Test
    void anOwnerThatDoesNotMoveIsHelped() {
        for (int i = 0; i < 5; i++) {
            thrift.tookFrom(7);
            thrift.livedOnLoot(100);
            abstained();
        }
        thrift.ownerIsAt(7);
        assertFalse(thrift.isOver());
        thrift.livedOnLoot(100);
        assertEquals(1, abstained(), "it begins anew");
    }

    @Test
    void anOwnerThatMovesIsLeftAlone() {
        thrift.tookFrom(7);
        thrift.livedOnLoot(100);
        thrift.livedOnLoot(100);
        abstained();
        thrift.ownerIsAt(9);
        thrift.livedOnLoot(100);
        assertEquals(7, abstained());
    }
}

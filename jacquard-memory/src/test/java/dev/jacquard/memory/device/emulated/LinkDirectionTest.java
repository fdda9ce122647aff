package dev.jacquard.memory.device.emulated;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LinkDirectionTest {
    private static final long MILLIS = 1_000_000;

    @Test
    void aCopyTakesItsLatencyAndItsBytes() {
        var direction = new LinkDirection(1_000_000_000, 5_000, 100);
        assertEquals(100 + 5_000 + 2_000, direction.arrival(2_000, 100));
    }

    @Test
    void copiesThatGoTheSameWayShareItsBandwidthButNotTheLatency() {
        var direction = new LinkDirection(1_000_000_000, 5_000, 0);
        assertEquals(MILLIS + 5_000, direction.arrival(MILLIS, 0));
        assertEquals(2 * MILLIS + 5_000, direction.arrival(MILLIS, 10));
        assertEquals(3 * MILLIS + 5_000, direction.arrival(MILLIS, 20));
    }

    @Test
    void aFreeDirectionLeavesNoTimeBehind() {
        var direction = new LinkDirection(1_000_000_000, 0, 0);
        direction.arrival(MILLIS, 0);
        assertEquals(8 * MILLIS, direction.arrival(MILLIS, 7 * MILLIS));
    }

    @Test
    void clocksMayBeginAnywhere() {
        long begin = Long.MAX_VALUE - 10;
        var direction = new LinkDirection(1_000_000_000, 0, begin);
        assertEquals(begin + 100, direction.arrival(100, begin));
        assertEquals(begin + 200, direction.arrival(100, begin + 50));
    }

    @Test
    void withoutALimitThereIsOnlyTheLatency() {
        var direction = new LinkDirection(Long.MAX_VALUE, 7, 0);
        assertEquals(7, direction.arrival(Long.MAX_VALUE, 0));
        assertEquals(7, direction.arrival(Long.MAX_VALUE, 0));
    }
}

package dev.jacquard.base.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RecentMapTest {
    private static final int MOST = 100;

    private final RecentMap<Integer, String> map = new RecentMap<>(MOST);

    @Test
    void theKeysUsedLastAreKept() {
        for (int i = 0; i < 10_000; i++) {
            map.add(i, "value " + i);
            for (int last = Math.max(0, i - MOST + 1); last <= i; last++) {
                assertEquals("value " + last, map.get(last));
            }
            assertTrue(map.size() <= 2 * MOST, map.size() + " keys are kept");
        }
        assertNull(map.get(0));
    }

    @Test
    void aKeyThatIsFoundCountsAsUsed() {
        map.add(-1, "often");
        for (int i = 0; i < 10_000; i++) {
            map.add(i, "seldom");
            if (i % (MOST / 2) == 0) {
                assertEquals("often", map.get(-1));
            }
        }
    }

    @Test
    void aKeyKeepsItsValue() {
        String first = map.add(1, "first");
        assertSame(first, map.add(1, "second"));
        for (int i = 2; i < MOST + 2; i++) {
            map.add(i, "other");
        }
        assertSame(first, map.add(1, "third"));
    }
}

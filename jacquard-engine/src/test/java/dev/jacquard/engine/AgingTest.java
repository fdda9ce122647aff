package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.concurrent.WorkDeque;
import org.junit.jupiter.api.Test;

class AgingTest {
    private static final long MICRO = 1_000;

    private final Aging aging = new Aging();
    private final WorkDeque<String> deque = new WorkDeque<>(16, true);

    @Test
    void theOldestIsDueAfterAChainOfShortNodes() {
        deque.push("oldest");
        assertFalse(aging.isDue(deque, 0, 10));
        assertFalse(aging.isDue(deque, 99 * MICRO, 1_000));
        assertTrue(aging.isDue(deque, 100 * MICRO, 1_000));
    }

    @Test
    void aChainIsNotMuch() {
        deque.push("oldest");
        assertFalse(aging.isDue(deque, 0, 10));
        assertFalse(aging.isDue(deque, 500 * MICRO, 73));
        assertTrue(aging.isDue(deque, 500 * MICRO, 74));
    }

    @Test
    void nodesThatPushAndPopAreNoChain() {
        deque.push("oldest");
        assertFalse(aging.isDue(deque, 0, 10));
        for (long i = 1; i < 10; i++) {
            deque.push("newer");
            assertFalse(aging.isDue(deque, i * 100 * MICRO, 10 + 100 * (int) i));
        }
        assertTrue(aging.isDue(deque, 1_000 * MICRO, 2_000));
    }

    @Test
    void theOldestIsDueAfterAMillisecondOfFewNodes() {
        deque.push("oldest");
        assertFalse(aging.isDue(deque, 0, 10));
        assertFalse(aging.isDue(deque, 999 * MICRO, 11));
        assertTrue(aging.isDue(deque, 1_000 * MICRO, 11));
    }

    @Test
    void theNextOldestWaitsFromWhenItWasSeen() {
        deque.push("oldest");
        deque.push("next");
        assertFalse(aging.isDue(deque, 0, 0));
        assertTrue(aging.isDue(deque, 1_000 * MICRO, 1));
        deque.steal();
        assertFalse(aging.isDue(deque, 1_100 * MICRO, 1_000));
        assertTrue(aging.isDue(deque, 1_200 * MICRO, 1_064));
        deque.pop();
        assertFalse(aging.isDue(deque, 9_000 * MICRO, 9_000));
    }

    @Test
    void theNumberOfNodesMayOverflow() {
        deque.push("oldest");
        assertFalse(aging.isDue(deque, 0, Integer.MAX_VALUE));
        assertFalse(aging.isDue(deque, 200 * MICRO, Integer.MIN_VALUE));
        assertTrue(aging.isDue(deque, 200 * MICRO, Integer.MAX_VALUE + 64));
    }
}

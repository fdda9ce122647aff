package dev.jacquard.engine.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.base.concurrent.WorkDeque;
import dev.jacquard.engine.schedule.Aging.Turn;
import org.junit.jupiter.api.Test;

class AgingTest {
    private static final long MICRO = 1_000;

    private final Aging aging = new Aging();
    private final WorkDeque<String> deque = new WorkDeque<>(16, true);

    @Test
    void theOldestIsDueAfterAChainOfShortNodes() {
        deque.push("oldest");
        assertEquals(Turn.NONE, aging.look(deque, 0, 10));
        assertEquals(Turn.NONE, aging.look(deque, 99 * MICRO, 1_000));
        assertEquals(Turn.ANY, aging.look(deque, 100 * MICRO, 1_000));
    }

    @Test
    void aChainIsNotMuch() {
        deque.push("oldest");
        assertEquals(Turn.NONE, aging.look(deque, 0, 10));
        assertEquals(Turn.NONE, aging.look(deque, 500 * MICRO, 73));
        assertEquals(Turn.ANY, aging.look(deque, 500 * MICRO, 74));
    }

    @Test
    void nodesThatPushAndPopAreNoChain() {
        deque.push("oldest");
        assertEquals(Turn.NONE, aging.look(deque, 0, 10));
        for (long i = 1; i < 10; i++) {
            deque.push("newer");
            assertEquals(Turn.NONE, aging.look(deque, i * 100 * MICRO, 10 + 100 * (int) i));
        }
        assertEquals(Turn.OWN, aging.look(deque, 1_000 * MICRO, 2_000));
    }

    @Test
    void theOldestIsDueAfterAMillisecondOfFewNodes() {
        deque.push("oldest");
        assertEquals(Turn.NONE, aging.look(deque, 0, 10));
        assertEquals(Turn.NONE, aging.look(deque, 999 * MICRO, 11));
        assertEquals(Turn.OWN, aging.look(deque, 1_000 * MICRO, 11));
    }

    @Test
    void theNextOldestWaitsFromWhenItWasSeen() {
        deque.push("oldest");
        deque.push("next");
        assertEquals(Turn.NONE, aging.look(deque, 0, 0));
        assertEquals(Turn.OWN, aging.look(deque, 1_000 * MICRO, 1));
        deque.steal();
        assertEquals(Turn.NONE, aging.look(deque, 1_100 * MICRO, 1_000));
        assertEquals(Turn.ANY, aging.look(deque, 1_200 * MICRO, 1_064));
        deque.pop();
        assertEquals(Turn.NONE, aging.look(deque, 9_000 * MICRO, 9_000));
    }

    @Test
    void aChainIsOneWithoutOthersToo() {
        assertEquals(Turn.NONE, aging.look(deque, 0, 10));
        assertEquals(Turn.NONE, aging.look(deque, 99 * MICRO, 1_000));
        assertEquals(Turn.ANY, aging.look(deque, 100 * MICRO, 1_000));
        deque.push("what the worker leaves for the oldest");
        assertEquals(Turn.NONE, aging.look(deque, 199 * MICRO, 2_000));
        assertEquals(Turn.ANY, aging.look(deque, 299 * MICRO, 2_064));
    }

    @Test
    void theFirstChainBeginsWithTheFirstLookWhateverTheClockSays() {
        for (long now : new long[] {1_000_000 * MICRO, -1_000_000 * MICRO}) {
            Aging its = new Aging();
            assertEquals(Turn.NONE, its.look(deque, now, 100));
            assertEquals(Turn.NONE, its.look(deque, now + 99 * MICRO, 200));
            assertEquals(Turn.ANY, its.look(deque, now + 100 * MICRO, 200));
        }
    }

    @Test
    void theNumberOfNodesMayOverflow() {
        deque.push("oldest");
        assertEquals(Turn.NONE, aging.look(deque, 0, Integer.MAX_VALUE));
        assertEquals(Turn.NONE, aging.look(deque, 200 * MICRO, Integer.MIN_VALUE));
        assertEquals(Turn.ANY, aging.look(deque, 200 * MICRO, Integer.MAX_VALUE + 64));
    }
}

package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import org.junit.jupiter.api.Test;

/** The looks after which a thief sleeps: those that it took, not those for which it looked away. */
class StealPatienceTest {
    private static final int PATIENCE = 5;

    private final Hands hands = new Hands();
    private final Engine engine = new Engine(new EngineOptions(2, PATIENCE), new Trace(hands, 0));
    private final Worker owner = engine.pool().crew.all()[0];
    private final Worker thief = engine.pool().crew.all()[1];

    /** A clock that the test sets. */
    private static final class Hands implements Clock {
        private long now;

        @Override
        public long nanoTime() {
            return now;
        }
    }

    @Test
    void looksThatItDidNotTakeCountForNothing() {
        for (int i = 0; i < StealBackoff.THEFTS; i++) {
            owner.deque().push(new Scripted("node", Place.HOST, worker -> {}));
            assertEquals(Step.RAN, thief.step());
            hands.now += StealBackoff.SHORTEST_AWAY_NANOS; // else it lets nodes gather
        }
        for (int i = 0; i < 10 * PATIENCE; i++) {
            assertEquals(Step.LOOK_AGAIN, thief.step());
        }
        assertTrue(thief.backoff.isAway());
        hands.now += StealBackoff.LONGEST_AWAY_NANOS;
        for (int i = 1; i < PATIENCE; i++) {
            assertEquals(Step.LOOK_AGAIN, thief.step(), "look " + i);
            assertFalse(thief.backoff.isAway());
        }
        assertEquals(Step.SLEEP, thief.step());
    }
}

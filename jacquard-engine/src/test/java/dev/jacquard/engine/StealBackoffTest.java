package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A thief and its victim whose speeds are given: what they run together while the thief steals, and while it looks
 * away.
 */
class StealBackoffTest {
    private static final long MOMENTS = 20_000_000;

    private final StealBackoff thrift = new StealBackoff();
    private long now;
    private double nodes;
    private long stealing;
    private long away;

    /**
     * Plays for {@code nanos}: the thief steals as often as it may, and is out of work again after {@code feeds}. Both
     * together run a node in {@code together} nanoseconds then, the victim alone one in {@code alone}.
     */
    private void play(long nanos, long feeds, double together, double alone) {
        long end = now + nanos;
        while (now < end) {
            thrift.outOfWork(now);
            if (thrift.isDue(now)) {
                thrift.look(now, (int) nodes);
            }
            if (thrift.isAway()) {
                now += 50;
                away += 50;
                nodes += 50 / alone;
            } else {
                if (thrift.isFresh()) {
                    thrift.begin(now, (int) nodes);
                }
                thrift.took(now);
                now += feeds;
                stealing += feeds;
                nodes += feeds / together;
            }
        }
    }

    private double partAway() {
        double part = away / (double) (away + stealing);
        stealing = 0;
        away = 0;
        return part;
    }

    @ParameterizedTest
    @CsvSource({"300, 150, 15", "600, 300, 15", "600, 300, 200", "3000, 400, 350"})
    void theftsThatMakeBothSlowerAreFew(long feeds, double together, double alone) {
        play(MOMENTS, feeds, together, alone);
        double part = partAway();
        assertTrue(part > 0.75, "away for " + part + " of the time");
    }

    @ParameterizedTest
    @CsvSource({"300, 8, 15", "600, 150, 200", "1500, 700, 1000", "5000, 2500, 4000"})
    void theftsThatMakeBothFasterGoOn(long feeds, double together, double alone) {
        play(MOMENTS, feeds, together, alone);
        double part = partAway();
        assertTrue(part < 0.1, "away for " + part + " of the time");
    }

    @ParameterizedTest
    @ValueSource(longs = {20_000, 1_000_000})
    void lootThatFeedsForLongNeedsNoComparison(long feeds) {
        play(MOMENTS, feeds, 1_000, 1);
        assertEquals(0, partAway());
    }

    @Test
    void anOwnerThatRunsNothingMeanwhileIsHelped() {
        play(MOMENTS, 300, 150, 15);
        partAway();
        play(MOMENTS, 300, 150, 1e9);
        double part = partAway();
        assertTrue(part < 0.1, "away for " + part + " of the time");
    }

    @Test
    void whatWasSeenOfOtherNodesIsForgottenSoon() {
        play(MOMENTS, 1_500, 700, 1_000);
        partAway();
        play(MOMENTS, 300, 150, 15);
        double slow = partAway();
        play(MOMENTS, 1_500, 700, 1_000);
        double fast = partAway();
        assertTrue(slow > 0.75 && fast < 0.1, "away for " + slow + ", then for " + fast + " of the time");
    }

    @Test
    void neverLooksAwayForLong() {
        for (int i = 0; i < 1_000; i++) {
            play(1_000, 300, 1_000, 1);
            long from = now;
            while (thrift.isAway() && !thrift.isDue(now)) {
                now += 10;
            }
            assertTrue(now - from <= StealBackoff.LONGEST_AWAY_NANOS + 10, (now - from) + " ns away");
        }
    }

    @Test
    void stealsAgainOnAClockThatStandsStill() {
        int begun = 0;
        for (int i = 0; i < 10 * StealBackoff.MOST_QUESTIONS; i++) {
            thrift.outOfWork(0);
            if (thrift.isDue(0)) {
                thrift.look(0, i);
            }
            if (!thrift.isAway()) {
                if (thrift.isFresh()) {
                    begun++;
                    thrift.begin(0, i);
                }
                thrift.took(0);
            }
        }
        assertTrue(begun > 1, begun + " times of stealing");
    }

    @Test
    void aThiefThatSleptStealsAtOnce() {
        play(MOMENTS, 300, 150, 15);
        while (!thrift.isAway()) {
            play(1, 300, 150, 15);
        }
        thrift.sleeps();
        assertFalse(thrift.isAway());
        assertTrue(thrift.isFresh());
    }

    /** Takes the last node of a victim that has run {@code ran} nodes; its loot feeds the thief for {@code later}. */
    private void empties(int victim, int ran, long later) {
        thrift.begin(now, 0);
        thrift.took(now);
        thrift.emptied(victim, ran);
        now += later;
        thrift.outOfWork(now);
    }

    @Test
    void nodesGatherBehindTheLastOfASubmitter() {
        empties(0, 7, 100);
        assertFalse(thrift.isAway(), "at the first time the victim may run nodes");
        empties(0, 7, 100);
        assertTrue(thrift.isAway());
        now += StealBackoff.SHORTEST_AWAY_NANOS - 101;
        thrift.outOfWork(now);
        assertTrue(thrift.isAway());
        now++;
        thrift.outOfWork(now);
        assertFalse(thrift.isAway());
    }

    @Test
    void butNotOfAVictimThatRunsNodesNorOfAnother() {
        empties(0, 7, 100);
        empties(0, 8, 100);
        assertFalse(thrift.isAway());
        empties(1, 8, 100);
        assertFalse(thrift.isAway());
    }

    @Test
    void norBehindLootThatTookAsLong() {
        empties(0, 7, 100);
        empties(0, 7, StealBackoff.SHORTEST_AWAY_NANOS);
        assertFalse(thrift.isAway());
    }

    @Test
    void norForAThiefThatSlept() {
        empties(0, 7, 100);
        empties(0, 7, 100);
        thrift.sleeps();
        assertFalse(thrift.isAway());
    }

    @Test
    void norForEverOnAClockThatStandsStill() {
        empties(0, 7, 0);
        empties(0, 7, 0);
        int questions = 0;
        while (thrift.isAway()) {
            thrift.outOfWork(now);
            questions++;
        }
        assertTrue(questions > 0 && questions <= StealBackoff.MOST_QUESTIONS, questions + " questions");
    }
}

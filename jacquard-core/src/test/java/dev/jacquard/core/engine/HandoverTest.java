package dev.jacquard.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.jacquard.core.clock.Clock;
import dev.jacquard.core.engine.Handover.Choice;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** On a clock of its own, which stands still unless a test moves it. */
class HandoverTest {
    private static final long SHORT = 100;
    private static final long LONG = 1_000_000;
    private static final long WATCH = 100_000;
    private static final int FIRST_PAUSE = 16;
    private static final int PERIOD = 64;
    private static final int TIMED = 8;

    private final AtomicLong now = new AtomicLong();
    private final Clock clock = now::get;
    private final Timers timers = new Timers(clock);
    private final Handover handover = new Handover(timers, clock, SHORT);

    @Test
    void someAreHandedOverBeforeTheFirstTrial() {
        assertEquals(FIRST_PAUSE - 1, handedOver());
    }

    @Test
    void shortTasksAreKeptAndFewOfThemTimed() {
        beginKeeping();
        int timed = 0;
        for (int i = 0; i < 10 * PERIOD; i++) {
            timed += keep(SHORT) == Choice.KEEP_TIMED ? 1 : 0;
        }
        assertEquals(10, timed);
    }

    @Test
    void aLongTaskEndsATrialAndTheNextIsTwiceAsFarAway() {
        handedOver();
        handover.ended(LONG);
        assertEquals(FIRST_PAUSE - 1, handedOver());
        handover.ended(LONG);
        assertEquals(2 * FIRST_PAUSE - 1, handedOver());
    }

    @Test
    void theFirstOfATrialMayTakeLonger() {
        handedOver();
        handover.ended(20 * SHORT);
        for (int i = 1; i < TIMED; i++) {
            assertEquals(Choice.KEEP_TIMED, keep(20 * SHORT));
        }
        for (int i = 0; i < TIMED; i++) {
            assertEquals(Choice.KEEP_TIMED, keep(SHORT));
        }
        for (int i = 0; i < TIMED * PERIOD; i++) {
            assertNotEquals(Choice.HAND_OVER, keep(SHORT));
        }
    }

    @Test
    void tasksThatAreNotShortOnAverageEndATrial() {
        handedOver();
        int kept = 0;
        for (Choice choice = Choice.KEEP_TIMED; choice != Choice.HAND_OVER; choice = handover.choose()) {
            kept++;
            handover.ended(SHORT + 1);
        }
        assertEquals(2 * TIMED, kept);
    }

    @Test
    void oneLongTaskAmongShortOnesIsForgivenAndTwoAreNot() {
        beginKeeping();
        keepTimed(LONG);
        assertNotEquals(Choice.HAND_OVER, keep(SHORT));
        keepTimed(LONG);
        assertEquals(Choice.HAND_OVER, handover.choose());
    }

    @Test
    void longTasksFarFromEachOtherAreForgiven() {
        beginKeeping();
        for (int i = 0; i < 10; i++) {
            keepTimed(LONG);
            for (int judged = 0; judged < 32 * 8 * PERIOD; judged++) {
                assertNotEquals(Choice.HAND_OVER, keep(SHORT));
            }
        }
    }

    @Test
    void theTimerSeesATaskThatDoesNotEnd() {
        beginKeeping();
        keep(SHORT);
        watch();
        assertNotEquals(Choice.HAND_OVER, handover.choose());
        watch(); // another one than before
        watch(); // the same
        handover.ended();
        assertEquals(Choice.HAND_OVER, handover.choose());
        assertEquals(0, timers.pending());
    }

    @Test
    void theTimerRestsWhileNothingIsSubmitted() {
        beginKeeping();
        keep(SHORT);
        watch();
        watch();
        assertEquals(0, timers.pending());
        assertNotEquals(Choice.HAND_OVER, keep(SHORT));
        assertEquals(1, timers.pending());
    }

    @Test
    void theFirstTaskBehindAPauseMayBeLongAndTheSecondIsHandedOver() {
        beginKeeping();
        keep(SHORT);
        watch();
        watch();
        assertNotEquals(Choice.HAND_OVER, handover.choose());
        watch();
        handover.ended();
        assertEquals(Choice.HAND_OVER, handover.choose());
    }

    @Test
    void aLongTaskIsTheLastAlsoWhereTheNextWouldBeTimed() {
        beginKeeping();
        while (keep(SHORT) != Choice.KEEP_TIMED) {}
        for (int i = 1; i < PERIOD - 1; i++) {
            assertEquals(Choice.KEEP, keep(SHORT));
        }
        watch();
        assertEquals(Choice.KEEP, handover.choose());
        watch();
        watch();
        handover.ended();
        assertEquals(Choice.HAND_OVER, handover.choose());
    }

    @Test
    void noLimitAtAllIsOne() {
        Handover none = new Handover(timers, clock, Long.MAX_VALUE);
        while (none.choose() == Choice.HAND_OVER) {}
        for (int i = 0; i < 100; i++) {
            none.ended(LONG);
            assertNotEquals(Choice.HAND_OVER, none.choose());
        }
    }

    @Test
    void whatWasWorthItIsTriedAgainSoon() {
        beginKeeping();
        for (int i = 0; i < 10_000; i++) {
            keep(SHORT);
        }
        watch();
        handover.choose();
        watch();
        watch();
        handover.ended();
        assertEquals(FIRST_PAUSE, handedOver());
    }

    @Test
    void whatWasNotWorthItIsTriedAgainLater() {
        beginKeeping();
        handover.choose();
        watch();
        watch();
        now.addAndGet(LONG);
        handover.ended();
        handover.choose();
        assertEquals(FIRST_PAUSE - 1, handedOver());
        beginKeeping(1);
        handover.choose();
        watch();
        watch();
        now.addAndGet(LONG);
        handover.ended();
        assertEquals(2 * FIRST_PAUSE, handedOver());
    }

    @Test
    void whereNothingIsShortAllAreHandedOver() {
        Handover all = new Handover(timers, clock, 0);
        for (int i = 0; i < 1_000_000; i++) {
            assertEquals(Choice.HAND_OVER, all.choose());
        }
    }

    /** Until one is to be kept, which is then to be ended. */
    private int handedOver() {
        int count = 0;
        while (handover.choose() == Choice.HAND_OVER) {
            count++;
        }
        return count;
    }

    private void beginKeeping() {
        handedOver();
        beginKeeping(1);
    }

    /** A trial has begun with so many tasks: it goes well. */
    private void beginKeeping(int begun) {
        handover.ended(SHORT);
        for (int i = begun; i < 2 * TIMED; i++) {
            assertEquals(Choice.KEEP_TIMED, keep(SHORT));
        }
    }

    private Choice keep(long nanos) {
        Choice choice = handover.choose();
        end(choice, nanos);
        return choice;
    }

    private void end(Choice choice, long nanos) {
        if (choice == Choice.KEEP_TIMED) {
            handover.ended(nanos);
        } else if (choice == Choice.KEEP) {
            handover.ended();
        }
    }

    /** The next that is timed takes so long, those before it are short. */
    private void keepTimed(long nanos) {
        Choice choice = handover.choose();
        while (choice == Choice.KEEP) {
            handover.ended();
            choice = handover.choose();
        }
        end(choice, nanos);
    }

    private void watch() {
        now.addAndGet(WATCH);
        timers.runDue();
    }
}

package dev.jacquard.core.engine;

import dev.jacquard.core.clock.Clock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether a thread that submits runs what is ready itself, though the others have nothing to do.
 *
 * <p>To hand a task over costs some 100 ns: it moves to another core, and what it changed moves back with what comes after it. Shorter
 * tasks are over sooner where they were submitted. So now and then a few are run as they are submitted, against the clock: some to
 * bring back what is on other cores, and some to be judged by. When they are short, those that follow are kept as well, and one in some is timed; when these are not short any more all are handed over again.
 * Besides, a timer looks whether a task that was kept takes long: then it is the last, however short the others were. So a long one is kept
 * now and then, but not two in a row. When that has cost more than was saved by keeping those before, the next trial is twice as far away.
 *
 * <p>Threads: the submitter's, but for {@link #watch}, which runs on the timers' thread.
 */
final class Handover {
    /** What to do with a task that is ready. */
    enum Choice {
        HAND_OVER,
        KEEP,
        /** Keep it, and say how long it took. */
        KEEP_TIMED
    }

    /** So many are timed before it is judged what they take. */
    private static final int TIMED = 8;
    /** One in so many is timed, once a trial has gone well: then the clock costs each a nanosecond. */
    private static final int PERIOD = 64;
    /** More than so many times what is short, and it is not the task: the thread lost its processor. Unless it happens again soon. */
    private static final int OUTLIER = 8;
    /** More than so many times what is short, and it is the task, whatever had to be brought back for it. */
    private static final int HOPELESS = 80;
    /** Judgements within which it must not happen again. */
    private static final int SOON = 32;
    /** How many are handed over before the first trial, and after tasks have been short for long. */
    private static final int FIRST_PAUSE = 16;

    private static final int LONGEST_PAUSE = 1 << 12;
    /** What is saved by keeping a short task: about half of what handing it over costs. */
    private static final long SAVED_NANOS = 50;
    /** More than that is no limit at all: products must not overflow. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 1000;
    /** How often it is looked whether a kept task is still the same. */
    private static final long WATCH_NANOS = 100_000;

    private static final VarHandle KEPT;
    private static final VarHandle INSIDE;
    private static final VarHandle WATCHED;
    private static final VarHandle TOO_LONG;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            KEPT = lookup.findVarHandle(Handover.class, "kept", int.class);
            INSIDE = lookup.findVarHandle(Handover.class, "inside", boolean.class);
            WATCHED = lookup.findVarHandle(Handover.class, "watched", boolean.class);
            TOO_LONG = lookup.findVarHandle(Handover.class, "tooLong", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Timers timers;
    private final Clock clock;
    /** What a kept task may take on average, the clock's reading included. */
    private final long shortNanos;

    private boolean keeping;
    /** While tasks are handed over: how many more before the next trial. While they are kept: before the next is timed. */
    private int left = FIRST_PAUSE;

    private int pause = FIRST_PAUSE / 2;
    private int period;
    private int timed;
    private long nanos;
    private int judged;
    private int outliers;

    /** How many were kept since that began. Written by the submitter, looked at by the timer, without an order: a hint. */
    private int kept;
    /** Whether one is running; likewise. */
    @SuppressWarnings("UnusedVariable") // through INSIDE
    private boolean inside;

    /** Whether the timer looks. Set by the submitter, unset by the timer; opaque, since a look more or less does not matter. */
    @SuppressWarnings("unused") // through WATCHED
    private boolean watched;
    /** The timer has found that a task takes long. Set by the timer, unset by the submitter: a task later will do. */
    @SuppressWarnings("unused") // through TOO_LONG
    private boolean tooLong;
    /** What the timer saw, and when it saw that twice. By the submitter before the timer is set, then by the timer. */
    private int seen;

    private long seenTwice;

    /**
     * Hands over at first.
     *
     * @param shortNanos what is not worth to be handed over, the clock's reading included; 0 or less when all is
     */
    Handover(Timers timers, Clock clock, long shortNanos) {
        this.timers = timers;
        this.clock = clock;
        this.shortNanos = Math.min(shortNanos, LONGEST_NANOS);
    }

    /** For a task that is ready. Unless it is handed over it is run now, and then {@link #ended}. */
    Choice choose() {
        if (keeping
                && (boolean) TOO_LONG.getAcquire(this)) { // pairs with the release in watch(): when that was is seen
            share(clock.nanoTime() - seenTwice + WATCH_NANOS);
            return Choice.HAND_OVER;
        }
        left--;
        if (!keeping && (left > 0 || !beginTrial())) {
            return Choice.HAND_OVER;
        }
        kept++;
        inside = true;
        if (period > 1 && !(boolean) WATCHED.getOpaque(this)) {
            beginWatch(); // also after a pause, in which the timer went to rest
        }
        if (left > 0) {
            return Choice.KEEP;
        }
        left = period;
        return Choice.KEEP_TIMED;
    }

    private void beginWatch() {
        seen = kept;
        WATCHED.setOpaque(this, true);
        timers.schedule(WATCH_NANOS, this::watch); // behind the queue's monitor: sees what was seen
    }

    private boolean beginTrial() {
        if (shortNanos <= 0) {
            left = LONGEST_PAUSE;
            return false;
        }
        keeping = true;
        period = 1;
        timed = 0;
        nanos = 0;
        judged = 0;
        outliers = 0;
        kept = 0;
        TOO_LONG.setOpaque(this, false);
        return true;
    }

    /** The kept task is over. */
    void ended() {
        inside = false;
    }

    /** The kept task is over, and took so long. */
    void ended(long took) {
        inside = false;
        boolean first = judged == 0;
        if (took > (first ? HOPELESS : OUTLIER) * shortNanos) {
            if (++outliers == 2 || first) {
                share(took * period);
            }
            return;
        }
        nanos += took;
        if (++timed < TIMED) {
            return;
        }
        if (first) {
            judged = 1;
            timed = 0;
            nanos = 0;
        } else {
            judge();
        }
    }

    private void judge() {
        if (nanos > TIMED * shortNanos) {
            share(nanos * period);
            return;
        }
        timed = 0;
        nanos = 0;
        period = PERIOD;
        if (++judged % SOON == 0) {
            outliers = 0;
        }
    }

    /** The tasks that were not short have held the submitter up for so long. */
    private void share(long lost) {
        keeping = false;
        pause = kept * SAVED_NANOS >= lost ? FIRST_PAUSE : Math.min(2 * pause, LONGEST_PAUSE);
        left = pause;
    }

    /** Looks again and again, until a task takes long or none is submitted. */
    private void watch() {
        int now = (int) KEPT.getOpaque(this);
        if (now != seen) {
            seen = now;
            timers.schedule(WATCH_NANOS, this::watch);
            return;
        }
        if ((boolean) INSIDE.getOpaque(this)) {
            seenTwice = clock.nanoTime();
            TOO_LONG.setRelease(this, true);
        }
        WATCHED.setOpaque(this, false);
    }
}

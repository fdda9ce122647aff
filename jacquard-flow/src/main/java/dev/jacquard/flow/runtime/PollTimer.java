package dev.jacquard.flow.runtime;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The timer that wakes a sleeping copy for its idle phase, where the copy has no own thread. There is one timer at a
 * time; if the copy has slept for less than the poll time when the timer fires, the copy sleeps again with another
 * timer.
 */
final class PollTimer {
    private final EmittingCopy copy;
    private final Stage stage;
    private final long pollNanos;
    private final RunTimer timer;
    private final AtomicBoolean armed = new AtomicBoolean();
    /**
     * True if the idle phase is due. Set by the timer that took the copy off the idle list, before the timer makes the
     * copy ready; cleared by the activation.
     */
    private boolean due;
    /**
     * The time at which the copy last had an item. Written by its activation; read by the timer once the timer has
     * taken the copy off the idle list.
     */
    private long sleepsSince;

    PollTimer(EmittingCopy copy, Stage stage, long pollNanos) {
        this.copy = copy;
        this.stage = stage;
        this.pollNanos = pollNanos;
        this.timer = new RunTimer(copy.run.workers());
    }

    /** Returns true once for each time that the idle phase is due. Called by the activation. */
    boolean takeDue() {
        boolean now = due;
        due = false;
        return now;
    }

    /** Records that the copy had an item. Called by the activation. */
    void hadItem(long now) {
        sleepsSince = now;
    }

    /** Sets the timer unless it is set. Called for a copy that sleeps, by the thread that put it to sleep. */
    void arm() {
        if (armed.compareAndSet(false, true)) {
            timer.set(pollNanos, this::fire);
        }
    }

    /** Takes back the timer that is set. Called when the run has ended. */
    void end() {
        timer.end();
    }

    private void fire() {
        armed.set(false); // first: a copy that falls asleep from here on sets its own timer
        if (stage.leaveIdle(copy)) { // from here on the copy is the timer's, until it is made ready
            due = copy.run.workers().trace().nanoTime() - sleepsSince >= pollNanos;
            copy.wake(null, copy.run.workers(), false);
        }
    }
}

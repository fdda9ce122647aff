package dev.jacquard.engine;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices when nothing moves any more although a thread waits: no worker has found anything to run for a while, and
 * each body that runs is blocked itself. Threads that wait look themselves, since they sleep anyway: each time they
 * wake, and when their time is over. While none sleeps, since the thread that waits runs bodies itself, a timer looks,
 * as long as there were waits of late, a thread takes steps in one, or a body runs. Nothing else pays for it.
 *
 * <p>Threads: any that waits, and background threads for the timer, since a look takes locks of fronts under which
 * users' code may run; guarded by its own monitor, under which nothing else is called. The thread that noticed calls
 * the action. An exception of the action comes out of the wait, for the timer when a thread sleeps in one.
 */
class StallWatch {
    private final Timers timers;
    private final WorkerSet crew;
    private final long limitNanos;
    /** Counts moves outside of the engine. */
    private final LongSupplier beside;

    private final BooleanSupplier stalled;
    /** The progress of the engine when it was last seen to move. */
    private long progress = -1;

    private long since;
    /** True once this stall was reported. */
    private boolean told;
    /** The exception thrown for the timers, until a thread that waits takes it or something moves; null for nothing. */
    private @Nullable Throwable thrown;
    /** The last thing that the action threw. Written before that reaches a wait. */
    private volatile @Nullable Throwable latest;
    /** Threads that are parked here, and so look themselves. */
    private int parked;
    /** True if the timer is set. Written under the monitor. */
    private volatile boolean ticks;
    /** True if a wait began since the timer last looked. Set by any thread that waits, unset under the monitor. */
    private volatile boolean used;

    /** A watch that never notices anything. */
    StallWatch(Timers timers, WorkerSet crew) {
        this(timers, crew, 0, () -> 0, () -> true);
    }

    /**
     * A watch over the workers of {@code crew}.
     *
     * @param limitNanos how long nothing moves before it is a stall; 0 for never
     * @param beside a number that changes whenever something moves that the engine does not know
     * @param stalled called then, once per stall; true if there was something to tell
     */
    StallWatch(Timers timers, WorkerSet crew, long limitNanos, LongSupplier beside, BooleanSupplier stalled) {
        this.timers = timers;
        this.crew = crew;
        this.limitNanos = limitNanos;
        this.beside = beside;
        this.stalled = stalled;
    }

    /** A thread waits from now on, or runs ready nodes before it goes on. */
    void begin() {
        if (limitNanos != 0 && !(used && ticks)) {
            used = true;
            synchronized (this) {
                if (ticks) {
                    return;
                }
                ticks = true;
            }
            tickLater();
        }
    }

    private void tickLater() {
        timers.scheduleBeside(Math.max(1, limitNanos / 2), this::tick);
    }

    private void tick() {
        boolean goesOn = crew.isRunning();
        synchronized (this) {
            goesOn |= used || parked > 0;
            used = false;
            ticks = goesOn;
        }
        if (goesOn) {
            tickLater(); // first: the action may take long, or throw
        }
        if (isNews(true)) {
            tellBeside();
        }
    }

    /**
     * Looks for the calling thread, which waits, and reports a stall; the report may have changed the condition of the
     * wait.
     */
    void look() {
        if (limitNanos != 0 && isNews(false)) {
            tell();
        }
    }

    /**
     * Parks the calling thread, which waits and has looked, until it is unparked or is to look again, and looks. It
     * counts as parked until it has: the timer, which is as fast, would tell in another thread.
     */
    void park() {
        if (limitNanos == 0) {
            LockSupport.park(this);
            return;
        }
        synchronized (this) {
            requireNoneThrown();
            parked++;
        }
        try {
            LockSupport.parkNanos(this, limitNanos);
            look();
        } finally {
            synchronized (this) {
                parked--;
            }
        }
    }

    /** Parks the calling thread, which waits, for {@code nanos} or until it is unparked, and notices nothing. */
    void nap(long nanos) {
        LockSupport.parkNanos(this, nanos); // returns at once when interrupted; the wait ends then
    }

    /** Calls the action; when there was nothing to tell, the time starts again. */
    private void tell() {
        boolean any;
        try {
            any = stalled.getAsBoolean();
        } catch (RuntimeException | Error e) {
            latest = e;
            throw e;
        }
        if (!any) {
            synchronized (this) {
                told = false;
            }
        }
    }

    /** Returns true if it is the action that threw this, out of a wait that has ended for no other reason. */
    boolean threw(Throwable its) {
        return its == latest;
    }

    /** Calls the action for the timers: a thread that waits may have been about to look, and hears of it. */
    private void tellBeside() {
        try {
            tell();
        } catch (RuntimeException | Error e) {
            synchronized (this) {
                thrown = e;
            }
            throw e; // to be logged
        }
    }

    /** Throws the exception of the action that the timers ran. Under the monitor. */
    private void requireNoneThrown() {
        Throwable its = thrown;
        thrown = null;
        if (its instanceof Error error) {
            throw error;
        }
        if (its instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /** Returns true if the caller is to tell of a stall; the timer leaves that to the threads that are parked. */
    private boolean isNews(boolean timer) {
        long now = timers.nanoTime();
        long done = crew.progress() + beside.getAsLong();
        boolean runs = crew.isMoving();
        synchronized (this) {
            if (runs || done != progress) {
                progress = done;
                since = now;
                told = false;
                thrown = null;
                return false;
            }
            if (told || now - since < limitNanos || (timer && parked > 0)) {
                return false;
            }
            told = true;
            since = now;
            return true;
        }
    }
}

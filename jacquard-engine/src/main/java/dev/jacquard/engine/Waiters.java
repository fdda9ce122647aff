package dev.jacquard.engine;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads that sleep until something has changed, and how they are woken. Threads: any; the stack of one that wakes
 * others may be nearly full, so that there is no lambda on its way: its first use would spoil later ones.
 */
final class Waiters {
    /** Waking a thread costs as much as a hundred small nodes. */
    private static final long SOON_NANOS = 200_000;

    private final Timers timers;
    /** Guarded by itself. */
    private final List<Thread> asleep = new ArrayList<>();
    /** Threads that sleep until they are notified. They are woken here only at the engine's end. */
    private final Set<Thread> told = ConcurrentHashMap.newKeySet();
    /** A timer will wake the sleeping threads. Set by who asks for that, unset by the timer before it does. */
    private final AtomicBoolean soon = new AtomicBoolean();

    /** The size of {@link #asleep}. Written under its monitor, read without. */
    private volatile int waiting;
    /** How often the sleeping threads were woken. Written under the monitor of {@link #asleep}, read without. */
    private volatile long turn;

    Waiters(Timers timers) {
        this.timers = timers;
    }

    /**
     * Notes that the calling thread sleeps from now on, with a full fence.
     *
     * @param untilTold true if the thread that brings about the event wakes it
     */
    void add(boolean untilTold) {
        Thread current = Thread.currentThread();
        if (untilTold) {
            told.add(current);
        } else {
            synchronized (asleep) {
                asleep.add(current);
                waiting = asleep.size();
            }
        }
        VarHandle.fullFence(); // pairs with the one in signal()
    }

    /** Notes that the calling thread sleeps no more. */
    void remove(boolean untilTold) {
        Thread current = Thread.currentThread();
        if (untilTold) {
            told.remove(current);
        } else {
            synchronized (asleep) {
                asleep.remove(current);
                waiting = asleep.size();
            }
        }
    }

    /** Makes threads that wait ask again: something has changed. */
    void signal() {
        VarHandle.fullFence(); // a thread that is not yet seen here sees the change before
        wake();
    }

    /** The engine is of no use any more: every thread that sleeps is to see that. */
    void signalAll() {
        signal();
        for (Thread each : told) {
            LockSupport.unpark(each);
        }
    }

    /** Returns true if a thread sleeps until something changes. */
    boolean any() {
        return waiting != 0;
    }

    /** Returns true if a thread sleeps until something changes, or until it is notified. */
    boolean areAny() {
        return any() || !told.isEmpty();
    }

    /**
     * Lets sleeping threads ask again in a while, once for all that is done until then: for a caller that does much
     * that they may wait for, and does not know the last such action.
     */
    void wakeSoon() {
        if (!soon.getAndSet(true)) {
            timers.schedule(SOON_NANOS, () -> {
                soon.getAndSet(false); // read-modify-writes both: a woken thread sees writes before the other one
                signal();
            });
        }
    }

    /** Lets sleeping threads ask again. */
    void wake() {
        if (waiting != 0) {
            synchronized (asleep) {
                turn++;
                for (Thread each : asleep) {
                    LockSupport.unpark(each);
                }
            }
        }
    }

    /**
     * Returns the wake-up counter. It is incremented before each wake-up, except for threads that wait for one specific
     * event.
     */
    long turn() {
        return turn;
    }
}

package dev.jacquard.cluster.local;

import dev.jacquard.cluster.communicator.AbortedException;
import dev.jacquard.cluster.communicator.DeadlockException;
import dev.jacquard.cluster.message.Endpoint;
import dev.jacquard.cluster.message.Operation;
import dev.jacquard.cluster.message.Wait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of a process, and how many of their threads still run.
 *
 * <p>An {@link Activity} is a thread that may send: the thread of a rank, that of a service, or that of a collective
 * operation under way. Other threads of the user's are not known here. If all activities are blocked, and no message is
 * under way, none will ever end: that is a deadlock, whatever time has passed. A wait counts from {@link #block} to the
 * end of its operation, which the thread that ends it takes note of.
 *
 * <p>A thread that waits changes {@code running} alone, and the last one to wait looks at all activities:
 *
 * <pre>
 *  block    its wait is blocked, then running - 1; at 0: {@link #check}
 *  ended    the wait is over, then running + 1 and unblocked + 1, then the thread is unparked
 *  check    running is 0, all waits are blocked, no message is under way, and running and unblocked are as before
 * </pre>
 *
 * <p>The thread that ends a wait runs itself until it has counted that, so a wait that ends during a check, after the
 * check has passed it, is seen by the last comparison: an activity that was not blocked yet has ended it, and had to
 * count it before it could be found blocked.
 *
 * <p>Threads: any. The monitor guards the number of activities and the end of all; nothing of others is called under
 * it.
 */
final class World {
    /** Of {@link #running}: one activity more, that was unblocked. */
    private static final long UNBLOCKED = (1L << 32) + 1;

    private final Endpoint[] endpoints;
    private final ThreadFactory helpers;
    private final boolean findsDeadlocks;
    private final Map<Integer, Long> faults;
    /** Set once, before the ranks start. */
    private @Nullable Carrier carrier;

    /** The activities with threads that have begun. Waits of other threads do not count. */
    private final ConcurrentHashMap<Thread, Activity> activities = new ConcurrentHashMap<>();
    /** The number of activities, including the ones that are about to begin. */
    private int count;
    /** In the lower half the activities that are not blocked, in the upper half how often one was unblocked. */
    private final AtomicLong running;

    private @Nullable AbortedException aborted;

    /**
     * A thread that may send.
     *
     * <p>Threads: the fields are written by that thread, the wait last.
     */
    private static final class Activity {
        /** True if it serves other ranks. */
        final boolean serves;
        /** The rank that waits. */
        int rank;
        /** The wait that began last; null for none. */
        volatile @Nullable Wait wait;

        Activity(boolean serves) {
            this.serves = serves;
        }
    }

    /**
     * Ranks.
     *
     * @param helpers makes threads for collective operations under way
     * @param findsDeadlocks false if threads may send that are not known here
     * @param faults by rank: the number of the message at which it fails while sending
     */
    World(int size, ThreadFactory helpers, boolean findsDeadlocks, Map<Integer, Long> faults) {
        this.endpoints = new Endpoint[size];
        this.helpers = helpers;
        this.findsDeadlocks = findsDeadlocks;
        this.faults = Map.copyOf(faults);
        this.count = size;
        this.running = new AtomicLong(size);
    }

    int size() {
        return endpoints.length;
    }

    void attach(int rank, Endpoint endpoint) {
        endpoints[rank] = endpoint;
    }

    Endpoint endpoint(int rank) {
        return endpoints[rank];
    }

    void setCarrier(Carrier its) {
        carrier = its;
    }

    @Nullable
    Carrier carrier() {
        return carrier;
    }

    /** Returns the number of the message at which a rank fails while sending; more than any if it does not. */
    long fault(int rank) {
        return faults.getOrDefault(rank, Long.MAX_VALUE);
    }

    /** The calling thread is about to park, unless its wait is over. */
    void block(int rank, Wait wait) {
        Activity its = findsDeadlocks ? activities.get(wait.thread()) : null;
        if (its == null) {
            return;
        }
        its.rank = rank;
        its.wait = wait;
        if (wait.block() && (int) running.decrementAndGet() <= 0) {
            check();
        }
    }

    /** The wait of the calling thread is given up. */
    void unblock(Wait wait) {
        if (wait.unblock()) {
            ended();
        }
    }

    /** A wait that was blocked is over. */
    void ended() {
        running.addAndGet(UNBLOCKED);
    }

    /** A thread that may send is about to be started. */
    private synchronized void begin() {
        count++;
        running.incrementAndGet();
    }

    /** The calling thread is an activity that has begun. */
    void enter() {
        activities.put(Thread.currentThread(), new Activity(false));
    }

    /** The activity of the calling thread has ended. */
    void end() {
        activities.remove(Thread.currentThread());
        forget();
        Carrier its = carrier;
        if (its != null) {
            while (its.progress()) {
                // all that is under way
            }
        }
        check();
    }

    private synchronized void forget() {
        count--;
        running.decrementAndGet();
    }

    /** Ends all waits if none can end otherwise. */
    void check() {
        if (!findsDeadlocks || (int) running.get() > 0) {
            return;
        }
        List<Operation> all = new ArrayList<>();
        DeadlockException found;
        synchronized (this) {
            Map<Wait, Integer> blocked = new HashMap<>();
            Map<Wait, Integer> told = new HashMap<>();
            if (!areBlocked(blocked, told)) {
                return;
            }
            found = new DeadlockException(new Deadlock(this, told).text());
            for (Wait wait : blocked.keySet()) {
                unblock(wait); // it is about to end
                all.addAll(wait.operations());
            }
        }
        all.forEach(operation -> operation.fail(found));
    }

    /**
     * Returns true if all activities are blocked for ever, and not only services. Called under the monitor.
     *
     * @param blocked gets their waits with their ranks
     * @param told gets them without the waits of services
     */
    private boolean areBlocked(Map<Wait, Integer> blocked, Map<Wait, Integer> told) {
        long before = running.get();
        if ((int) before > 0) {
            return false;
        }
        for (Activity each : activities.values()) {
            Wait wait = each.wait;
            if (wait == null || !wait.isBlocked() || wait.thread().isInterrupted()) {
                return false;
            }
            blocked.put(wait, each.rank);
            if (!each.serves) {
                told.put(wait, each.rank);
            }
        }
        boolean moves = carrier != null && carrier.underWay() > 0;
        return blocked.size() == count && !told.isEmpty() && !moves && running.get() == before;
    }

    /** Returns an action for a thread that serves other ranks. */
    Runnable service(Runnable action) {
        begin();
        return () -> {
            activities.put(Thread.currentThread(), new Activity(true));
            try {
                action.run();
            } finally {
                end();
            }
        };
    }

    /** Runs an action that may send on another thread. */
    void execute(Runnable action) {
        begin();
        boolean isStarted = false;
        try {
            helpers.newThread(() -> {
                        try {
                            enter();
                            action.run();
                        } finally {
                            end();
                        }
                    })
                    .start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                forget();
            }
        }
    }

    /** Ends all ranks, once; returns the exception of the first call. */
    AbortedException abort(int rank, int code, String reason, @Nullable Throwable cause) {
        AbortedException its;
        synchronized (this) {
            if (aborted != null) {
                return aborted;
            }
            its = new AbortedException(rank, code, "rank " + rank + " ended all ranks: " + reason, cause);
            aborted = its;
        }
        for (Endpoint each : endpoints) {
            each.fail(its);
            each.clear();
        }
        return its;
    }

    /** Returns why all ranks were ended; null if they were not. */
    synchronized @Nullable AbortedException aborted() {
        return aborted;
    }
}

package dev.jacquard.cluster.local;

import dev.jacquard.cluster.communicator.AbortedException;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.DeadlockException;
import dev.jacquard.cluster.message.Endpoint;
import dev.jacquard.cluster.message.Operation;
import dev.jacquard.cluster.message.Wait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of a process, and how many of their threads still run.
 *
 * <p>An activity is a thread that may send: the thread of a rank, that of a service, or that of a collective operation
 * under way. Other threads of the user's are not known here. If all activities wait, and no message is under way, none
 * will ever end: that is a deadlock, whatever time has passed. A wait counts from {@link #block} to the end of its
 * operation, which the thread that ends it takes note of, so the count is never too high.
 *
 * <p>Threads: any. The monitor guards the waits and the activities; nothing of others is called under it.
 */
final class World {
    private final Endpoint[] endpoints;
    private final ThreadFactory helpers;
    private final boolean findsDeadlocks;
    private final Map<Integer, Long> faults;
    /** Set once, before the ranks start. */
    private @Nullable Carrier carrier;

    private final Map<Wait, Integer> blocked = new HashMap<>();
    /** The threads of the activities. Waits of other threads do not count. */
    private final Set<Thread> threads = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Those that serve other ranks. */
    private final Set<Thread> services = Collections.newSetFromMap(new IdentityHashMap<>());

    private int activities;
    private @Nullable AbortedException aborted;

    /**
     * Ranks.
     *
     * @param helpers makes threads for collective operations under way
     * @param findsDeadlocks false if threads may send that are not known here
     * @param faults by rank: the number of the message with whose sending it fails
     */
    World(int size, ThreadFactory helpers, boolean findsDeadlocks, Map<Integer, Long> faults) {
        this.endpoints = new Endpoint[size];
        this.helpers = helpers;
        this.findsDeadlocks = findsDeadlocks;
        this.faults = Map.copyOf(faults);
        this.activities = size;
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

    void requireAlive(int rank, long message) {
        Long fault = faults.get(rank);
        if (fault != null && message >= fault) {
            throw new CommunicationException("rank " + rank + " fails with its message " + fault + ", as was asked");
        }
    }

    /** A thread begins to wait. */
    void block(int rank, Wait wait) {
        synchronized (this) {
            if (wait.isOver() || !threads.contains(wait.thread())) {
                return;
            }
            blocked.put(wait, rank);
        }
        check();
    }

    /** A wait is over. */
    synchronized void unblock(Wait wait) {
        blocked.remove(wait);
    }

    /** A thread that may send is about to be started. */
    private synchronized void begin() {
        activities++;
    }

    /** The calling thread is an activity that has begun. */
    synchronized void enter() {
        threads.add(Thread.currentThread());
    }

    /** The activity of the calling thread has ended, or has not been started. */
    void end() {
        synchronized (this) {
            threads.remove(Thread.currentThread());
            services.remove(Thread.currentThread());
            activities--;
        }
        Carrier its = carrier;
        if (its != null) {
            while (its.progress()) {
                // all that is under way
            }
        }
        check();
    }

    /** Ends all waits if none can end otherwise. */
    void check() {
        List<Operation> all = new ArrayList<>();
        DeadlockException found;
        synchronized (this) {
            if (!findsDeadlocks
                    || blocked.size() < activities
                    || services.size() == blocked.size()
                    || (carrier != null && carrier.underWay() > 0)
                    || blocked.keySet().stream().anyMatch(wait -> wait.thread().isInterrupted())) {
                return;
            }
            Map<Wait, Integer> told = new HashMap<>(blocked);
            told.keySet().removeIf(wait -> services.contains(wait.thread()));
            found = new DeadlockException(new Deadlock(this, told).text());
            blocked.keySet().forEach(wait -> all.addAll(wait.operations()));
            blocked.clear(); // they are about to end
        }
        all.forEach(operation -> operation.fail(found));
    }

    /** Returns an action for a thread that serves other ranks. */
    Runnable service(Runnable action) {
        begin();
        return () -> {
            synchronized (this) {
                threads.add(Thread.currentThread());
                services.add(Thread.currentThread());
            }
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
                synchronized (this) {
                    activities--;
                }
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

package dev.jacquard.mpi.transport;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.mpi.library.ThreadLevel;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Polls the library, by one thread at a time:
 *
 * <pre>
 *  a thread that waits      polls, if no other does, until its wait is over; else it parks, and is the next to poll
 *  the napping thread       polls every millisecond, and while only threads wait that may not poll: virtual ones, and
 *                           all of them in a library that one thread must call
 * </pre>
 *
 * <p>Threads: {@code polls} is the lock of the one that polls. Before it parks, a thread adds itself to
 * {@code followers}, and then tries the lock again; who releases the lock looks at {@code followers} after that. So one
 * of both sees the other.
 */
final class Progress {
    /** The longest time that a thread is parked without looking itself, in nanoseconds. */
    private static final long LONGEST_PARK = 20_000_000;

    private final BooleanSupplier poll;
    /** Counts events that end waits otherwise than by messages. */
    private final IntSupplier events;

    private final ThreadLevel level;
    private final int spins;
    private final Clock clock;

    private final AtomicBoolean polls = new AtomicBoolean();
    private final ConcurrentLinkedQueue<Thread> followers = new ConcurrentLinkedQueue<>();
    /** Threads that wait and may not poll. */
    private final AtomicInteger others = new AtomicInteger();
    /** Set once, before other threads have this. */
    private @Nullable Thread napping;

    /**
     * Progress.
     *
     * @param poll moves all on without waiting; returns false if nothing has moved
     * @param spins the number of polls in vain before the processor is left to other threads
     */
    Progress(BooleanSupplier poll, IntSupplier events, ThreadLevel level, int spins, Clock clock) {
        this.poll = poll;
        this.events = events;
        this.level = level;
        this.spins = spins;
        this.clock = clock;
    }

    /** Names the thread that calls {@link #nap}. */
    void setNapping(Thread thread) {
        napping = thread;
    }

    private boolean mayPoll(Thread thread) {
        return thread == napping || (level.compareTo(ThreadLevel.SERIALIZED) >= 0 && !thread.isVirtual());
    }

    private boolean poll() {
        return poll.getAsBoolean();
    }

    private boolean lock() {
        return !polls.get() && polls.compareAndSet(false, true);
    }

    private void unlock() {
        polls.set(false);
        Thread next = followers.peek();
        if (next != null) {
            LockSupport.unpark(next);
        } else if (others.get() > 0) {
            LockSupport.unpark(napping);
        }
    }

    /** Polls once, unless another thread does. */
    void tryOnce() {
        if (!mayPoll(Thread.currentThread())) {
            LockSupport.unpark(napping);
        } else if (lock()) {
            try {
                poll();
            } finally {
                unlock();
            }
        }
    }

    /**
     * Waits.
     *
     * @param isOver called often, perhaps while this thread is the one that polls
     * @param onEvent called after each event, and at first if there were some
     */
    void await(BooleanSupplier isOver, Runnable onEvent) throws InterruptedException {
        Thread thread = Thread.currentThread();
        boolean mayPoll = mayPoll(thread);
        Patience patience = new Patience(spins, clock);
        int seen = 0;
        while (!isOver.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while waiting for other ranks");
            }
            int now = events.getAsInt();
            if (now != seen) {
                seen = now;
                onEvent.run();
            } else if (!mayPoll) {
                parkForOthers(isOver);
            } else if (!lock()) {
                follow(isOver, thread);
            } else {
                lead(isOver, patience, seen);
                if (!isOver.getAsBoolean()) {
                    patience.nap(this);
                }
            }
        }
    }

    /** Polls, and releases the lock when it is time for something else. */
    private void lead(BooleanSupplier isOver, Patience patience, int seen) {
        Thread thread = Thread.currentThread();
        try {
            while (!isOver.getAsBoolean()
                    && patience.goesOn(poll())
                    && events.getAsInt() == seen
                    && !thread.isInterrupted()) {
                // polls
            }
        } finally {
            unlock();
        }
    }

    private void follow(BooleanSupplier isOver, Thread thread) {
        followers.add(thread);
        try {
            if (!isOver.getAsBoolean() && polls.get()) {
                LockSupport.parkNanos(this, LONGEST_PARK);
            }
        } finally {
            followers.remove(thread);
        }
    }

    private void parkForOthers(BooleanSupplier isOver) {
        others.incrementAndGet();
        try {
            LockSupport.unpark(napping);
            if (!isOver.getAsBoolean()) {
                LockSupport.parkNanos(this, LONGEST_PARK);
            }
        } finally {
            others.decrementAndGet();
        }
    }

    /**
     * Polls by turns with naps until the end.
     *
     * @param last called by the only one that polls, at the end
     */
    @SuppressWarnings("ThreadPriorityCheck") // lets the other thread find the end; nothing depends on it
    void nap(BooleanSupplier isOver, Runnable last) {
        Patience patience = new Patience(spins, clock);
        while (!isOver.getAsBoolean()) {
            boolean polled = lock();
            if (polled) {
                try {
                    boolean moved = poll();
                    while (others.get() > 0
                            && followers.isEmpty()
                            && !isOver.getAsBoolean()
                            && patience.goesOn(moved)) {
                        moved = poll();
                    }
                } finally {
                    unlock();
                }
            }
            if (others.get() > 0 && polled && followers.isEmpty()) {
                patience.nap(this);
            } else {
                patience.goesOn(true);
                LockSupport.parkNanos(this, Patience.NAP);
            }
        }
        while (!lock()) {
            Thread.yield(); // another thread is about to find the end, too
        }
        last.run();
    }
}

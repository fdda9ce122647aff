package dev.jacquard.engine;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.engine.work.Dispatcher.Timer;
import java.lang.System.Logger.Level;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Actions that run at a later time, and the one thread that runs them, started at the first use.
 *
 * <p>The thread parks until the earliest action is due; a thread that schedules an earlier one unparks it. It is a
 * platform thread, which busy virtual threads do not hold up. It runs the engine's own actions itself: these are short,
 * call no users' code, and take no lock under which users' code runs. It hands any other action to a background thread,
 * so that an action that takes long delays no other. Without a thread (before the engine is started) the caller of
 * {@link #runDue} runs them all.
 *
 * <p>The exception of an action is logged, and the others go on. An error of the machine, such as a full heap, is
 * another matter: an action of the engine's own that it breaks off is lost for good, and so is all that would have
 * followed from it: a wake-up, the next look at a copy that polls, a time limit. So it ends the engine, as on a
 * worker's thread.
 *
 * <p>Lock: the monitor of the queue. Nothing else is called under it.
 */
final class Timers {
    private static final System.Logger LOG = System.getLogger(Timers.class.getName());
    /** Far more than any program runs, and so little that sums do not wrap. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;
    /** With fewer in the queue, cancelled ones may stay until they are due. */
    private static final int FEW = 64;

    private final Clock clock;
    /** Runs an action on a background thread. */
    private final Executor beside;
    /** Ends the engine when its timers cannot go on. */
    private final Consumer<Throwable> broken;
    /** Guarded by itself. */
    private final PriorityQueue<Entry> queue = new PriorityQueue<>(Timers::compare);
    /** Guarded by queue: entries in it that were cancelled. */
    private int cancelled;
    /** Guarded by queue: entries made, which orders entries that are due together. */
    private long made;
    /** Guarded by queue. */
    private boolean threaded;
    /** Written under the queue's monitor, once. */
    private volatile @Nullable Thread thread;
    /** Written under the queue's monitor. */
    private volatile boolean closed;

    Timers(Clock clock) {
        this(clock, Runnable::run, Timers::log);
    }

    /** Timers with a thread that gives long actions to {@code beside}, and the error that ends it to {@code broken}. */
    Timers(Clock clock, Executor beside, Consumer<Throwable> broken) {
        this.clock = clock;
        this.beside = beside;
        this.broken = broken;
    }

    /** From now on a thread runs the actions that are due. */
    void start() {
        synchronized (queue) {
            threaded = true;
            if (!queue.isEmpty()) {
                wakeThread();
            }
        }
    }

    /** For an action that may take long, or calls users' code. */
    Timer scheduleBeside(long nanosFromNow, Runnable action) {
        return schedule(nanosFromNow, () -> runUserCode(action));
    }

    /** Runs {@code action} now: on the calling thread or, where that is the timers' own, on a background thread. */
    void runUserCode(Runnable action) {
        if (isOwnThread()) {
            beside.execute(action);
        } else {
            action.run();
        }
    }

    /** Runs {@code action} now, on a background thread. */
    void beside(Runnable action) {
        beside.execute(action);
    }

    long nanoTime() {
        return clock.nanoTime();
    }

    /** Returns true if the calling thread is that of the timers, which runs no users' code. */
    boolean isOwnThread() {
        return Thread.currentThread() == thread;
    }

    /** For a short action of the engine's own. */
    Timer schedule(long nanosFromNow, Runnable action) {
        long due = clock.nanoTime() + Math.clamp(nanosFromNow, 0, LONGEST_NANOS);
        synchronized (queue) {
            Entry entry = new Entry(due, made++, action);
            if (closed) {
                entry.action = null;
                return entry;
            }
            queue.add(entry);
            if (threaded && queue.peek() == entry) {
                wakeThread();
            }
            return entry;
        }
    }

    /** Under the queue's monitor. */
    private void wakeThread() {
        Thread its = thread;
        if (its == null) {
            its = Thread.ofPlatform().daemon().name("jacquard-timer").unstarted(this::loop);
            Binding.start(its); // or it would share the processor of the worker that needs it first
            thread = its;
        } else {
            LockSupport.unpark(its);
        }
    }

    private void loop() {
        try {
            while (!closed) {
                long left = runDue();
                if (left == Long.MAX_VALUE) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, left);
                }
                Thread.interrupted(); // an action may have left one
            }
        } catch (Throwable e) { // later actions would be lost, and nothing would say so
            broken.accept(e);
        }
    }

    /**
     * Runs the actions that are due now; returns the nanoseconds until the next is, {@code Long.MAX_VALUE} when there
     * is none.
     */
    long runDue() {
        while (true) {
            long now = clock.nanoTime();
            Runnable action;
            synchronized (queue) {
                Entry first = queue.peek();
                if (first == null || closed) {
                    return Long.MAX_VALUE;
                }
                if (first.action != null && first.due - now > 0) {
                    return first.due - now;
                }
                queue.remove();
                action = first.action;
                first.action = null;
                cancelled -= action == null ? 1 : 0;
            }
            if (action != null) {
                run(action);
            }
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            runUserCode(() -> log(e)); // handlers of the log are users' code
        }
    }

    private static void log(Throwable e) {
        LOG.log(Level.ERROR, "a scheduled action failed", e);
    }

    /** Returns the number of actions that are still to run. */
    int pending() {
        synchronized (queue) {
            return queue.size() - cancelled;
        }
    }

    /**
     * Nothing that is still queued runs any more. Returns the thread, when there was one, for its end to be waited for.
     */
    @Nullable
    Thread close() {
        synchronized (queue) {
            closed = true;
            queue.clear();
            cancelled = 0;
            Thread its = thread;
            if (its != null) {
                LockSupport.unpark(its);
            }
            return its;
        }
    }

    private static int compare(Entry one, Entry other) {
        return one.due == other.due ? Long.compare(one.number, other.number) : Long.signum(one.due - other.due);
    }

    private final class Entry implements Timer {
        private final long due;
        private final long number;
        /** Guarded by queue. Null when it has begun or was cancelled. */
        private @Nullable Runnable action;

        Entry(long due, long number, Runnable action) {
            this.due = due;
            this.number = number;
            this.action = action;
        }

        @Override
        public boolean isDue() {
            return clock.nanoTime() - due >= 0;
        }

        @Override
        public boolean cancel() {
            synchronized (queue) {
                if (action == null || closed) {
                    return false;
                }
                action = null;
                if (++cancelled > FEW && cancelled > queue.size() / 2) {
                    queue.removeIf(entry -> entry.action == null);
                    cancelled = 0;
                }
                return true;
            }
        }
    }
}

package dev.jacquard.engine;

import dev.jacquard.base.concurrent.Threads;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Platform threads for users' code that may compute, block, or wait for other such code. An action never waits for
 * another one: the thread that became idle last takes it, or a new thread if none is idle. A thread that has been idle
 * for some time ends.
 *
 * <p>An action runs with the context class loader of the thread that hands it over. The threads have no inheritable
 * thread locals, since they serve any caller.
 *
 * <p>After {@link #close} an idle thread ends at once, and any other thread with its action; further actions get a new
 * thread each.
 *
 * <p>Threads: any. Locks: the monitor of this object guards the list of idle threads, and the monitor of an
 * {@link Entry} the next action of its thread. Neither is held while the other one is taken, and nothing of others is
 * called under them. They are monitors since an error, such as a full stack, releases these in any case.
 */
final class CachedThreads implements Executor {
    /** The idle time of an engine's threads. */
    private static final long IDLE_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private static final System.Logger LOG = System.getLogger("dev.jacquard.engine.Engine");

    /** The time after which an idle thread ends. */
    private final long idleMillis;
    /** Made with this, since there may be no stack left when a thread is needed. Counts its threads. */
    private final ThreadFactory factory;
    /** The thread that became idle last; null for none. Guarded by this. */
    private @Nullable Entry idle;
    /** Guarded by this. */
    private boolean closed;

    /** @param name the first part of the threads' names, which a number follows */
    CachedThreads(String name) {
        this(name, IDLE_MILLIS);
    }

    CachedThreads(String name, long idleMillis) {
        this.idleMillis = idleMillis;
        this.factory = Thread.ofPlatform()
                .daemon()
                .name(name.concat("-"), 1)
                .inheritInheritableThreadLocals(false)
                .factory();
    }

    @Override
    public void execute(Runnable action) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Entry entry = takeIdle();
        while (entry != null && !entry.give(action, loader)) {
            entry = takeIdle();
        }
        if (entry == null) {
            Binding.start(factory.newThread(new Entry(action, loader)));
        }
    }

    private synchronized @Nullable Entry takeIdle() {
        Entry entry = idle;
        if (entry != null) {
            idle = entry.below;
        }
        return entry;
    }

    /** Adds an entry to the idle ones; returns false if its thread is to end. */
    private synchronized boolean addIdle(Entry entry) {
        if (closed) {
            return false;
        }
        entry.below = idle;
        idle = entry;
        return true;
    }

    /** Removes an entry from the idle ones, unless another thread has taken it. */
    private synchronized void removeIdle(Entry entry) {
        if (idle == entry) {
            idle = entry.below;
            return;
        }
        for (Entry above = idle; above != null; above = above.below) {
            if (above.below == entry) {
                above.below = entry.below;
                return;
            }
        }
    }

    /** Ends the threads. Waits for the end of idle threads; any other ends with its action. */
    void close() {
        Entry all;
        synchronized (this) {
            closed = true;
            all = idle;
            idle = null; // from here on nothing changes the list
        }
        for (Entry each = all; each != null; each = each.below) {
            each.wakeForGood();
        }
        for (Entry each = all; each != null; each = each.below) {
            Threads.join(each.thread);
        }
    }

    /** A thread and its next action. */
    private final class Entry implements Runnable {
        /** The entry that became idle before this one; null for none. Guarded by the list. */
        private @Nullable Entry below;
        /** The thread. Written by the thread itself, before the entry is in the list. */
        private Thread thread = Thread.currentThread();
        /** The next action; null while idle. Guarded by this. */
        private @Nullable Runnable action;
        /** The class loader for the action. Guarded by this. */
        private @Nullable ClassLoader loader;
        /** True once the thread takes no further action. Guarded by this. */
        private boolean over;

        Entry(Runnable action, @Nullable ClassLoader loader) {
            this.action = action;
            this.loader = loader;
        }

        @Override
        public void run() {
            thread = Thread.currentThread();
            Runnable next = next();
            while (next != null) {
                perform(next);
                Thread.interrupted(); // the action may have left it, or an interrupt that was meant for it came late
                next = addIdle(this) ? next() : null;
            }
        }

        private void perform(Runnable next) {
            try {
                next.run();
            } catch (Throwable e) {
                LOG.log(Level.ERROR, "a background action failed", e);
            }
        }

        /** Waits for the next action, for a limited time; returns null if there is none, and the thread is to end. */
        private @Nullable Runnable next() {
            Runnable next = await();
            if (next == null) {
                removeIdle(this);
            }
            return next;
        }

        @SuppressWarnings("WaitNotInLoop") // a thread that wakes too early ends, and another one is made when needed
        private synchronized @Nullable Runnable await() {
            if (action == null) {
                try {
                    wait(idleMillis);
                } catch (InterruptedException _) { // by users' code, which knows the thread: as if the time were over
                }
            }
            Runnable next = action;
            over = next == null;
            thread.setContextClassLoader(loader);
            action = null;
            loader = null;
            return next;
        }

        /** Lets the thread, which is idle, run an action; returns false if it is about to end. */
        @SuppressWarnings("NakedNotify") // the fields change after it, under the same monitor
        synchronized boolean give(Runnable next, @Nullable ClassLoader its) {
            if (!over) {
                notifyAll(); // first, since there may be no stack left for a call
                loader = its;
                action = next;
            }
            return !over;
        }

        /** Lets the thread, which is idle, end. */
        @SuppressWarnings("NakedNotify") // nothing to do is all there is to tell
        synchronized void wakeForGood() {
            notifyAll();
        }
    }
}

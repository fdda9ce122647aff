package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Wait;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Threads that wait until few enough of a graph's tasks are live: none, or as many as the window allows, which is kept
 * here too ({@link TaskGraph#window}). The worker whose task is the last one too many ends the wait.
 *
 * <p>To count the live tasks a worker reads the counters of all workers, which costs a cache line of each. So a worker
 * does it once in {@link Scope#lookEvery} ends of its own, a power of two that is no larger than the ends left, divided
 * by the number of workers: before all of these have happened, one worker has looked. A look brings the number up to
 * date.
 *
 * <p>The protocol: a worker counts the end, passes a full fence, and reads the number; a thread that lowers the number
 * writes it (volatile), passes a full fence, and then counts again. Either the count sees the end, or the worker sees
 * the number.
 *
 * <p>Threads: any. Guarded by its own monitor, under which nothing else is called but the ends of waits; the window is
 * not.
 */
final class LiveWaits {
    private static final int MOST_BETWEEN_LOOKS = 1 << 30;
    /** Without a window: with more live tasks a submitting worker runs ready ones itself. */
    static final int MANY_LIVE = 100_000;
    /** How many submissions lie between two looks at that, a power of two: then the looks cost nothing. */
    static final int LOOK_SELDOM = 1024;
    /** So many ready tasks per worker keep all busy while the submitter runs one. */
    private static final int ENOUGH = 16;

    private record Entry(Wait waiting, long most) {}

    private final Scope scope;
    private final TaskCounters tally;
    private final Dispatcher dispatcher;
    private final List<Entry> entries = new ArrayList<>();

    /** How many tasks may be live; 0 when any number. */
    private volatile int window;
    /**
     * How many submissions lie between two looks at how many are live, a power of two. Written before {@link #window}.
     */
    private int lookEvery = LOOK_SELDOM;
    /**
     * How many ready tasks are to wait for other workers before the submitter runs one itself. Written before
     * {@link #window}.
     */
    private int enough;

    LiveWaits(Scope scope, TaskCounters tally) {
        this.scope = scope;
        this.tally = tally;
        this.dispatcher = scope.domain.dispatcher;
    }

    /** Ends {@code wait} as soon as no more than {@code most} tasks are live, which may be at once. */
    synchronized void add(Wait wait, long most) {
        entries.add(new Entry(wait, most));
        look();
    }

    /** Forgets {@code wait}, which is over or was given up. */
    void remove(Wait wait) {
        if (scope.lookEvery == 0) {
            return; // written behind the removal of the last entry, and this thread has seen the end of its own
        }
        synchronized (this) {
            entries.removeIf(entry -> entry.waiting == wait);
            look();
        }
    }

    /** A task has ended on {@code worker}, while {@code every} was the number of ends between two looks. */
    void ended(int worker, int every) {
        if ((tally.endedOn(worker) & (every - 1)) == 0) {
            synchronized (this) {
                look();
            }
        }
    }

    /** Ends the waits that are over, and says when to look again. Under the monitor. */
    private void look() {
        boolean lowered = true;
        while (lowered) {
            long live = tally.live();
            long left = Long.MAX_VALUE;
            for (int i = entries.size() - 1; i >= 0; i--) {
                Entry entry = entries.get(i);
                if (live <= entry.most) {
                    entries.remove(i);
                    entry.waiting.end();
                } else {
                    left = Math.min(left, live - entry.most);
                }
            }
            int next = entries.isEmpty()
                    ? 0
                    : (int) Long.highestOneBit(Math.clamp(left / dispatcher.workers(), 1, MOST_BETWEEN_LOOKS));
            int before = scope.lookEvery;
            lowered = next != 0 && (next < before || before == 0);
            if (next != before) {
                scope.lookEvery = next;
                VarHandle.fullFence(); // the counters are read with acquire, which may go before a volatile write
            }
        }
    }

    /** Sets the number of tasks that may be live. */
    void window(int most) {
        lookEvery = Integer.highestOneBit(Math.clamp(most / 8, 1, 64));
        enough = Math.min(most / 2, ENOUGH * dispatcher.workers());
        window = most; // volatile: a thread that sees it sees how often to look
    }

    /**
     * Runs {@code task}, which is ready, if there is a window and the calling thread has nothing better to do; see
     * {@link Dispatcher#runNow}.
     */
    int runNow(TaskNode task) {
        return window > 0 ? dispatcher.runNow(task, enough) : Dispatcher.NOT_RUN;
    }

    /** A task was submitted, the {@code number}th, and no lock is held. */
    void keepWindow(long number) {
        if ((number & (lookEvery - 1)) == 0) {
            int most = window;
            if (most > 0) {
                keepWithin(most);
            } else if (tally.live() > MANY_LIVE) {
                dispatcher.runReady(() -> tally.live() <= MANY_LIVE);
            }
        }
    }

    private void keepWithin(int most) {
        if (tally.live() > most - lookEvery
                && !dispatcher.isInsideNode()
                && !scope.domain.views().isHoldingUp()
                && !DrivenFunction.isRunFor(scope.domain)) {
            Wait wait = TaskWait.of(scope.graph);
            add(wait, most / 2);
            try {
                dispatcher.await(wait);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the next wait says so; the task is submitted
            } finally {
                remove(wait);
            }
        }
    }
}

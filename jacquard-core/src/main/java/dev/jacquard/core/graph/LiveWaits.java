package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Wait;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The threads that wait until few enough of a graph's tasks are live: none, or as many as the window allows. The window
 * is kept here too ({@link TaskGraph#window}). The worker that ends the last task too many ends the wait.
 *
 * <p>To count the live tasks, a worker reads the counters of all workers, which costs a cache line of each. So a worker
 * looks only once in {@link Scope#lookEvery} ends of its own tasks. This interval is a power of two that is no larger
 * than the ends left, divided by the number of workers: before all of these have happened, one worker has looked. A
 * look brings the interval up to date.
 *
 * <p>The protocol: a worker counts the end, passes a full fence, and reads the interval; a thread that lowers the
 * interval writes it (volatile), passes a full fence, and then counts the live tasks again. Either this count sees the
 * end, or the worker sees the interval.
 *
 * <p>Threads: any. Guarded by its own monitor, under which nothing else is called but the ends of waits; the window is
 * not guarded.
 */
final class LiveWaits {
    private static final int MOST_BETWEEN_LOOKS = 1 << 30;
    /** The number of ready tasks per worker that keeps all workers busy while the submitter runs one. */
    private static final int ENOUGH = 16;

    private record Entry(Wait waiting, long most) {}

    private final Scope scope;
    private final TaskCounters tally;
    private final Dispatcher dispatcher;
    private final List<Entry> entries = new ArrayList<>();

    /** The number of tasks that may be live; 0 for any number. */
    private volatile int window;
    /**
     * The number of submissions between two looks at the number of live tasks, a power of two. Written before
     * {@link #window}.
     */
    private int lookEvery = Scope.LOOK_SELDOM;
    /**
     * The number of ready tasks that are to wait for other workers before the submitter runs one itself. Written before
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
            return; // written after the removal of the last entry, and this thread has seen the end of its wait
        }
        synchronized (this) {
            entries.removeIf(entry -> entry.waiting == wait);
            look();
        }
    }

    /** Notes that a task has ended on {@code worker}, while {@code every} was the number of ends between two looks. */
    void ended(int worker, int every) {
        if ((tally.endedOn(worker) & (every - 1)) == 0) {
            synchronized (this) {
                look();
            }
        }
    }

    /** Ends the waits that are over, and sets the interval to the next look. Under the monitor. */
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

    /** Keeps to the window, or to {@link Scope#MANY_LIVE}, after the {@code number}th submission. No lock is held. */
    void keepWindow(long number) {
        if ((number & (lookEvery - 1)) == 0) {
            int most = window;
            if (most > 0) {
                keepWithin(most);
            } else if (tally.live() > Scope.MANY_LIVE) {
                dispatcher.runReady(() -> tally.live() <= Scope.MANY_LIVE);
            }
        }
    }

    private void keepWithin(int most) {
        if (tally.live() > most - lookEvery
                && !dispatcher.isInsideNode()
                && !scope.domain.views().isHoldingUp()
                && !scope.domain.isInsideFunction()
                && !StateObserver.isTelling(scope.watch)) {
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

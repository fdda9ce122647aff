package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Wait;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Threads that wait until few enough of a graph's tasks are live: none, or as many as a window allows. The worker whose
 * task is the last one too many ends the wait.
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
 * <p>Threads: any. Guarded by its own monitor, under which nothing else is called but the ends of waits.
 */
final class LiveWaits {
    private static final int MOST_BETWEEN_LOOKS = 1 << 30;

    private record Entry(Wait waiting, long most) {}

    private final Scope scope;
    private final TaskCounters tally;
    private final int workers;
    private final List<Entry> entries = new ArrayList<>();

    LiveWaits(Scope scope, TaskCounters tally, int workers) {
        this.scope = scope;
        this.tally = tally;
        this.workers = workers;
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
            int next =
                    entries.isEmpty() ? 0 : (int) Long.highestOneBit(Math.clamp(left / workers, 1, MOST_BETWEEN_LOOKS));
            int before = scope.lookEvery;
            lowered = next != 0 && (next < before || before == 0);
            if (next != before) {
                scope.lookEvery = next;
                VarHandle.fullFence(); // the counters are read with acquire, which may go before a volatile write
            }
        }
    }
}

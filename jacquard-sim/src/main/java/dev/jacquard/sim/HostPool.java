package dev.jacquard.sim;

import dev.jacquard.engine.schedule.Aging;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The ready tasks that any worker of the host may run, as the engine keeps them: in the orders of a policy, or in the
 * deques of the workers. Of the tasks that the end of another makes ready the last may run next on the same worker,
 * through no queue. Threads: confined to one run.
 */
abstract class HostPool {
    /** Runs next, by worker. */
    private final @Nullable SimTask[] next;
    /** The number of tasks that each worker has taken. */
    final int[] taken;
    /** The masks of the numbers of tasks at which a worker looks up. */
    private final int[] masks;
    /** The times of the last look, in nanoseconds. */
    private final long[] looked;

    /** The number of tasks in the pool, those that run next included. */
    private int size;
    /** The number of tasks that others may take since another ran before. */
    private int shared;

    HostPool(int workers) {
        this.next = new @Nullable SimTask[workers];
        this.taken = new int[workers];
        this.masks = new int[workers];
        this.looked = new long[workers];
        Arrays.fill(looked, Long.MIN_VALUE / 2);
    }

    /** Adds a task that no worker made ready. */
    abstract void send(SimTask task);

    /** Adds a task in front of which {@code worker} runs another. */
    abstract void share(SimTask task, int worker);

    /** Takes the task that {@code worker} is to run next. */
    abstract @Nullable SimTask choose(int worker, long nanos);

    /** Returns true if a task that the end of another makes ready may run next on the same worker. */
    abstract boolean inlines();

    /** Notes that {@code worker}, which took a task, has run it, or gives it back. */
    abstract void leave(SimTask task, int worker);

    /** All tasks are submitted: a task that no worker makes ready is made ready by a device from now on. */
    void submitted() {}

    final int size() {
        return size;
    }

    final void sent(SimTask task) {
        size++;
        send(task);
    }

    /** Adds a task that the end of another on {@code worker} makes ready. */
    final void madeReady(SimTask task, int worker) {
        size++;
        if (!inlines()) {
            send(task);
            return;
        }
        SimTask earlier = next[worker];
        next[worker] = task;
        if (earlier != null) {
            share(earlier, worker);
        }
    }

    /** Lets others take the task that would run next on {@code worker}, which runs another one before. */
    final void shareNext(int worker) {
        SimTask task = takeNext(worker);
        if (task != null) {
            shared++;
            share(task, worker);
        }
    }

    /**
     * Returns the number of tasks that others may take since another ran before: each may be for a worker that asked.
     */
    final int shared() {
        return shared;
    }

    final @Nullable SimTask takeNext(int worker) {
        SimTask task = next[worker];
        next[worker] = null;
        return task;
    }

    final boolean hasNext(int worker) {
        return next[worker] != null;
    }

    /** Takes the task that {@code worker} is to run next; null when there is none for it. */
    final @Nullable SimTask take(int worker, long nanos) {
        int mask = masks[worker];
        long look = looked[worker];
        SimTask task = choose(worker, nanos);
        if (task != null) {
            size--;
            taken[worker]++;
        } else { // it sleeps on, and did not look
            masks[worker] = mask;
            looked[worker] = look;
        }
        return task;
    }

    /** A worker found nothing, and sleeps: it looks up when it is woken. */
    final void rests(int worker, long nanos) {
        masks[worker] = 0;
        looked[worker] = nanos;
    }

    /** Returns true once per period of tasks: then a worker looks at the tasks that wait for long. */
    final boolean looksUp(int worker, long nanos) {
        if ((taken[worker] & masks[worker]) != 0) {
            return false;
        }
        masks[worker] = Aging.nextMask(masks[worker], nanos - looked[worker]);
        looked[worker] = nanos;
        return true;
    }
}

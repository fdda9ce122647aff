package dev.jacquard.flow.runtime;

import dev.jacquard.core.graph.TaskGroup;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.flow.task.Continuation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Items of one copy whose engine tasks are not over: the copy takes other items meanwhile, and no thread waits.
 *
 * <pre>
 *  execute --graph(), whenDone()--> open --last task ends (any worker)--> over --next activation--> continuations: emit, release
 *                                                      |
 *                                                      +-- wakes the copy, if it sleeps
 * </pre>
 *
 * <p>No end is missed: who ends an item adds it here, and then tells the stage; a copy that goes to sleep asks the
 * stage whether there was news since it looked here. A copy with nothing to do but to wait is parked: it sleeps in no
 * stage's list, where it would take wake-ups that are meant for copies that can take items.
 *
 * <p>Threads: confined to the copy's activation, but for what is guarded by this.
 */
final class DeferredItems {
    private final TaskInstance copy;
    private final int most;

    /** What the body works on; null when it is in another phase. */
    private @Nullable Object item;
    /** The ticket of that. */
    private long ticket;
    /** What it has submitted for that; null when nothing. */
    private @Nullable Deferred current;
    /** Whether any item had to wait so far. */
    private boolean used;
    /** Items whose tasks are not over, or whose end was not dealt with. */
    private int open;
    /** The same, for others, as a hint: so volatile. */
    private volatile int load;
    /** Those that were added since the last {@link #counted}. */
    private int added;

    /** Guarded by this. */
    private final Deque<Deferred> over = new ArrayDeque<>(0);
    /** Guarded by this: the copy sleeps until an item is over. */
    private boolean parked;

    DeferredItems(TaskInstance copy, int most) {
        this.copy = copy;
        this.most = most;
    }

    // ---- while the body works on an item

    void begin(Object of, long its) {
        item = of;
        ticket = its;
    }

    /** The body is done with the item; whether the item has to wait for tasks. */
    boolean end(boolean well) {
        item = null;
        Deferred done = current;
        if (done == null) {
            return false;
        }
        current = null;
        done.abandoned = !well;
        open++;
        load = open;
        used = true;
        done.tasks.whenOver(done);
        return true;
    }

    Tasks tasks() {
        return current().tasks;
    }

    void whenDone(Outlet outlet, Continuation<Object> then) {
        current().then.add(() -> then.run(outlet));
    }

    private Deferred current() {
        Object of = item;
        if (of == null) {
            throw new IllegalStateException("task \"" + copy.name() + "\" submits tasks outside of execute:"
                    + " they belong to an item, so submit them while it works on one");
        }
        Deferred known = current;
        if (known == null) {
            known = new Deferred(of, ticket, copy.newGroup());
            current = known;
        }
        return known;
    }

    // ---- between items

    /** An item that was counted as worked on has to wait. */
    void add() {
        added++;
    }

    /** How many were added since this was last asked. */
    int counted() {
        int now = added;
        added = 0;
        return now;
    }

    /** How many items wait for tasks. Any thread: it may be another number by now. */
    int load() {
        return load;
    }

    boolean isOpen() {
        return open > 0;
    }

    /** How many more items may wait for tasks. */
    int room() {
        return most - open;
    }

    /** How many items to take, of {@code limit} that could be: any number as long as none ever had to wait. */
    int most(int limit) {
        return used ? Math.min(limit, room()) : limit;
    }

    /** The next whose tasks are over; null when there is none. */
    @Nullable
    Deferred next() {
        synchronized (this) {
            Deferred first = over.poll();
            if (first != null) {
                open--;
                load = open;
            }
            return first;
        }
    }

    /** Sleeps until an item is over, unless one is. The caller does nothing more with the copy when this says IDLE. */
    synchronized Step park() {
        if (!over.isEmpty()) {
            return Step.AGAIN;
        }
        parked = true;
        return Step.IDLE;
    }

    /** Any thread. */
    private void isOver(Deferred one) {
        boolean wake;
        synchronized (this) {
            over.add(one);
            wake = parked;
            parked = false;
        }
        if (wake) {
            copy.wakeFromOutside();
        } else {
            copy.nudge();
        }
    }

    /** One item, and what it waits for. */
    final class Deferred implements Runnable {
        final Object item;
        final long ticket;
        final TaskGroup tasks;
        final List<DedicatedThread.Phase> then = new ArrayList<>(1);
        /** The body threw after it had submitted. */
        boolean abandoned;

        Deferred(Object item, long ticket, TaskGroup tasks) {
            this.item = item;
            this.ticket = ticket;
            this.tasks = tasks;
        }

        /** All of its tasks are over. */
        @Override
        public void run() {
            isOver(this);
        }
    }
}

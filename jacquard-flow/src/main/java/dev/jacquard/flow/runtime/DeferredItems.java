package dev.jacquard.flow.runtime;

import dev.jacquard.core.graph.TaskGroup;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.flow.task.Emitter.Continuation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The items of one copy that have live engine tasks. The copy takes other items concurrently, and no thread waits.
 *
 * <pre>
 *  execute --graph(), whenDone()--> open --last task ends (any worker)--> over --next activation--> continuations
 *                                                      |
 *                                                      +-- wakes the copy, if it sleeps
 * </pre>
 *
 * <p>No end is missed: the thread that ends an item adds the item here, and then notifies the stage; a copy that goes
 * to sleep asks the stage whether anything has changed since the copy looked here. A copy that can only wait for its
 * items is parked: it sleeps outside of the stage's idle list, where it would consume wake-ups that are meant for
 * copies that can take items.
 *
 * <p>Threads: confined to the copy's activation, except the fields that are guarded by this.
 */
final class DeferredItems {
    private final EmittingCopy copy;
    private final Stage stage;
    private final Borrower borrower;
    private final int most;

    /** The item that the body works on; null in other phases. */
    private @Nullable Object item;
    /** The ticket of {@link #item}. */
    private long ticket;
    /** The tasks that the body has submitted for {@link #item}; null if it has submitted none. */
    private @Nullable Deferred current;
    /**
     * True if a copy takes no more items than may wait for tasks: once any item had to, and where items come on bounded
     * edges, since they have no slots any more, and must not wait in the queue again.
     */
    private boolean counts;
    /** The number of items with live tasks, or with an end that is not handled yet. */
    private int open;
    /** The number of these that are done and wait for their turn: see {@link EmissionOrder}. */
    private int early;
    /** The value of {@link #open} for other threads, as a hint. Written by the activation; volatile. */
    private volatile int load;
    /** The number of items that were added since the last {@link #counted}. */
    private int added;

    /** The items that have no live task. Guarded by this. */
    private final Deque<Deferred> over = new ArrayDeque<>(0);
    /** The number of the {@link #early} items with results that were passed on. Guarded by this. */
    private int turns;
    /** True once the run stops, so that no turn comes any more. Guarded by this. */
    private boolean turnsAreOver;
    /** True while the copy sleeps until an item is over. Guarded by this. */
    private boolean parked;

    DeferredItems(EmittingCopy copy, Stage stage, Borrower borrower) {
        this.copy = copy;
        this.stage = stage;
        this.borrower = borrower;
        this.counts = !stage.setup.slots.isEmpty();
        this.most = stage.setup.plan.options().submitting().inFlight();
    }

    // ---- while the body works on an item

    void begin(Object of, long its) {
        item = of;
        ticket = its;
    }

    /** Records that the body is done with the item. Returns true if the item has to wait for tasks. */
    boolean end(boolean well) {
        item = null;
        Deferred done = current;
        if (done == null) {
            return false;
        }
        current = null;
        done.abandoned = !well;
        if (!well && copy.route != null) {
            copy.route.ended(done.routed, false);
        }
        done.effects = well && copy.scope != null ? copy.scope.suspend() : null;
        done.slots = well ? borrower.suspend() : null;
        open++;
        load = open;
        counts = true;
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
            known = new Deferred(of, ticket, newGroup());
            known.routed = copy.route == null ? null : copy.route.detach();
            current = known;
        }
        return known;
    }

    private TaskGroup newGroup() {
        if (stage.setup.plan.bookkeeper()) {
            throw new IllegalStateException("a rule of bookkeeper \"" + copy.name()
                    + "\" submits tasks: it is called under a lock and must be quick, "
                    + "so let it emit to a task that does");
        }
        return copy.run.submissions().group(copy.info.device(), stage.setup.busy, copy.route != null);
    }

    // ---- between items

    /** Counts an item of the batch that has to wait for tasks. */
    void add() {
        added++;
    }

    /** Returns the number of items that were added since the last call. */
    int counted() {
        int now = added;
        added = 0;
        return now;
    }

    /** Returns the number of items that wait for tasks. Called by any thread; the number may change at any time. */
    int load() {
        return load;
    }

    /** Returns the number of items that have no live task, and that the copy has not gone on with. Any thread. */
    synchronized int countOver() {
        return over.size();
    }

    boolean isOpen() {
        return open > 0;
    }

    /** Returns the number of further items that may wait for tasks. */
    int room() {
        return most - open;
    }

    /**
     * Returns the number of items to take, at most {@code limit}. Items that wait for tasks count only once an item had
     * to wait: before, a batch may be larger than there is room, and ends where the room does.
     */
    int most(int limit) {
        return counts ? Math.min(limit, room()) : limit;
    }

    /** Removes the next item that has no live task; null if there is none. */
    @Nullable
    Deferred next() {
        synchronized (this) {
            Deferred first = over.poll();
            int passed = turnsAreOver ? early : turns;
            int ended = passed + (first == null ? 0 : 1);
            turns = 0;
            early -= passed;
            if (ended > 0) {
                open -= ended;
                load = open;
            }
            return first;
        }
    }

    /** Records that the item that the body is done with waits until the results of older items are passed on. */
    void waitsForTurn() {
        early++;
        open++;
        load = open;
        counts = true;
    }

    /** Records that the results of an item that waited for its turn were passed on. Called by any thread. */
    void turnCame() {
        boolean wake;
        synchronized (this) {
            turns++;
            wake = parked;
            parked = false;
        }
        if (wake || (stage.closed() && stage.nudge(copy))) {
            copy.wake(null, copy.run.workers(), false);
        }
    }

    /** Gives up the items that wait for their turn, since the run stops. */
    void endTurns() {
        boolean wake;
        synchronized (this) {
            turnsAreOver = true;
            wake = parked && early > 0;
            parked &= !wake;
        }
        if (wake) {
            copy.wake(null, copy.run.workers(), false);
        }
    }

    /**
     * Parks the copy until an item is over, unless one is over already. After IDLE the caller must not use the copy.
     */
    synchronized Step park() {
        if (!over.isEmpty() || turns > 0 || (turnsAreOver && early > 0)) {
            return Step.AGAIN;
        }
        parked = true;
        return Step.IDLE;
    }

    /** Queues an item after the end of its tasks, and notifies the copy. Called by any thread. */
    private void isOver(Deferred one) {
        boolean wake;
        synchronized (this) {
            over.add(one);
            wake = parked;
            parked = false;
        }
        if (wake || stage.nudge(copy)) {
            copy.wake(null, copy.run.workers(), false);
        }
    }

    /** One item, and the tasks that it waits for. */
    final class Deferred implements Runnable {
        final Object item;
        final long ticket;
        final TaskGroup tasks;
        final List<UserCode.Phase> then = new ArrayList<>(1);
        /** The item as the routing has assigned it; null if items are not routed, or it was recorded as over. */
        CopyLoad.@Nullable Taken routed;
        /** True if the body threw after it had submitted tasks. */
        boolean abandoned;
        /** The effects of the item so far; null if the task drops no items. Written before the tasks may be over. */
        ItemScope.@Nullable Effects effects;
        /** The item with slots for the items that it may still emit; null if there are none. As above. */
        @Nullable
        Granted slots;

        Deferred(Object item, long ticket, TaskGroup tasks) {
            this.item = item;
            this.ticket = ticket;
            this.tasks = tasks;
        }

        /** Called when all tasks of the item are over. */
        @Override
        public void run() {
            isOver(this);
        }
    }
}

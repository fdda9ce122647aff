package dev.jacquard.flow.runtime;

import dev.jacquard.flow.runtime.CopyCounters.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A running task: its input queue, and the copies that sleep next to it.
 *
 * <pre>
 *  producers --append(batch)--> queue --take(batch)--> copy --pause--> idle list, or activated again
 *                 |                                                        |
 *                 +---------- wakes one idle copy, which wakes the next ---+
 * </pre>
 *
 * <p>No wake-up is lost: a copy goes to the idle list only in {@link #pause}, which checks the queue under the same
 * lock under which {@link #append} adds to the queue and checks the idle list; for items that come through an
 * {@link Inbox} see there. A copy is in the idle list, or made ready, or at work, never two of these at once, so its
 * body needs no lock.
 *
 * <p>Threads: all mutable fields are guarded by this, except the two volatile ones, which are written under the lock
 * and read without it, by a copy that is about to ask its body. The lock is taken per batch, not per item, and is the
 * innermost.
 */
final class Stage implements ItemSink {
    private static final @Nullable Object[] NONE = {};

    final StageSetup setup;
    /** The line of items that wait for buffers; null if the task takes none. */
    final @Nullable Line line;

    private final @Nullable TicketSet here;
    private final @Nullable Cycle cycle;
    private final BufferGrants ledger;
    private final ItemQueue queue;
    /** The queue, if items are routed by measured time; else null. */
    final @Nullable RoutedItems routed;
    /** Guarded by this, like the fields below. */
    final StageFigures figures = new StageFigures();

    private final Sleepers idle;

    private int producers;
    private int activeCopies;
    /** The number of items that wait in the ledger for their buffers. */
    private int gated;

    private boolean stopped;
    private final Backlog waiting = new Backlog();
    /** The inboxes of producers: see {@link #newInbox}. */
    private final Inboxes inboxes = new Inboxes();

    /** True if no item is left and none can come, as without producers. */
    private volatile boolean closed = true;
    /** The number of changes that a termination condition may depend on: see {@link #pause}. */
    private volatile int changes;

    Stage(StageSetup setup, BufferGrants ledger) {
        this.setup = setup;
        this.ledger = ledger;
        this.here = setup.here;
        this.line = setup.takes() ? new Line(this, setup) : null;
        this.cycle = setup.cycle;
        this.queue = setup.newQueue(ledger::now);
        this.routed = queue instanceof RoutedItems its ? its : null;
        this.activeCopies = setup.plan.copies();
        this.idle = new Sleepers(setup.devices().size() > 1, routed, inboxes);
        if (cycle != null) {
            cycle.add(this);
        }
    }

    @Override
    public @Nullable TicketSet here() {
        return here;
    }

    @Override
    public @Nullable Cycle cycle() {
        return cycle;
    }

    /** Adds producers. Called before the start only. */
    void addProducers(int count) {
        producers += count;
        closed = false;
    }

    boolean closed() {
        return closed;
    }

    int changes() {
        return changes;
    }

    @Override
    public @Nullable Wakeable append(
            @Nullable Inbox box, @Nullable Object[] items, int count, @Nullable Wakeable woken) {
        if (box != null) {
            int offered = box.offer(items, 0, count);
            if (offered == count && !box.rings()) {
                return woken;
            }
            return line == null
                    ? collect(box, items, offered, count, woken)
                    : ledger.collect(line, items, offered, count, woken);
        }
        if (cycle != null) {
            cycle.take(count);
        }
        boolean refused;
        synchronized (this) {
            refused = stopped;
            if (refused) {
                figures.own.cancelled += count;
            } else {
                closed = false;
                if (line == null) {
                    queue.add(items, 0, count);
                    count();
                    return idle.wakeOne(woken);
                }
                gated += count;
                count();
            }
        }
        if (!refused && line != null) {
            return ledger.request(line, items, count, woken);
        }
        return cycle == null ? woken : cycle.give(count, woken);
    }

    /** Takes items under the lock: the inbox is full, or a copy sleeps, or the stage has stopped. */
    private synchronized @Nullable Wakeable collect(
            Inbox box, @Nullable Object[] items, int offered, int count, @Nullable Wakeable woken) {
        drainInboxes();
        for (int at = offered; at < count; ) {
            at += box.offer(items, at, count - at);
            box.drainTo(queue);
            box.free();
        }
        if (stopped) {
            drop();
            return woken;
        }
        count();
        return queue.size() > 0 ? idle.wakeOne(woken) : woken;
    }

    /**
     * Counts items that came through the inbox of the line, and frees their places there. Returns false if the stage
     * has stopped, so that the items are cancelled.
     */
    synchronized boolean expect(int count, Inbox box) {
        gated += stopped ? 0 : count;
        figures.own.cancelled += stopped ? count : 0;
        count();
        box.free();
        return !stopped;
    }

    /**
     * Queues an item after its buffers were granted. Returns false if the stage has stopped, so that the buffers are
     * free again.
     */
    synchronized boolean acceptGranted(Granted item, WakeList wakes) {
        if (stopped) {
            return false;
        }
        gated--;
        queue.add(new Object[] {item}, 0, 1);
        count();
        wakes.add(idle.wakeOne(null));
        return true;
    }

    /**
     * Counts items that leave the line without buffers.
     *
     * @param failed true if the task's comparator threw; false if the run stops, so that the items are cancelled
     */
    synchronized void discard(int count, boolean failed) {
        if (!stopped) {
            gated -= count;
            figures.own.failed += failed ? count : 0;
            figures.own.cancelled += failed ? 0 : count;
            count();
        }
    }

    /**
     * Moves up to {@code most} items to {@code into}; wakes another copy if there are more. With an item, {@code copy}
     * works from the begin of its activation on. {@code route} is null unless items are routed.
     */
    synchronized int take(
            @Nullable Object[] into, int most, CopyCounters copy, @Nullable RoutedCopy route, WakeList wakes) {
        drainInboxes();
        if (line != null) {
            waiting.note(queue.size() + gated + Line.sent(line)); // before fewer wait
        }
        int count = route == null ? queue.drainTo(into, most) : route.take(into);
        count();
        if (count > 0) {
            figures.enter(copy, Phase.WORKS, copy.beginNanos);
        }
        if (queue.size() > 0) {
            wakes.add(idle.wakeOne(null));
        } else { // also without an item: a user's queue may have dropped the last ones
            wakes.add(closeIfDone(null));
        }
        return count;
    }

    /**
     * Puts items back, before all others, that a copy took and has not begun, since the limit of items under way is
     * reached. The copy sees that they wait before it sleeps, and wakes another. Where no producer is left, the stage
     * is open again until they are taken.
     */
    synchronized void putBack(@Nullable Object[] items, int from, int count) {
        if (stopped) {
            figures.own.cancelled += count;
            return;
        }
        closed = false;
        queue.putBack(items, from, count);
        count();
    }

    @Override
    public @Nullable Inbox newInbox() {
        return setup.mayHaveInboxes() ? inboxes.add() : null;
    }

    @Override
    public @Nullable Inbox newInboxFromOutside() {
        return line != null && setup.mayHaveInboxFromOutside() ? ledger.newInbox(line) : newInbox();
    }

    @Override
    public int backlog() {
        int coming = inboxes.size() + Line.sent(line); // first: an item leaving them counts twice, not never
        return coming + waiting.get() + setup.distributed();
    }

    /** Returns true if producers send through inboxes. */
    boolean hasInboxes() {
        return !inboxes.isEmpty();
    }

    /**
     * Ends an activation; returns the next step.
     *
     * @param asked the {@link #changes} before the body was asked whether it is done; if there were more since, the
     *     body is asked again, since a wake-up that came since would otherwise be lost
     * @param mayWake true if something other than an item may still wake the copy: a poll, or the end of an engine task
     */
    synchronized Step pause(Wakeable copy, int asked, CopyCounters part, boolean mayWake) {
        copy.paused();
        figures.publish(part);
        drainInboxes();
        boolean has = queue.size() > 0 && (routed == null || routed.hasFor(RoutedCopy.of(copy).load));
        if (stopped || has || changes != asked) {
            return Step.AGAIN;
        }
        if (closed && !mayWake) {
            return Step.STUCK;
        }
        idle.add(copy);
        if (inboxes.size() > 0) { // items came before the sender could see the bell
            leaveIdle(copy);
            return Step.AGAIN;
        }
        return Step.IDLE;
    }

    /** Records a change for {@code copy} alone. Returns true if the copy slept, so that the caller must wake it. */
    synchronized boolean nudge(Wakeable copy) {
        changes++; // it may be about to sleep
        return leaveIdle(copy);
    }

    /** Wakes another copy for the waiting items, since the calling copy was woken but takes none for now. */
    synchronized @Nullable Wakeable passOn(CopyCounters part) {
        figures.publish(part);
        drainInboxes();
        return queue.size() > 0 ? idle.wakeOne(null) : null;
    }

    /** Takes a copy off the idle list. Returns false if another thread has done so, which will wake the copy. */
    synchronized boolean leaveIdle(Wakeable copy) {
        return idle.remove(copy);
    }

    @Override
    public @Nullable Wakeable producerDone(@Nullable Wakeable woken) {
        Wakeable list = line != null && Line.sent(line) > 0 ? ledger.collect(line, NONE, 0, 0, woken) : woken;
        synchronized (this) {
            drainInboxes();
            producers--;
            return closeIfDone(changed(list));
        }
    }

    /** Records a change that a termination condition may depend on: all sleeping copies are woken to ask again. */
    synchronized @Nullable Wakeable changed(@Nullable Wakeable woken) {
        changes++;
        return idle.wakeAll(woken);
    }

    /**
     * Records that a copy has shut down. After the last one, the items that are left in the queue are cancelled: a
     * condition ended the task.
     */
    @Nullable
    Wakeable copyDone(CopyCounters part, WakeList wakes) {
        @Nullable Object[] left;
        int dropped;
        synchronized (this) {
            figures.publish(part);
            figures.enter(part, Phase.ENDED, ledger.now());
            if (--activeCopies > 0) {
                return passOn(part); // its wake-up may have been for an item here
            }
            stopped = true;
            closed = true;
            idle.stop();
            drainInboxes();
            left = new @Nullable Object[queue.size()];
            dropped = left.length + gated;
            figures.own.cancelled += queue.drainTo(left, left.length);
            drop();
        }
        ledger.close(setup, line, wakes);
        for (Object item : left) {
            if (item instanceof Granted granted) { // not a hole that a comparator left
                ledger.giveBack(granted, true, wakes);
            }
        }
        return cycle == null || dropped == 0 ? null : cycle.give(dropped, null);
    }

    /** Stops the stage, since the run stops: no further item is taken, and sleeping copies are woken to shut down. */
    synchronized @Nullable Wakeable stop(@Nullable Wakeable woken) {
        if (!stopped) {
            stopped = true;
            idle.stop();
            drainInboxes();
            drop();
        }
        return changed(woken);
    }

    /** Returns the counts of the stage as of now. */
    synchronized StageCounts counts() {
        drainInboxes();
        int forBuffers = gated + Line.sent(line);
        int all = queue.size() + forBuffers;
        waiting.note(all);
        List<ItemCounters> copies = figures.snapshot(ledger.now());
        return new StageCounts(figures.total(copies), copies, producers, all, forBuffers, waiting.largest());
    }

    // The methods below are called with the lock held.

    private void drainInboxes() {
        if (!inboxes.isEmpty()) {
            inboxes.drainTo(queue);
            count(); // first: a sender that finds an inbox empty sees the items here, and keeps the input's bound
            inboxes.free();
        }
    }

    /** Publishes the number of waiting items, and counts those that the queue has discarded. */
    private void count() {
        figures.discarded(queue);
        waiting.set(queue.size() + gated);
    }

    /** Cancels the waiting items. */
    private void drop() {
        figures.own.cancelled += queue.size() + gated;
        queue.clear();
        gated = 0;
        count();
    }

    private @Nullable Wakeable closeIfDone(@Nullable Wakeable woken) {
        if (closed || producers > 0 || gated > 0 || queue.size() > 0) {
            return woken;
        }
        closed = true;
        return changed(woken);
    }
}

package dev.jacquard.flow.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A running task: its input queue, and the copies that serve it or sleep.
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
 * and read without it. The lock is taken per batch, not per item, and is the innermost.
 */
final class Stage implements ItemSink {
    private static final VarHandle WAITING;
    /** The number of checks of {@link #linger}, with a pause after each: about a microsecond in all. */
    private static final int LINGER_LOOKS = 4;

    private static final int LINGER_SPINS = 8;

    private static final int LINGER_ITEMS = 64;
    /** The most inboxes of a stage; further producers append under the lock. */
    private static final int MOST_INBOXES = 16;

    static {
        try {
            WAITING = MethodHandles.lookup().findVarHandle(Stage.class, "waiting", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final StagePlan plan;
    private final BufferGrants ledger;
    private final Need[] needs;
    private final Faults faults;
    private final ItemQueue queue;
    private final @Nullable TaskInstance[] idle;
    private final ItemCounters total;

    /** The times in which engine tasks of this stage's copies were at work. */
    private final BusyTime busy;
    /** The devices of the copies. Written before the start. */
    private List<String> devices = List.of();
    /** The place of items that may still ask a memory edge; null if items here may not. Written before the start. */
    private @Nullable Place here;
    /** The line of items that wait for buffers; null if the task takes none. Written before the start. */
    private @Nullable Line line;

    private @Nullable Cycle cycle;
    private int idleCount;
    private int producers;
    private int activeCopies;
    /** The number of items that wait in the ledger for their buffers. */
    private int gated;

    private boolean stopped;
    private long largest;
    /** The number of waiting items, for {@link #backlog}: a hint, so opaque; written under the lock. */
    @SuppressWarnings("UnusedVariable") // read and written through WAITING
    private int waiting;

    /**
     * The inboxes, one per producer that has a thread of its own or is the graph's input; see {@link #newInbox}.
     * Written before the start.
     */
    private Inbox[] inboxes = {};
    /** The inbox for items from outside; null if there is none. Written before the start. */
    private @Nullable Inbox outside;

    private boolean fedFromOutside;
    /**
     * True if no item is left and none can come. Written under the lock; read without it by a copy that is about to ask
     * its body.
     */
    private volatile boolean closed;
    /**
     * The number of changes that a termination condition may depend on: see {@link #pause}. Written under the lock;
     * read without it.
     */
    private volatile int changes;

    Stage(StagePlan plan, BufferGrants ledger, Need[] needs, BusyTime busy, Faults faults) {
        this.busy = busy;
        this.plan = plan;
        this.ledger = ledger;
        this.needs = needs;
        this.faults = faults;
        PriorityItems ordered = ordered(false);
        this.queue = ordered == null ? new Ring() : ordered;
        this.idle = new @Nullable TaskInstance[plan.copies()];
        this.activeCopies = plan.copies();
        this.total = new ItemCounters(plan.outlets().size());
    }

    StagePlan plan() {
        return plan;
    }

    /** Sets the devices that the copies are bound to. Called before the start only. */
    void devices(List<String> names) {
        devices = names;
    }

    List<String> devices() {
        return devices;
    }

    BusyTime busy() {
        return busy;
    }

    Need[] needs() {
        return needs;
    }

    /**
     * Returns a new queue in the task's own order, or in that order among items of one ticket; null if the task has no
     * order.
     */
    @Nullable
    PriorityItems ordered(boolean eldestFirst) {
        Comparator<Object> order = plan.options().order();
        return order == null ? null : new PriorityItems(order, eldestFirst, faults);
    }

    /**
     * Sets the place of the items here, which may still ask memory edges further down. Called before the start only.
     */
    void place(Place items) {
        here = items;
    }

    /** Sets the line of a task that takes from memory edges. Called before the start only. */
    void line(Line requests) {
        here = requests.place;
        line = requests;
    }

    /**
     * Returns the place of items from their arrival until they are done, or until they have their buffers; null if it
     * is of no interest.
     */
    @Nullable
    Place here() {
        return here;
    }

    @Nullable
    Line line() {
        return line;
    }

    /** Returns the place that an item leaves when it is done; null if there is none. */
    @Nullable
    Place doneFrom() {
        return line == null ? here : line.past;
    }

    @Nullable
    Cycle cycle() {
        return cycle;
    }

    /** Sets the circle that the stage is in. Called before the start only. */
    void cycle(Cycle circle) {
        cycle = circle;
        circle.add(this);
    }

    /** Adds producers. Called before the start only. */
    void addProducers(int count) {
        producers += count;
    }

    /**
     * Closes the stage if it has no producer, so that a start task may be told to begin. Called before the start only.
     */
    void closeIfUnfed() {
        closed = producers == 0;
    }

    boolean closed() {
        return closed;
    }

    int changes() {
        return changes;
    }

    @Override
    public @Nullable TaskInstance append(@Nullable Object[] items, int count, @Nullable TaskInstance woken) {
        if (cycle != null) {
            cycle.take(count);
        }
        Line gate = line;
        TaskInstance list = woken;
        synchronized (this) {
            if (stopped) {
                total.cancelled += count;
            } else if (gate != null) {
                gated += count;
                closed = false;
                count();
            } else {
                queue.add(items, 0, count);
                total.failed += queue.takeFailed();
                closed = false;
                count();
                return wakeOne(list);
            }
            gate = stopped ? null : gate;
        }
        if (gate != null) {
            return ledger.request(gate, items, count, list);
        }
        return cycle == null ? list : cycle.give(count, list);
    }

    /** Takes items from outside, whose sender holds the lock of the {@link Input}. */
    @Nullable
    TaskInstance appendFromOutside(@Nullable Object[] items, int count, @Nullable TaskInstance woken) {
        return append(outside, items, count, woken);
    }

    /** Takes items of the producer that owns {@code box}; null for a producer without an inbox. */
    @Nullable
    TaskInstance append(@Nullable Inbox box, @Nullable Object[] items, int count, @Nullable TaskInstance woken) {
        if (box == null) {
            return append(items, count, woken);
        }
        int offered = box.offer(items, 0, count);
        return offered < count || box.rings() ? collect(box, items, offered, count, woken) : woken;
    }

    /** Takes items under the lock: the inbox is full, or a copy sleeps, or the stage has stopped. */
    private synchronized @Nullable TaskInstance collect(
            Inbox box, @Nullable Object[] items, int offered, int count, @Nullable TaskInstance woken) {
        drainInboxes();
        for (int at = offered; at < count; ) {
            at += box.offer(items, at, count - at);
            box.drainTo(queue);
        }
        if (stopped) {
            drop();
            return woken;
        }
        count();
        return queue.size() > 0 ? wakeOne(woken) : woken;
    }

    /**
     * Queues an item whose buffers the ledger granted. Returns false if the stage has stopped, so that the buffers are
     * free again.
     */
    synchronized boolean acceptGranted(Granted item, WakeList wakes) {
        if (stopped) {
            return false;
        }
        gated--;
        queue.add(new Object[] {item}, 0, 1);
        total.failed += queue.takeFailed();
        wakes.add(wakeOne(null));
        return true;
    }

    /** Counts items that the ledger refuses, since the run stops, as cancelled. */
    synchronized void discard(int count) {
        if (!stopped) {
            gated -= count;
            total.cancelled += count;
            count();
        }
    }

    /** Counts items that waited for buffers as failed, since the task's comparator threw. */
    synchronized void failedInLine(int count) {
        if (!stopped) {
            gated -= count;
            total.failed += count;
        }
    }

    /** Moves up to {@code most} items to {@code into}; wakes another copy if there are more. */
    synchronized int take(@Nullable Object[] into, int most, WakeList wakes) {
        drainInboxes();
        int count = queue.drainTo(into, most);
        total.failed += queue.takeFailed();
        count();
        if (queue.size() > 0) {
            wakes.add(wakeOne(null));
        } else if (count > 0) {
            wakes.add(closeIfDone(null));
        }
        return count;
    }

    /**
     * Creates another inbox; null if the stage may have no further one. A stage with inboxes takes no buffers, is in no
     * circle, since tokens of circles are counted per append, and has no order of its own, since the thread that
     * appends calls the user's comparator. Called before the start only.
     */
    @Nullable
    Inbox newInbox() {
        if (here != null || cycle != null || !(queue instanceof Ring) || inboxes.length >= MOST_INBOXES) {
            return null;
        }
        Inbox box = new Inbox();
        inboxes = Arrays.copyOf(inboxes, inboxes.length + 1);
        inboxes[inboxes.length - 1] = box;
        return box;
    }

    /** Makes the graph's input a producer. Called before the start only. */
    void feedFromOutside() {
        fedFromOutside = true;
        outside = newInbox();
    }

    boolean isFedFromOutside() {
        return fedFromOutside;
    }

    /** Returns about the number of items that wait, including those without their buffers; needs no lock. */
    int backlog() {
        return (int) WAITING.getOpaque(this) + inInboxes();
    }

    private int inInboxes() {
        int waits = 0;
        for (Inbox box : inboxes) {
            waits += box.size();
        }
        return waits;
    }

    /**
     * Waits a moment for more items. Called before a copy goes to sleep that works through cheap items faster than
     * other threads send them: otherwise each item that is sent pays for a wake-up.
     */
    void linger() {
        for (int i = 0; inboxes.length > 0 && i < LINGER_LOOKS && backlog() < LINGER_ITEMS && !closed; i++) {
            for (int j = 0; j < LINGER_SPINS; j++) { // each look takes the sender's cache line away
                Thread.onSpinWait();
            }
        }
    }

    /**
     * Ends an activation; returns what to do next.
     *
     * @param asked the {@link #changes} before the body was asked whether it is done; if there were more since, the
     *     body is asked again, since a wake-up that came meanwhile would otherwise be lost
     * @param mayWake true if something other than an item may still wake the copy: a poll, or the end of an engine task
     */
    synchronized Step pause(TaskInstance copy, int asked, ItemCounters part, boolean mayWake) {
        total.absorb(part);
        drainInboxes();
        if (stopped || queue.size() > 0 || changes != asked) {
            return Step.AGAIN;
        }
        if (closed && !mayWake) {
            return Step.STUCK;
        }
        idle[idleCount++] = copy;
        setBell();
        if (inInboxes() > 0) { // items came before the sender could see the bell
            leaveIdle(copy);
            return Step.AGAIN;
        }
        return Step.IDLE;
    }

    /** Records a change for {@code copy} alone. Returns true if the copy slept, so that the caller must wake it. */
    synchronized boolean nudge(TaskInstance copy) {
        changes++; // it may be about to sleep
        return leaveIdle(copy);
    }

    /** Wakes another copy for the waiting items, since the calling copy was woken but takes none for now. */
    synchronized @Nullable TaskInstance passOn(ItemCounters part) {
        total.absorb(part);
        drainInboxes();
        return queue.size() > 0 ? wakeOne(null) : null;
    }

    /** Takes a copy off the idle list. Returns false if another thread has done so, which will wake the copy. */
    synchronized boolean leaveIdle(TaskInstance copy) {
        for (int i = 0; i < idleCount; i++) {
            if (idle[i] == copy) {
                idle[i] = idle[--idleCount];
                idle[idleCount] = null;
                setBell();
                return true;
            }
        }
        return false;
    }

    @Override
    public synchronized @Nullable TaskInstance producerDone(@Nullable TaskInstance woken) {
        drainInboxes();
        producers--;
        TaskInstance list = changed(woken);
        return closeIfDone(list);
    }

    /** Records a change that a termination condition may depend on: all sleeping copies are woken to ask again. */
    synchronized @Nullable TaskInstance changed(@Nullable TaskInstance woken) {
        changes++;
        return wakeAll(woken);
    }

    /**
     * Records that a copy has shut down. After the last one, the items that are left in the queue are cancelled: a
     * condition ended the task.
     */
    @Nullable
    TaskInstance copyDone(ItemCounters part, WakeList wakes) {
        @Nullable Object[] left;
        int dropped;
        synchronized (this) {
            total.absorb(part);
            if (--activeCopies > 0) {
                drainInboxes();
                return queue.size() > 0 ? wakeOne(null) : null; // its wake-up may have been for an item here
            }
            stopped = true;
            closed = true;
            setBell();
            drainInboxes();
            left = new @Nullable Object[queue.size()];
            dropped = left.length + gated;
            total.cancelled += queue.drainTo(left, left.length);
            total.failed += queue.takeFailed();
            drop();
        }
        if (here != null) {
            ledger.close(this, wakes);
        }
        for (Object item : left) {
            if (item instanceof Granted granted) { // not a hole that a comparator left
                ledger.giveBack(granted, wakes);
            }
        }
        return cycle == null || dropped == 0 ? null : cycle.give(dropped, null);
    }

    /** Stops the stage, since the run stops: no further item is taken, and sleeping copies are woken to shut down. */
    synchronized @Nullable TaskInstance stop(@Nullable TaskInstance woken) {
        if (!stopped) {
            stopped = true;
            setBell();
            drainInboxes();
            drop();
        }
        return changed(woken);
    }

    /** Calls {@code reader} with the lock held, so that nothing changes meanwhile. The reader must be quick. */
    synchronized <T> T read(Reader<T> reader) {
        drainInboxes();
        return reader.read(total, producers, queue.size() + gated, largest);
    }

    /** Returns the number of items that wait for buffers. */
    synchronized int gated() {
        return gated;
    }

    /** Reads the state of a stage: see {@link Stage#read}. */
    interface Reader<T> {
        T read(ItemCounters total, int producers, int queued, long largest);
    }

    // The methods below are called with the lock held.

    private void drainInboxes() {
        for (Inbox box : inboxes) {
            box.drainTo(queue);
        }
        if (inboxes.length > 0) {
            count();
        }
    }

    private void count() {
        int size = queue.size() + gated;
        WAITING.setOpaque(this, size);
        largest = Math.max(largest, size);
    }

    /**
     * Tells senders whether they must tell the stage of items: a copy sleeps, or the items must be counted as
     * cancelled.
     */
    private void setBell() {
        for (Inbox box : inboxes) {
            box.bell(idleCount > 0 || stopped);
        }
    }

    /** Cancels the waiting items. */
    private void drop() {
        total.cancelled += queue.size() + gated;
        queue.clear();
        gated = 0;
        count();
    }

    private @Nullable TaskInstance closeIfDone(@Nullable TaskInstance woken) {
        if (closed || producers > 0 || gated > 0 || queue.size() > 0) {
            return woken;
        }
        closed = true;
        return changed(woken);
    }

    private @Nullable TaskInstance wakeOne(@Nullable TaskInstance woken) {
        if (idleCount == 0) {
            return woken;
        }
        TaskInstance copy = devices.size() > 1 ? takeLeastLoaded() : idle[--idleCount];
        idle[idleCount] = null;
        setBell();
        assert copy != null && copy.nextWoken == null;
        copy.nextWoken = woken;
        return copy;
    }

    /**
     * Removes an idle copy; the last slot of the list is free then. Copies that are bound to different devices take
     * turns; a copy whose device has less to do comes first.
     */
    private TaskInstance takeLeastLoaded() {
        int least = 0;
        for (int i = 1; i < idleCount; i++) {
            if (load(idle[i]) < load(idle[least])) {
                least = i;
            }
        }
        TaskInstance copy = idle[least];
        System.arraycopy(idle, least + 1, idle, least, --idleCount - least); // the longest asleep stays first
        return copy;
    }

    private static int load(@Nullable TaskInstance copy) {
        return copy == null ? 0 : copy.deferred().load();
    }

    private @Nullable TaskInstance wakeAll(@Nullable TaskInstance woken) {
        TaskInstance list = woken;
        while (idleCount > 0) {
            list = wakeOne(list);
        }
        return list;
    }
}

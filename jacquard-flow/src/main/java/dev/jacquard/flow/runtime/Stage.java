package dev.jacquard.flow.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A running task: its input queue, the copies that serve it, and who of them sleeps.
 *
 * <pre>
 *  producers --append(batch)--> queue --take(batch)--> copy --pause--> idle list, or activated again
 *                 |                                                        |
 *                 +---------- wakes one idle copy, who wakes the next -----+
 * </pre>
 *
 * <p>No wake-up is lost: a copy goes to the idle list only in {@link #pause}, which looks at the queue under the same
 * lock under which {@link #append} adds to it and looks at the idle list; what comes from outside has its own way, see
 * {@link Inbox}. A copy is in the idle list, or made ready, or at work: never two of them, so its body needs no lock.
 *
 * <p>Threads: all mutable fields are guarded by this, except the two volatile ones, which are written under the lock
 * and read without it. The lock is taken per batch, not per item, and is the innermost: nothing is called under it.
 */
final class Stage implements ItemSink {
    private static final VarHandle WAITING;
    /** Looks for more items, and pauses before each: about a microsecond in all. */
    private static final int LINGER_LOOKS = 4;

    private static final int LINGER_SPINS = 8;

    private static final int LINGER_ITEMS = 64;
    /** Further producers append under the lock. */
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

    /** When engine tasks of this stage's copies were at work. */
    private final BusyTime busy;
    /** Written before the start. */
    private List<String> devices = List.of();
    /** Written before the start: of a stage whose items may still ask a memory edge. */
    private @Nullable Place here;
    /** Written before the start: of a stage that takes from memory edges. */
    private @Nullable Line line;

    private @Nullable Cycle cycle;
    private int idleCount;
    private int producers;
    private int activeCopies;
    /** Items that wait in the ledger for their buffers. */
    private int gated;

    private boolean stopped;
    private long largest;
    /** The size of the queue, for {@link #linger}: a hint, so opaque; written under the lock. */
    @SuppressWarnings("UnusedVariable") // read and written through WAITING
    private int waiting;

    /**
     * Written before the start: one per producer that has a thread of its own, the outside among them; see
     * {@link #newInbox}.
     */
    private Inbox[] inboxes = {};
    /** Written before the start: the one for what comes from outside. */
    private @Nullable Inbox outside;

    private boolean fedFromOutside;
    /** No item is left and none can come. Written under the lock; a copy reads it before it asks its body. */
    private volatile boolean closed;
    /** How often something happened that a condition may depend on: see {@link #pause}. Likewise. */
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

    /** Before the start only: those that its copies are bound to. */
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

    /** A queue in the task's own order, or in that among items of one ticket; null when it has none. */
    @Nullable
    PriorityItems ordered(boolean eldestFirst) {
        Comparator<Object> order = plan.options().order();
        return order == null ? null : new PriorityItems(order, eldestFirst, faults);
    }

    /** Before the start only: items here, and behind, may still ask memory edges. */
    void place(Place items) {
        here = items;
    }

    /** Before the start only: the task takes from memory edges. */
    void line(Line requests) {
        here = requests.place;
        line = requests;
    }

    /**
     * The place of items from their arrival until they are done, or until they have their buffers; null when it is of
     * no interest.
     */
    @Nullable
    Place here() {
        return here;
    }

    @Nullable
    Line line() {
        return line;
    }

    /** The place that an item leaves when it is done; null when there is none. */
    @Nullable
    Place doneFrom() {
        return line == null ? here : line.past;
    }

    @Nullable
    Cycle cycle() {
        return cycle;
    }

    /** Before the start only. */
    void cycle(Cycle circle) {
        cycle = circle;
        circle.add(this);
    }

    /** Before the start only. */
    void addProducers(int count) {
        producers += count;
    }

    /** Before the start only: nobody sends to it, so that a start task may be told to begin. */
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

    /** Takes items of the producer that has {@code box} for itself, where it has one. */
    @Nullable
    TaskInstance append(@Nullable Inbox box, @Nullable Object[] items, int count, @Nullable TaskInstance woken) {
        if (box == null) {
            return append(items, count, woken);
        }
        int offered = box.offer(items, 0, count);
        return offered < count || box.rings() ? collect(box, items, offered, count, woken) : woken;
    }

    /** The inbox is full, or a copy sleeps, or nobody will take the items any more. */
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

    /** The ledger granted what the item needs. False when nobody will take it, so that its buffers are free again. */
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

    /** The ledger refuses an item, since the run stops. */
    synchronized void discard(int count) {
        if (!stopped) {
            gated -= count;
            total.cancelled += count;
            count();
        }
    }

    /** {@code count} items that waited for their buffers failed, since the task's order threw. */
    synchronized void failedInLine(int count) {
        if (!stopped) {
            gated -= count;
            total.failed += count;
        }
    }

    /** Moves up to {@code most} items to {@code into}; wakes another copy when there are more. */
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
     * Creates another inbox; null where there is none. A stage with inboxes takes no buffers, is in no circle, since
     * counts of circles are kept per append, and has no order of its own, since the thread that appends calls the
     * user's comparator. Before the start only.
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

    /** Before the start only. */
    void feedFromOutside() {
        fedFromOutside = true;
        outside = newInbox();
    }

    boolean isFedFromOutside() {
        return fedFromOutside;
    }

    /** About how many items wait, those without their buffers included; needs no lock. */
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
     * A copy that works through cheap items faster than other threads send them looks on for a moment before it goes to
     * sleep: otherwise each item that is sent pays a wake-up.
     */
    void linger() {
        for (int i = 0; inboxes.length > 0 && i < LINGER_LOOKS && backlog() < LINGER_ITEMS && !closed; i++) {
            for (int j = 0; j < LINGER_SPINS; j++) { // each look takes the sender's cache line away
                Thread.onSpinWait();
            }
        }
    }

    /**
     * The end of an activation: what to do next.
     *
     * @param asked the {@link #changes} before the body was asked whether it is done: if there were more since, it is
     *     asked again, as a wake-up that came meanwhile would otherwise be lost
     * @param mayWake true if something else than an item may still wake the copy: a poll, or the end of a task of the
     *     engine's
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
        if (inInboxes() > 0) { // came before the sender could see the bell
            leaveIdle(copy);
            return Step.AGAIN;
        }
        return Step.IDLE;
    }

    /** There is news for {@code copy} alone; whether it slept, and is the caller's to wake. */
    synchronized boolean nudge(TaskInstance copy) {
        changes++; // it may be about to sleep
        return leaveIdle(copy);
    }

    /** A copy was woken, and takes nothing for now: another may. */
    synchronized @Nullable TaskInstance passOn(ItemCounters part) {
        total.absorb(part);
        drainInboxes();
        return queue.size() > 0 ? wakeOne(null) : null;
    }

    /** Takes a copy that polls off the idle list; false when somebody has already, who will wake it. */
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

    /** Something that a condition may depend on is different now: all who sleep ask again. */
    synchronized @Nullable TaskInstance changed(@Nullable TaskInstance woken) {
        changes++;
        return wakeAll(woken);
    }

    /** A copy has shut down. After the last one, what is left in the queue is cancelled: a condition ended the task. */
    @Nullable
    TaskInstance copyDone(ItemCounters part, WakeList wakes) {
        @Nullable Object[] left;
        int dropped;
        synchronized (this) {
            total.absorb(part);
            if (--activeCopies > 0) {
                drainInboxes();
                return queue.size() > 0 ? wakeOne(null) : null; // it may have been woken for what it leaves here
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

    /** The run stops: nothing more is taken, and who sleeps wakes to shut down. */
    synchronized @Nullable TaskInstance stop(@Nullable TaskInstance woken) {
        if (!stopped) {
            stopped = true;
            setBell();
            drainInboxes();
            drop();
        }
        return changed(woken);
    }

    /** Calls {@code reader} while nothing changes. It must be quick. */
    synchronized <T> T read(Reader<T> reader) {
        drainInboxes();
        return reader.read(total, producers, queue.size() + gated, largest);
    }

    /** The number of items that wait for buffers. */
    synchronized int gated() {
        return gated;
    }

    /** See {@link Stage#read}. */
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

    /** Who sends must tell: a copy sleeps, or the items must be counted as cancelled. */
    private void setBell() {
        for (Inbox box : inboxes) {
            box.bell(idleCount > 0 || stopped);
        }
    }

    /** What waits is cancelled. */
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
     * Copies that are bound to different devices take turns; one whose device has less to do comes first. The last
     * place is free then.
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

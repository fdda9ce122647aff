package dev.jacquard.flow.runtime;

import dev.jacquard.flow.runtime.Request.Need;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
 * <p>No wake-up is lost: a copy goes to the idle list only in {@link #pause}, which looks at the queue under the same lock
 * under which {@link #append} adds to it and looks at the idle list; what comes from outside has its own way, see {@link
 * Inbox}. A copy is in the idle list, or made ready, or at
 * work: never two of them, so its body needs no lock.
 *
 * <p>Threads: all mutable fields are guarded by this, except the two volatile ones, which are written under the lock and
 * read without it. The lock is taken per batch, not per item, and is the innermost: nothing is called under it.
 */
final class Stage implements Target {
    private static final VarHandle WAITING;
    /** Looks for more items, and pauses before each: about a microsecond in all. */
    private static final int LINGER_LOOKS = 4;

    private static final int LINGER_SPINS = 8;

    private static final int LINGER_ITEMS = 64;

    static {
        try {
            WAITING = MethodHandles.lookup().findVarHandle(Stage.class, "waiting", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final StagePlan plan;
    private final Ledger ledger;
    private final Need[] needs;
    private final ItemQueue queue;
    private final @Nullable Copy[] idle;
    private final Tally total;

    /** When engine tasks of this stage's copies were at work. */
    private final BusyTime busy;
    /** Written before the start. */
    private List<String> devices = List.of();

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

    /** What comes from outside, where it may: see {@link #feedFromOutside}. */
    private @Nullable Inbox inbox;

    private boolean fedFromOutside;
    /** No item is left and none can come. Written under the lock; a copy reads it before it asks its body. */
    private volatile boolean closed;
    /** How often something happened that a condition may depend on: see {@link #pause}. Likewise. */
    private volatile int changes;

    Stage(StagePlan plan, Ledger ledger, Need[] needs, BusyTime busy) {
        this.busy = busy;
        this.plan = plan;
        this.ledger = ledger;
        this.needs = needs;
        this.queue = plan.options().order() == null
                ? new Ring()
                : new PriorityItems(plan.options().order());
        this.idle = new @Nullable Copy[plan.copies()];
        this.activeCopies = plan.copies();
        this.total = new Tally(plan.outlets().size());
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
    public @Nullable Copy append(Object[] items, int count, @Nullable Copy woken) {
        if (cycle != null) {
            cycle.take(count);
        }
        boolean gate = needs.length > 0;
        Copy list = woken;
        synchronized (this) {
            if (stopped) {
                total.cancelled += count;
            } else if (gate) {
                gated += count;
                closed = false;
                count();
            } else {
                queue.add(items, 0, count);
                closed = false;
                count();
                return wakeOne(list);
            }
            gate &= !stopped;
        }
        if (gate) {
            return ledger.request(this, items, count, list);
        }
        return cycle == null ? list : cycle.give(count, list);
    }

    /** Takes items from outside, whose sender holds the lock of the {@link Input}. */
    @Nullable
    Copy appendFromOutside(Object[] items, int count, @Nullable Copy woken) {
        Inbox box = inbox;
        if (box == null) {
            return append(items, count, woken);
        }
        int offered = box.offer(items, 0, count);
        return offered < count || box.rings() ? collect(box, items, offered, count, woken) : woken;
    }

    /** The inbox is full, or a copy sleeps, or nobody will take the items any more. */
    private synchronized @Nullable Copy collect(
            Inbox box, Object[] items, int offered, int count, @Nullable Copy woken) {
        box.drainTo(queue);
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
    synchronized boolean acceptGranted(Granted item, Wakes wakes) {
        if (stopped) {
            return false;
        }
        gated--;
        queue.add(new Object[] {item}, 0, 1);
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

    /** Moves up to {@code most} items to {@code into}; wakes another copy when there are more. */
    synchronized int take(Object[] into, int most, Wakes wakes) {
        drainInbox();
        int count = queue.drainTo(into, most);
        count();
        if (queue.size() > 0) {
            wakes.add(wakeOne(null));
        } else if (count > 0) {
            wakes.add(closeIfDone(null));
        }
        return count;
    }

    /**
     * Before the start only. What has an inbox takes no buffers and is in no circle, whose counts are kept per append; and it has
     * no order of its own, since the user's comparator is called by whoever appends.
     */
    void feedFromOutside() {
        fedFromOutside = true;
        if (needs.length == 0 && cycle == null && queue instanceof Ring) {
            inbox = new Inbox();
        }
    }

    boolean isFedFromOutside() {
        return fedFromOutside;
    }

    /** About how many items wait, those without their buffers included; needs no lock. */
    int backlog() {
        Inbox box = inbox;
        return (int) WAITING.getOpaque(this) + (box == null ? 0 : box.size());
    }

    /**
     * A copy that works through cheap items faster than somebody outside sends them looks on for a moment before it goes to
     * sleep: otherwise each item that is sent pays a wake-up.
     */
    void linger() {
        for (int i = 0; fedFromOutside && i < LINGER_LOOKS && backlog() < LINGER_ITEMS && !closed; i++) {
            for (int j = 0; j < LINGER_SPINS; j++) { // each look takes the sender's cache line away
                Thread.onSpinWait();
            }
        }
    }

    /**
     * The end of an activation: what to do next.
     *
     * @param asked the {@link #changes} before the body was asked whether it is done: if there were more since, it is asked
     *     again, as a wake-up that came meanwhile would otherwise be lost
     */
    synchronized Step pause(Copy copy, int asked, Tally part) {
        total.absorb(part);
        drainInbox();
        if (stopped || queue.size() > 0 || changes != asked) {
            return Step.AGAIN;
        }
        if (closed) {
            return Step.STUCK;
        }
        idle[idleCount++] = copy;
        setBell();
        Inbox box = inbox;
        if (box != null && box.size() > 0) { // came before the sender could see the bell
            leaveIdle(copy);
            return Step.AGAIN;
        }
        return Step.IDLE;
    }

    /** There is news for {@code copy} alone; whether it slept, and is the caller's to wake. */
    synchronized boolean nudge(Copy copy) {
        changes++; // it may be about to sleep
        return leaveIdle(copy);
    }

    /** A copy was woken, and takes nothing for now: another may. */
    synchronized @Nullable Copy passOn(Tally part) {
        total.absorb(part);
        drainInbox();
        return queue.size() > 0 ? wakeOne(null) : null;
    }

    /** Takes a copy that polls off the idle list; false when somebody has already, who will wake it. */
    synchronized boolean leaveIdle(Copy copy) {
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
    public synchronized @Nullable Copy producerDone(@Nullable Copy woken) {
        drainInbox();
        producers--;
        Copy list = changed(woken);
        return closeIfDone(list);
    }

    /** Something that a condition may depend on is different now: all who sleep ask again. */
    synchronized @Nullable Copy changed(@Nullable Copy woken) {
        changes++;
        return wakeAll(woken);
    }

    /** A copy has shut down. After the last one, what is left in the queue is cancelled: a condition ended the task. */
    @Nullable
    Copy copyDone(Tally part, Wakes wakes) {
        Object[] left;
        int dropped;
        synchronized (this) {
            total.absorb(part);
            if (--activeCopies > 0) {
                return null;
            }
            stopped = true;
            closed = true;
            setBell();
            drainInbox();
            left = new Object[queue.size()];
            queue.drainTo(left, left.length);
            dropped = left.length + gated;
            total.cancelled += left.length;
            drop();
        }
        for (Object item : left) {
            if (item instanceof Granted granted) {
                ledger.giveBack(granted, wakes);
            }
        }
        return cycle == null || dropped == 0 ? null : cycle.give(dropped, null);
    }

    /** The run stops: nothing more is taken, and who sleeps wakes to shut down. */
    synchronized @Nullable Copy stop(@Nullable Copy woken) {
        if (!stopped) {
            stopped = true;
            setBell();
            drainInbox();
            drop();
        }
        return changed(woken);
    }

    /** Calls {@code reader} while nothing changes. It must be quick. */
    synchronized <T> T read(Reader<T> reader) {
        drainInbox();
        return reader.read(total, producers, queue.size() + gated, largest);
    }

    /** See {@link Stage#read}. */
    interface Reader<T> {
        T read(Tally total, int producers, int queued, long largest);
    }

    // The methods below are called with the lock held.

    private void drainInbox() {
        Inbox box = inbox;
        if (box != null) {
            box.drainTo(queue);
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
        Inbox box = inbox;
        if (box != null) {
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

    private @Nullable Copy closeIfDone(@Nullable Copy woken) {
        if (closed || producers > 0 || gated > 0 || queue.size() > 0) {
            return woken;
        }
        closed = true;
        return changed(woken);
    }

    private @Nullable Copy wakeOne(@Nullable Copy woken) {
        if (idleCount == 0) {
            return woken;
        }
        Copy copy = devices.size() > 1 ? takeLeastLoaded() : idle[--idleCount];
        idle[idleCount] = null;
        setBell();
        assert copy != null && copy.nextWoken == null;
        copy.nextWoken = woken;
        return copy;
    }

    /** Copies that are bound to different devices take turns; one whose device has less to do comes first. The last place is free then. */
    private Copy takeLeastLoaded() {
        int least = 0;
        for (int i = 1; i < idleCount; i++) {
            if (load(idle[i]) < load(idle[least])) {
                least = i;
            }
        }
        Copy copy = idle[least];
        System.arraycopy(idle, least + 1, idle, least, --idleCount - least); // the longest asleep stays first
        return copy;
    }

    private static int load(@Nullable Copy copy) {
        return copy == null ? 0 : copy.deferred().load();
    }

    private @Nullable Copy wakeAll(@Nullable Copy woken) {
        Copy list = woken;
        while (idleCount > 0) {
            list = wakeOne(list);
        }
        return list;
    }
}

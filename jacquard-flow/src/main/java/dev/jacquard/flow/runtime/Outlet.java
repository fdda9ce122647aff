package dev.jacquard.flow.runtime;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.flow.memory.KeyedEdge;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.pipeline.Siblings;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Emitter.Continuation;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The emitter of a body or rule. Collects items while the copy works through cheap ones, so that a consumer's lock is
 * taken once per batch; the copy's {@link BatchSizer} says how many.
 *
 * <p>Threads: confined to the copy's activation, except that the {@link Courier} passes on items up to the count that
 * the activation has published. Both hand items over under the lock of this object, so consumers get them in order.
 */
final class Outlet implements Emitter<Object> {
    /** The most items that are collected. */
    static final int CAPACITY = 256;

    private static final String NO_EDGE = "takes from null: give it a memory edge";
    private static final VarHandle EMITTED = Fields.handle(MethodHandles.lookup(), "emitted", long.class);
    private static final VarHandle COUNT = Fields.handle(MethodHandles.lookup(), "count", int.class);

    private final EmittingCopy copy;
    /** Where a call is noted that broke off half way, which the end of the activation reports. */
    private final Breakage broken;

    private final Borrower borrower;
    private final DeferredItems deferred;
    private final SiblingOutlets siblings;
    private final int number;
    private final Feed feed;
    /** True if a lock is taken for each hand-over: some consumer has no inbox of this producer. */
    private final boolean locks;
    /** True if no consumer takes every item, or others take some. Written before the start. */
    private boolean isSpecial;
    /** The outlets that get some of the items; null if there are none. Written before the start. */
    private @Nullable Forks forks;

    /** The slots of the consumers' edges that have a bound; null if there are none. */
    private final Pool @Nullable [] slots;

    private final @Nullable Object[] items = new @Nullable Object[CAPACITY];
    /** The ticket of each item; null if no consumer wants tickets. */
    private final long @Nullable [] tickets;

    /**
     * The number of collected items. Written by the activation: increased with a release, after the items, which pairs
     * with the courier's acquire; reset to 0 under this lock.
     */
    private int count;
    /**
     * The number of collected items that were passed on. Guarded by this; confined to the thread of a dedicated copy.
     */
    private int passed;
    /**
     * The number of items that were passed on, counted before consumers have them. Written where {@link #passed} is;
     * opaque, since any thread may read it, and nothing but a count is published.
     */
    private long emitted;

    Outlet(
            EmittingCopy copy,
            Borrower borrower,
            DeferredItems deferred,
            SiblingOutlets siblings,
            int number,
            ItemSink[] targets) {
        this.copy = copy;
        this.broken = copy.run.life().broken;
        this.borrower = borrower;
        this.deferred = deferred;
        this.siblings = siblings;
        this.number = number;
        this.feed = new Feed(
                targets, copy.run.ledger(), sink -> copy.own != null && !copy.isOrdered ? sink.newInbox() : null);
        this.locks = !feed.hasInboxesOfStagesOnly();
        this.isSpecial = feed.isEmpty();
        this.tickets = feed.isPlain() ? null : new long[CAPACITY];
        Pool[] bounds = Arrays.stream(targets)
                .filter(Slotted.Sink.class::isInstance)
                .map(target -> ((Slotted.Sink) target).slots())
                .toArray(Pool[]::new);
        this.slots = bounds.length == 0 ? null : bounds;
    }

    @Override
    @SuppressWarnings("ConstantValue") // users may not check for nulls
    public void emit(Object item) {
        if (item == null) {
            throw new NullPointerException("task \"" + copy.name() + "\" emitted null: an item must be an object");
        }
        copy.checkActive();
        if (isSpecial && !goesEverywhere(item)) {
            return;
        }
        if (copy.scope != null && copy.scope.holds(this, item)) {
            return;
        }
        collect(item);
    }

    /** Collects an item for the consumers of every item. An item that was held back went to the others before. */
    void collect(Object item) {
        if (slots != null) {
            borrower.useSlots(slots, emitter());
        }
        try {
            if (tickets != null) {
                tickets[count] = copy.ticketToEmit();
            }
            items[count] = item;
            COUNT.setRelease(this, count + 1);
            if (count >= copy.pace.patience()) {
                flush();
                copy.wakeEagerly();
            }
        } catch (Error e) { // a full stack: the item may be with some of the consumers
            broken.by = e;
            throw e;
        }
    }

    @Override
    public <T> void send(Siblings<T> edge, int sibling, T item) {
        copy.checkActive();
        siblings.of(edge, sibling).emit(item);
    }

    @Override
    public int copies(Siblings<?> edge) {
        return siblings.copies(edge);
    }

    /** See {@link Run.Dry#keepSlots}. */
    @Nullable
    Granted keepSlots() {
        return borrower.suspend();
    }

    /** See {@link Run.Dry#useSlots}. */
    void useSlots(@Nullable Granted kept, Runnable emits) {
        borrower.resume(kept);
        try {
            emits.run();
        } finally {
            borrower.end(copy.wakes);
        }
    }

    /** Returns about the number of items that were collected and not handed over. Called by the copy's activation. */
    int held() {
        return forks == null ? count : count + forks.held();
    }

    /** Lets {@code forks} have some of the items. Called before the start only. */
    void goesOnTo(Forks its) {
        forks = its;
        isSpecial = true;
    }

    /** Emits {@code item} where some items go; returns true if there are also consumers of every item. */
    private boolean goesEverywhere(Object item) {
        boolean taken = forks != null && forks.emit(item);
        if (!feed.isEmpty()) {
            return true;
        }
        if (!taken) {
            throw forks == null ? Untaken.withoutEdge(emitter(), item) : Untaken.byEdges(emitter() + " emitted", item);
        }
        EMITTED.setOpaque(this, emitted + 1);
        return false;
    }

    private String emitter() {
        return copy.rules == 0
                ? "task \"" + copy.name() + '"'
                : "rule " + (number + 1) + " of " + copy.rules + " of bookkeeper \"" + copy.name() + '"';
    }

    /** Hands the collected items to the consumers; adds the copies to be woken to the copy's list. */
    void flush() {
        if (count == 0) {
            return;
        }
        boolean measures = locks && copy.counters.measures();
        long asked = measures ? copy.now() : 0;
        if (copy.own != null) { // the courier leaves it out
            passAll();
        } else {
            synchronized (this) {
                passAll();
            }
        }
        if (measures) {
            copy.counters.locked(copy.now() - asked);
        }
    }

    private void passAll() {
        pass(count, copy.wakes);
        Arrays.fill(items, 0, count, null);
        passed = 0;
        count = 0;
    }

    /** Hands over the items that were collected so far. Called by the courier. */
    synchronized void passOn(WakeList wakes) {
        pass((int) COUNT.getAcquire(this), wakes);
    }

    /** Hands over the items below {@code end} that are left. Called with the lock held, or by a dedicated copy. */
    private void pass(int end, WakeList wakes) {
        int from = passed;
        int more = end - from;
        if (more == 0) {
            return;
        }
        passed = end;
        EMITTED.setOpaque(this, emitted + more);
        @Nullable Object[] next = from == 0 ? items : Arrays.copyOfRange(items, from, end);
        long @Nullable [] their = tickets == null || from == 0 ? tickets : Arrays.copyOfRange(tickets, from, end);
        wakes.add(feed.append(next, their, more));
    }

    @Override
    public <T> Handle<T> take(MemoryEdge<T> edge, ReleaseRule rule) {
        requireGiven(edge, NO_EDGE);
        Takes.requirePlain(edge);
        return take(edge, rule, 0, null);
    }

    @Override
    public <T> Handle<T> take(SizedEdge<T> edge, long bytes, ReleaseRule rule) {
        requireGiven(edge, NO_EDGE);
        Takes.requireSize(edge, bytes);
        return take(edge, rule, bytes, null);
    }

    @Override
    public Handle<Data> take(SizedEdge<Data> edge, Layout layout, ReleaseRule rule) {
        requireGiven(edge, NO_EDGE);
        requireGiven(layout, "takes data of no layout: give it one");
        return take(edge, rule, Takes.bytesOf(edge, layout), layout);
    }

    @Override
    public <K, T> Handle<T> take(KeyedEdge<K, T> edge, K key, ReleaseRule rule) {
        requireGiven(edge, NO_EDGE);
        requireGiven(key, "takes by null as the key: give it a key");
        return take(edge, rule, 0, key);
    }

    @SuppressWarnings("unchecked") // the pool stands for this edge, and its values are of the edge's type
    private <T> Handle<T> take(MemoryEdge<T> edge, ReleaseRule rule, long bytes, @Nullable Object by) {
        copy.checkActive();
        requireGiven(rule, "takes with null as the rule: give it a rule for the release");
        Handle<Object> taken = borrower.take(edge, rule, bytes, by, this, copy.ticket, copy.wakes);
        if (copy.scope != null) {
            copy.scope.took(taken);
        }
        return (Handle<T>) (Handle<?>) taken;
    }

    @Override
    public void release(Handle<?> buffer) {
        copy.checkActive();
        copy.run.loans().release(buffer, copy.wakes);
        if (copy.scope != null) {
            copy.scope.released(buffer);
        }
        try {
            copy.wakeEagerly();
        } catch (Error e) { // copies may be in no list any more
            broken.by = e;
            throw e;
        }
    }

    @Override
    public Tasks graph() {
        copy.checkActive();
        return deferred.tasks();
    }

    @Override
    public void whenDone(Continuation<Object> then) {
        copy.checkActive();
        requireGiven(then, "is to do null when its tasks are over: give it something to do");
        deferred.whenDone(this, then);
    }

    @SuppressWarnings("ConstantValue") // users may not check for nulls
    private void requireGiven(Object its, String what) {
        if (its == null) {
            throw new NullPointerException("task \"" + copy.name() + "\" " + what);
        }
    }

    /** Returns the number of the outlet among those of its copy. */
    int number() {
        return number;
    }

    /** Returns the number of items that were passed on; needs no lock. */
    long emitted() {
        return (long) EMITTED.getOpaque(this);
    }

    @Override
    public boolean stopping() {
        return copy.run.life().stopping();
    }

    /** Notifies the consumers that this producer is done; {@code own} is the circle that the producer is in. */
    void close(@Nullable Cycle own) {
        copy.wakes.add(feed.close(own));
    }
}

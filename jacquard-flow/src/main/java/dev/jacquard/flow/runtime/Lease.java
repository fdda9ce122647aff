package dev.jacquard.flow.runtime;

import dev.jacquard.base.text.UserText;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Handle.Loan;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One loan of one buffer. The lent handle refers to its lease, so that a handle of an earlier loan cannot end a later
 * loan of the same buffer.
 *
 * <p>Threads: most fields are constant; for the others see the fields.
 */
final class Lease implements Loan {
    final Loans loans;
    final Pool pool;
    /** The size of the buffer; 0 where the pool does not count bytes. Written before the loan is known. */
    private long bytes;
    /** The key, or the layout, that the take states; null if it states none. As above. */
    private @Nullable Object by;
    /** The name of the taker, for messages. */
    final String taker;
    /** The time from which on the buffer is held. Written before the loan is known. */
    private long sinceNanos;
    /** True if the buffer was granted out of turn. */
    final boolean ahead;
    /** The ticket of the item that the buffer is for; 0 if it has none. */
    private final long ticket;
    /** Guarded by this: called by one thread at a time. */
    private final ReleaseRule rule;
    /** The number of releases so far. Written under this lock; read by any thread. */
    private volatile int releases;
    /** The buffer. Written once, before the handle is made. */
    private @Nullable Object value;
    /** The slot of the key; null if the buffer has no key. Written with the value. */
    private KeyedBuffers.@Nullable Slot slot;
    /** The number of the loan among those of its pool. Written under the ledger's lock, before the handle is made. */
    private long number;
    /** The handle. Written under the ledger's lock, once, and read under it. */
    private @Nullable Handle<Object> handle;
    /** The list that the lease is in, if any, and its neighbours there. Guarded by the ledger. */
    @Nullable
    LeaseList list;

    @Nullable
    Lease before;

    @Nullable
    Lease after;
    /** The thread in which the allocator recycles or frees the buffer after the loan. Guarded by the ledger. */
    @Nullable
    Thread recycler;
    /** Written under the ledger's lock, once; read by any thread. */
    private volatile boolean over;
    /** True if the run freed the buffer while it was lent. Written before {@link #over}, read after it. */
    private boolean ofClosed;
    /**
     * True once a task with an access to the handle was declared. Written by the thread that declares the task, before
     * the task can run; read by the thread that releases, after the tasks that the release must wait for.
     */
    private volatile boolean declared;

    /**
     * A loan for which a buffer is granted.
     *
     * @param ticket the ticket of the item that the taker works on; 0 if it has none
     * @param ahead true if the buffer was granted out of turn
     */
    Lease(Loans loans, Pool pool, String taker, ReleaseRule rule, long ticket, boolean ahead) {
        this.loans = loans;
        this.pool = pool;
        this.taker = taker;
        this.rule = rule;
        this.ticket = ticket;
        this.ahead = ahead;
    }

    /** States the size, and the key or layout, of the buffer that is held since {@code heldSince}, and to be lent. */
    Lease of(long size, @Nullable Object keyOrLayout, long heldSince) {
        bytes = size;
        by = keyOrLayout;
        sinceNanos = heldSince;
        return this;
    }

    /** Sets the buffer, and the slot of its key. */
    void hold(Object buffer, KeyedBuffers.@Nullable Slot ofKey) {
        value = buffer;
        slot = ofKey;
    }

    long bytes() {
        return bytes;
    }

    @Nullable
    Object by() {
        return by;
    }

    /** Returns the buffer. Called once there is one. */
    Object value() {
        return Objects.requireNonNull(value);
    }

    KeyedBuffers.@Nullable Slot slot() {
        return slot;
    }

    /** Records the number of the loan among those of its pool, before the handle is made. */
    void number(long its) {
        number = its;
    }

    /** Records the lent handle; returns it. */
    Handle<Object> handle(Handle<Object> lent) {
        handle = lent;
        return lent;
    }

    /** Returns the lent handle; null before it is made. */
    @Nullable
    Handle<Object> handle() {
        return handle;
    }

    String name() {
        return name(pool.name);
    }

    /** Returns the name, without {@code +}: where the stack is full at its first use, later uses fail too. */
    @Override
    public String name(String of) {
        return of.concat("[").concat(Long.toString(number)).concat("]");
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public void declared() {
        if (!declared) {
            declared = true;
        }
    }

    /** Returns true if tasks of the session, of any graph, may access the buffer. */
    boolean isDeclared() {
        return declared;
    }

    void end() {
        over = true;
    }

    /** Ends the loan of a buffer that was not released before the run is closed. */
    void endWithRun() {
        ofClosed = true;
        over = true;
    }

    /** Returns true if the run freed the buffer while it was lent. Called once the loan is over. */
    boolean isOfClosed() {
        return ofClosed;
    }

    /** Returns the number of the item from outside that the buffer is for, as the end of a sentence. */
    String item() {
        return ticket == 0 ? "" : ", for item " + ticket / Numbered.SPACING + " from outside";
    }

    @Override
    public String toString() {
        return "taken by " + taker;
    }

    /** Returns a line of text for a report. Calls user code. */
    String describe(long now) {
        String key = slot == null ? "" : " by key " + UserText.of(Objects.requireNonNull(by));
        String kept = releases == 0 ? "" : ", released " + releases + " times, but its release rule keeps it";
        return "    " + name() + (bytes > 0 ? ", " + bytes + " bytes" : "") + ", taken" + key + " by " + taker
                + ", held since " + Waiter.age(now - sinceNanos) + item() + kept;
    }

    /**
     * Asks the rule whether the buffer is free. The lock is the loan's own, so that two releases of one buffer cannot
     * race in the user's rule.
     */
    synchronized boolean released() {
        releases = releases + 1;
        return rule.released();
    }
}

package dev.jacquard.flow.runtime;

import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Loan;

/**
 * One loan of one buffer. The handle that is lent refers to it, so that a handle of an earlier loan cannot end a later
 * one of the same buffer.
 *
 * <p>Threads: the constants aside, see the fields.
 */
final class Lease implements Loan {
    final BufferGrants ledger;
    final Pool pool;
    /** The buffer. */
    final Object value;
    /** Who took it, for messages. */
    final String taker;
    /** The time at which it was lent. */
    final long sinceNanos;
    /** True if the buffer was granted out of turn. */
    final boolean ahead;
    /** Guarded by this: called by one thread at a time. */
    private final ReleaseRule rule;
    /** Written under the ledger's lock, once, before the handle is given out. */
    private String name = "";
    /** Written under the ledger's lock, once; read by any thread. */
    private volatile boolean over;
    /**
     * True once something has declared an access to the handle. Written by whoever declares, before the task can run;
     * read by the one that releases, behind what it wants to be waited for.
     */
    private volatile boolean declared;

    Lease(
            BufferGrants ledger,
            Pool pool,
            Object value,
            String taker,
            ReleaseRule rule,
            long sinceNanos,
            boolean ahead) {
        this.ledger = ledger;
        this.pool = pool;
        this.value = value;
        this.taker = taker;
        this.rule = rule;
        this.sinceNanos = sinceNanos;
        this.ahead = ahead;
    }

    /** Takes note of the handle that is lent. */
    Handle<Object> handle(Handle<Object> lent) {
        name = lent.name();
        return lent;
    }

    String name() {
        return name;
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

    /** True if tasks of the session, of whatever graph, may access the buffer. */
    boolean isDeclared() {
        return declared;
    }

    void end() {
        over = true;
    }

    @Override
    public String toString() {
        return "taken by " + taker;
    }

    /**
     * Asks the rule; the lock is of this loan only, so that two releases of one buffer cannot race in the user's rule.
     */
    synchronized boolean released() {
        return rule.released();
    }
}

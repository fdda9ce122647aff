package dev.jacquard.flow.runtime;

/**
 * An item that waits for buffers, and then has them: an entry of a line and, after the grant, of the queue of a stage
 * that takes from memory edges.
 *
 * <p>Threads: guarded by the ledger until the buffers are granted, then by the stage's lock, then confined to the copy
 * that took the item.
 */
final class Granted extends Numbered {
    private final BufferNeed[] needs;
    /** Per need, the number of buffers granted and not yet taken by the body. */
    private final int[] credits;
    /** The order of arrival among items of one ticket. */
    final long serial;
    /** The time at which the item joined the line. */
    final long sinceNanos;
    /** True if the buffers were granted out of turn. Written by the ledger before the item is granted. */
    boolean ahead;

    Granted(BufferNeed[] needs, Object item, long ticket, long serial, long sinceNanos) {
        super(item, ticket);
        this.needs = needs;
        this.serial = serial;
        this.sinceNanos = sinceNanos;
        this.credits = new int[needs.length];
    }

    /** Grants all buffers that the item needs. */
    void grant(boolean outOfTurn, long now) {
        ahead = outOfTurn;
        for (int i = 0; i < needs.length; i++) {
            Pool pool = needs[i].pool();
            credits[i] = needs[i].count();
            pool.free -= credits[i];
            pool.ahead += outOfTurn ? credits[i] : 0;
            pool.waitNanos += now - sinceNanos;
        }
    }

    /** Frees the buffers that were granted and not taken. */
    void free() {
        for (int i = 0; i < needs.length; i++) {
            Pool pool = needs[i].pool();
            pool.free += credits[i];
            pool.ahead -= ahead ? credits[i] : 0;
            credits[i] = 0;
        }
    }

    /** Uses one credit of {@code pool}; returns false if there is none. */
    boolean use(Pool pool) {
        for (int i = 0; i < needs.length; i++) {
            if (needs[i].pool() == pool && credits[i] > 0) {
                credits[i]--;
                return true;
            }
        }
        return false;
    }

    /** Returns true if the body took fewer buffers than were granted. */
    boolean unused() {
        for (int credit : credits) {
            if (credit > 0) {
                return true;
            }
        }
        return false;
    }

    BufferNeed[] needs() {
        return needs;
    }
}

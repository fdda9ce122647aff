package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * An item that waits for buffers, and then has them: an entry of a line and, after the grant, of the queue of a stage
 * that takes from memory edges.
 *
 * <p>Threads: guarded by the ledger until the buffers are granted, then by the stage's lock, then confined to the copy
 * that took the item.
 */
final class Granted extends Numbered {
    private static final long[] NO_BYTES = {};

    private final BufferNeed[] needs;
    /** The pool of the slot that the item has of the bounded edge on which it came; null if it has none. */
    private final @Nullable Pool slots;
    /** Per need, the number of buffers granted and not yet taken by the body. */
    private final int[] credits;
    /** Per need, the number of bytes granted and not yet taken; {@link #NO_BYTES} if no pool counts bytes. */
    private final long[] bytes;
    /** The order of arrival among items of one ticket. */
    final long serial;
    /** The time at which the item joined the line. */
    final long sinceNanos;
    /** True if the buffers were granted out of turn. Written by the ledger before the item is granted. */
    boolean ahead;
    /** The time of the grant. As above. */
    long grantedNanos;

    Granted(BufferNeed[] needs, Object queued, long ticket, long serial, long sinceNanos) {
        super(itemOf(queued), ticket);
        this.needs = needs;
        this.slots = slotsOf(queued);
        this.serial = serial;
        this.sinceNanos = sinceNanos;
        this.credits = new int[needs.length];
        this.bytes = countsBytes(needs) ? new long[needs.length] : NO_BYTES;
    }

    @Override
    @Nullable
    Pool slots() {
        return slots;
    }

    /** Grants all buffers that the item needs. */
    void grant(boolean outOfTurn, long now) {
        ahead = outOfTurn;
        grantedNanos = now;
        for (int i = 0; i < needs.length; i++) {
            Pool pool = needs[i].pool();
            credits[i] = needs[i].count();
            pool.grant(credits[i], needs[i].bytes(), outOfTurn);
            if (!outOfTurn) {
                pool.newest = Math.max(pool.newest, ticket());
            }
            if (bytes.length > 0) {
                bytes[i] = needs[i].bytes();
            }
            pool.waitNanos += now - sinceNanos;
        }
    }

    /** Frees the buffers that were granted and not taken; also the slots for items that it may still emit, if asked. */
    void free(boolean withSlots) {
        for (int i = 0; i < needs.length; i++) {
            if (needs[i].pool().isBound && !withSlots) {
                continue;
            }
            needs[i].pool().giveBack(credits[i], bytesOf(i), ahead);
            credits[i] = 0;
            if (bytes.length > 0) {
                bytes[i] = 0;
            }
        }
    }

    /** Uses one credit of {@code pool} and {@code size} bytes; returns false if there are not as many. */
    boolean use(Pool pool, long size) {
        for (int i = 0; i < needs.length; i++) {
            if (needs[i].pool() == pool && credits[i] > 0 && bytesOf(i) >= size) {
                credits[i]--;
                if (bytes.length > 0) {
                    bytes[i] -= size;
                }
                return true;
            }
        }
        return false;
    }

    /** Returns the number of bytes of {@code pool} that are granted and not taken. */
    long left(Pool pool) {
        for (int i = 0; i < needs.length; i++) {
            if (needs[i].pool() == pool) {
                return bytesOf(i);
            }
        }
        return 0;
    }

    private long bytesOf(int need) {
        return bytes.length > 0 ? bytes[need] : 0;
    }

    private static boolean countsBytes(BufferNeed[] needs) {
        for (BufferNeed need : needs) {
            if (need.bytes() > 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if there is something to {@link #free}. */
    boolean unused(boolean withSlots) {
        for (int i = 0; i < credits.length; i++) {
            if ((credits[i] > 0 || bytesOf(i) > 0) && (withSlots || !needs[i].pool().isBound)) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if slots are left for items that may still be emitted. */
    boolean hasSlots() {
        for (int i = 0; i < needs.length; i++) {
            if (needs[i].pool().isBound && credits[i] > 0) {
                return true;
            }
        }
        return false;
    }

    BufferNeed[] needs() {
        return needs;
    }
}

package dev.jacquard.flow.runtime;

/**
 * An item that waits for buffers, and then has them: the entry of a line, and of the queue of a stage that takes from
 * memory edges.
 *
 * <p>Threads: confined to the ledger until it is granted, then to the stage's lock, then to the copy that took it.
 */
final class Granted extends Numbered {
    private final Need[] needs;
    /** Per need: buffers granted and not yet taken by the body. */
    private final int[] credits;
    /** Among items of one ticket, the order in which they came. */
    final long serial;
    /** When the item joined the line. */
    final long sinceNanos;
    /** True if the buffers were granted out of turn. Written by the ledger before the item is granted. */
    boolean ahead;

    Granted(Need[] needs, Object item, long ticket, long serial, long sinceNanos) {
        super(item, ticket);
        this.needs = needs;
        this.serial = serial;
        this.sinceNanos = sinceNanos;
        this.credits = new int[needs.length];
    }

    /** The item has all that it needs. */
    void fill() {
        for (int i = 0; i < needs.length; i++) {
            credits[i] = needs[i].count();
        }
    }

    /** Uses one credit of {@code pool}; false when there is none. */
    boolean use(Pool pool) {
        for (int i = 0; i < needs.length; i++) {
            if (needs[i].pool() == pool && credits[i] > 0) {
                credits[i]--;
                return true;
            }
        }
        return false;
    }

    /** True if the body took less than it was granted. */
    boolean unused() {
        for (int credit : credits) {
            if (credit > 0) {
                return true;
            }
        }
        return false;
    }

    Need[] needs() {
        return needs;
    }

    /** Takes back what is left of the {@code need}-th need. */
    int drain(int need) {
        int left = credits[need];
        credits[need] = 0;
        return left;
    }
}

package dev.jacquard.flow.runtime;

/**
 * Somebody who waits for buffers: an item of a stage, or a thread.
 *
 * <p>Threads: guarded by the ledger.
 */
abstract sealed class Request permits Granted, Waiter {
    final Need[] needs;
    /** Per need: how many more buffers; the request is granted when all are 0. */
    private final int[] missing;

    private int open;
    /** When it began to wait, 0 as long as it did not have to. */
    long sinceNanos;

    Request(Need[] needs) {
        this.needs = needs;
        this.missing = new int[needs.length];
        for (int i = 0; i < needs.length; i++) {
            missing[i] = needs[i].count();
        }
        this.open = needs.length;
    }

    /** Gets one buffer of {@code pool}; true when it needs no more of that pool. */
    final boolean give(Pool pool) {
        for (int i = 0; i < needs.length; i++) {
            if (needs[i].pool() == pool) {
                if (--missing[i] == 0) {
                    open--;
                }
                return missing[i] == 0;
            }
        }
        throw new AssertionError("not a need of this request");
    }

    final boolean granted() {
        return open == 0;
    }

    /** So many buffers of that pool, at most one need per pool. */
    record Need(Pool pool, int count) {}
}

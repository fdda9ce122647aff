package dev.jacquard.flow.runtime;

/**
 * The buffers of one pool that each item of a stage needs; a stage has at most one need per pool.
 *
 * @param pool the pool of the buffers
 * @param count the number of buffers
 * @param bytes the bytes of all of them; 0 where the pool does not count bytes
 */
record BufferNeed(Pool pool, int count, long bytes) {
    /** Returns true if the pool has the buffers now. */
    boolean isMet() {
        return pool.has(count, bytes);
    }

    /** Returns true if the buffers may be granted out of turn. */
    boolean isWithinSurplus() {
        return pool.ahead + count <= pool.surplus && pool.aheadBytes + bytes <= pool.surplusBytes;
    }
}

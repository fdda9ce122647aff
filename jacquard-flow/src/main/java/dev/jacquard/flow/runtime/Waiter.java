package dev.jacquard.flow.runtime;

/**
 * A thread that waits for one buffer: the thread of a dedicated task that did not declare the edge, or a thread outside
 * of the graph.
 *
 * <p>Threads: fields that are not constant name their guards.
 */
final class Waiter {
    final Pool pool;
    /** The size of the buffer; 0 where the pool does not count bytes. */
    final long bytes;
    /** The name of the waiter, for messages. */
    final String name;
    /** True for code outside of the graph. */
    final boolean outside;
    /**
     * The ticket of the item that the copy works on, or the next that an item from outside would get. Guarded by the
     * ledger.
     */
    long ticket;
    /** The order of arrival among equal tickets. Guarded by the ledger. */
    long serial;
    /** The time at which the wait began. Guarded by the ledger. */
    long sinceNanos;
    /** Written once, under the ledger's lock; read without the lock by the thread that waits. */
    private volatile Answer answer = Answer.NONE;

    Waiter(Pool pool, long bytes, String name, boolean outside, long ticket) {
        this.pool = pool;
        this.bytes = bytes;
        this.name = name;
        this.outside = outside;
        this.ticket = ticket;
    }

    Answer answer() {
        return answer;
    }

    boolean answered() {
        return answer != Answer.NONE;
    }

    void answer(Answer given) {
        answer = given;
    }

    /** Returns a line of text for a report. */
    String describe(long now) {
        return "    " + name + " waits " + (bytes > 0 ? "for " + bytes + " bytes " : "") + "since "
                + age(now - sinceNanos);
    }

    static String age(long nanos) {
        return nanos >= 1_000_000_000L ? Math.round(nanos / 1e8) / 10.0 + " s" : nanos / 1_000_000L + " ms";
    }

    enum Answer {
        NONE,
        GRANTED,
        STOPPED,
        /** The run is over. */
        ENDED
    }
}

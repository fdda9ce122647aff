package dev.jacquard.flow.runtime;

/**
 * A thread that waits for one buffer: of a dedicated task that did not declare it, or outside of the graph.
 *
 * <p>Threads: the constants aside, see {@link #answer}.
 */
final class Waiter {
    final Pool pool;
    /** The name of the waiter, for messages. */
    final String name;
    /** True for code outside of the graph. */
    final boolean outside;
    /**
     * The ticket of the item that the copy works on, or the next that an item from outside would get. Guarded by the
     * ledger.
     */
    long ticket;
    /** Among equal tickets, the order in which they came. Guarded by the ledger. */
    long serial;
    /** Guarded by the ledger. */
    long sinceNanos;
    /** Written once, under the ledger's lock; read by the thread that waits, without. */
    private volatile Answer answer = Answer.NONE;

    Waiter(Pool pool, String name, boolean outside, long ticket) {
        this.pool = pool;
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

    enum Answer {
        NONE,
        GRANTED,
        STOPPED,
        /** The run is over. */
        ENDED
    }
}

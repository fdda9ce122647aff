package dev.jacquard.flow.runtime;

/**
 * An item with its ticket: the number of the item from outside that it comes from. Only stages from which a memory edge
 * can still be asked have such items; see the package's section on buffers.
 *
 * <p>Threads: constant, but for the ticket of one that waits in a {@link Line}, which is confined to the ledger.
 */
sealed class Numbered permits Granted {
    /** How far tickets of items from outside are apart. */
    static final long SPACING = 1L << 20;

    final Object item;
    private long ticket;

    Numbered(Object item, long ticket) {
        this.item = item;
        this.ticket = ticket;
    }

    long ticket() {
        return ticket;
    }

    /** It takes the place of another that waits in the same line. */
    void ticket(long other) {
        ticket = other;
    }

    /**
     * The next after {@code last} of the tickets between those of the item from outside and of the one behind it; the
     * last of them again and again.
     */
    static long below(long last) {
        return (last + 1) % SPACING == 0 ? last : last + 1;
    }

    static Object itemOf(Object queued) {
        return queued instanceof Numbered numbered ? numbered.item : queued;
    }

    /** The ticket of {@code queued}; 0 when it has none. */
    static long ticketOf(Object queued) {
        return queued instanceof Numbered numbered ? numbered.ticket() : 0;
    }
}

package dev.jacquard.flow.runtime;

/**
 * An item with its ticket: the number of the item from outside that it comes from. Only stages from which a memory edge
 * can still be asked have such items; see the package's section on buffers.
 *
 * <p>Threads: constant.
 */
sealed class Numbered permits Granted {
    final Object item;
    final long ticket;

    Numbered(Object item, long ticket) {
        this.item = item;
        this.ticket = ticket;
    }

    static Object itemOf(Object queued) {
        return queued instanceof Numbered numbered ? numbered.item : queued;
    }

    /** The ticket of {@code queued}; 0 when it has none. */
    static long ticketOf(Object queued) {
        return queued instanceof Numbered numbered ? numbered.ticket : 0;
    }
}

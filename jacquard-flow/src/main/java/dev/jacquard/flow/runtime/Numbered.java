package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * An item with its ticket: the number of the item from outside that it comes from. Only stages with items that may
 * still ask a memory edge have numbered items; see the package's section on buffers.
 *
 * <p>Threads: constant, except the ticket of an item that waits in a {@link Line}, which is guarded by the ledger.
 */
sealed class Numbered permits Granted, Slotted, Dropped {
    /** The distance between the tickets of successive items from outside. */
    static final long SPACING = 1L << 20;
    /**
     * The ticket of the item from outside with the number 0. The tickets from a multiple of the distance to the next
     * ticket from outside are for items that overtake, and those after it are for items that a start task emits.
     */
    static final long BEFORE_FIRST = SPACING / 2;

    final Object item;
    private long ticket;

    Numbered(Object item, long ticket) {
        this.item = item;
        this.ticket = ticket;
    }

    long ticket() {
        return ticket;
    }

    /** Sets the ticket of an item that overtakes others of its line. */
    void ticket(long other) {
        ticket = other;
    }

    /**
     * Returns the first of the tickets between those of the item from outside with {@code ticket}, and of the one
     * before.
     */
    static long firstBefore(long ticket) {
        return ticket - ticket % SPACING;
    }

    /**
     * Returns the ticket after {@code last} between the tickets of an item from outside and of the next such item. The
     * last of these tickets is returned again and again.
     */
    static long below(long last) {
        return (last + 1) % SPACING == 0 ? last : last + 1;
    }

    /** Returns the pool of the item's slot of a bounded edge; null if it has none. */
    @Nullable
    Pool slots() {
        return null;
    }

    /** Returns the pool of the slot of {@code queued}; null if it has none. */
    static @Nullable Pool slotsOf(@Nullable Object queued) {
        return queued instanceof Numbered numbered ? numbered.slots() : null;
    }

    static Object itemOf(Object queued) {
        return queued instanceof Numbered numbered ? numbered.item : queued;
    }

    /** Returns the ticket of {@code queued}; 0 if it has none. */
    static long ticketOf(Object queued) {
        return queued instanceof Numbered numbered ? numbered.ticket() : 0;
    }
}

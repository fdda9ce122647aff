package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The end of an edge: takes items of its active producers, and closes after the last producer.
 *
 * <p>Methods that take a list of copies, linked through {@link Wakeable#next}, return a list that the caller must wake
 * once it holds no lock: {@code woken}, preceded by the copies that this call found asleep.
 */
interface ItemSink {
    /**
     * Takes the first {@code count} of {@code items}; the array stays the caller's.
     *
     * @param box the producer's inbox here; null if it has none
     */
    @Nullable
    Wakeable append(@Nullable Inbox box, @Nullable Object[] items, int count, @Nullable Wakeable woken);

    /** Records that one producer is done. */
    @Nullable
    Wakeable producerDone(@Nullable Wakeable woken);

    /** Creates an inbox for one producer; null if the producer may have none. Called before the start only. */
    default @Nullable Inbox newInbox() {
        return null;
    }

    /**
     * Creates an inbox for the graph's input, which has no other consumer; null if the input may have none. Called
     * before the start only.
     */
    default @Nullable Inbox newInboxFromOutside() {
        return newInbox();
    }

    /** Returns the place where items arrive; null if no ticket is of interest here. */
    default @Nullable TicketSet here() {
        return null;
    }

    /** Returns the circle that the items enter; null if there is none. */
    default @Nullable Cycle cycle() {
        return null;
    }

    /** Returns about the number of items that wait; needs no lock. */
    default int backlog() {
        return 0;
    }
}

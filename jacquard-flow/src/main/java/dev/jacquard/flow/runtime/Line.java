package dev.jacquard.flow.runtime;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The items of one stage that wait for buffers. The eldest waiting ticket decides when the line is in turn; the stage's
 * order decides which item gets the buffers then. Without an order, the eldest item gets them.
 *
 * <p>An item that overtakes an elder item, and may ask again further down, must not keep a younger ticket: it would
 * hold buffers and wait for the elder item, which waits here for these buffers.
 *
 * <pre>
 *  no item here holds buffers     the two swap tickets, as if they had come in that order
 *  no item here may ask again     the item keeps its ticket, and ends in any case
 *  otherwise                      no item overtakes: the order decides among items of one ticket
 * </pre>
 *
 * <p>Threads: all fields are guarded by the {@link BufferGrants}.
 */
final class Line {
    private static final Comparator<Granted> ELDEST = (a, b) ->
            a.ticket() != b.ticket() ? Long.compare(a.ticket(), b.ticket()) : Long.compare(a.serial, b.serial);

    final Stage stage;
    /** The place of the items that wait here, including those that are still to be appended. */
    final Place place;
    /** The place of the items that have their buffers; null if these cannot lead to another request. */
    final @Nullable Place past;

    /** True if no task before this one takes buffers. */
    final boolean first;

    private final PriorityQueue<Granted> eldest = new PriorityQueue<>(ELDEST);
    private final @Nullable PriorityItems ordered;
    /** The tickets of the waiting items, if an order other than that of tickets decides. */
    private final Place tickets;
    /** The place whose least ticket comes before the first of this line; null if the line waits for no place. */
    @Nullable
    Place blockedAt;

    Line(Stage stage, Place place, @Nullable Place past, boolean first) {
        this.stage = stage;
        this.first = first;
        this.place = place;
        this.past = past;
        this.ordered = stage.ordered(!first && past != null);
        this.tickets = new Place(place.of, place.depth);
    }

    void add(Granted item) {
        if (ordered == null) {
            eldest.add(item);
        } else {
            ordered.add(new Object[] {item}, 0, 1);
            tickets.arrive(item.ticket());
            stage.failedInLine(ordered.takeFailed());
        }
    }

    int size() {
        return ordered == null ? eldest.size() : ordered.size();
    }

    /** Removes the item that gets buffers next; null if its comparator threw, which the stage was told. */
    @Nullable
    Granted next() {
        if (ordered == null) {
            return eldest.remove();
        }
        @Nullable Object[] one = new @Nullable Object[1];
        ordered.drainTo(one, 1);
        stage.failedInLine(ordered.takeFailed());
        Granted next = (Granted) one[0];
        if (next != null) {
            if (first) {
                next.ticket(tickets.least());
            }
            tickets.leave(next.ticket());
        }
        return next;
    }

    /** Returns true if items that got their buffers here may lead to another request. */
    boolean mayAskAgain() {
        return past != null;
    }

    void clear() {
        eldest.clear();
        if (ordered != null) {
            ordered.clear();
        }
    }

    /** Returns the eldest ticket of the waiting items. The line must not be empty. */
    long ticket() {
        return ordered == null ? eldest.element().ticket() : tickets.least();
    }

    /**
     * Returns a place with an item that may still ask the same edges and comes before the first item of this line; null
     * if there is none.
     */
    @Nullable
    Place blocking() {
        long ticket = ticket();
        Place known = blockedAt;
        if (known != null && isBefore(known, ticket)) {
            return known;
        }
        for (Need need : stage.needs()) {
            for (Place other : need.pool().before) {
                if (isBefore(other, ticket)) {
                    return other;
                }
            }
        }
        return null;
    }

    /**
     * Returns true if an item at {@code other} comes before {@code ticket}. An item with a smaller ticket does. So does
     * an item with the same ticket that is further down, if items here hold no buffers: an item that holds some would
     * wait for an item that may wait for these buffers.
     */
    private boolean isBefore(Place other, long ticket) {
        long least = other.least();
        return least < ticket || (first && least == ticket && other.depth > place.depth);
    }
}

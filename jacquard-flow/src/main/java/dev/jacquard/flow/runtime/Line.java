package dev.jacquard.flow.runtime;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The items of one stage that wait for buffers. The eldest waiting ticket decides when it is the stage's turn; which
 * item gets the buffers then is the matter of the stage's order, and without one it is the eldest.
 *
 * <p>An item that overtakes, and may ask again further down, must not do so as a younger one: it would hold buffers and
 * wait for the elder, which waits here for these.
 *
 * <pre>
 *  none here holds buffers        the two change tickets: it is as if they had come in that order
 *  none here may ask again        it keeps its ticket, and ends in any case
 *  else                           none overtakes: the order decides among items of one ticket
 * </pre>
 *
 * <p>Threads: guarded by the {@link BufferGrants}.
 */
final class Line {
    private static final Comparator<Granted> ELDEST = (a, b) ->
            a.ticket() != b.ticket() ? Long.compare(a.ticket(), b.ticket()) : Long.compare(a.serial, b.serial);

    final Stage stage;
    /** The items that wait here, those included that are still to be appended. */
    final Place place;
    /** The items that have their buffers; null where these cannot lead to another request. */
    final @Nullable Place past;

    /** True if no task before this one takes buffers. */
    final boolean first;

    private final PriorityQueue<Granted> eldest = new PriorityQueue<>(ELDEST);
    private final @Nullable PriorityItems ordered;
    /** The tickets of those that wait, where another order than theirs decides. */
    private final Place tickets;
    /** The place whose least ticket comes before this line's; null when the line waits for nothing of the kind. */
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

    /** Removes the item that gets buffers next; null when its comparator threw, which the stage was told. */
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

    /** Whether items that got their buffers here may lead to another request. */
    boolean mayAskAgain() {
        return past != null;
    }

    void clear() {
        eldest.clear();
        if (ordered != null) {
            ordered.clear();
        }
    }

    /** The eldest ticket of those that wait; there is one. */
    long ticket() {
        return ordered == null ? eldest.element().ticket() : tickets.least();
    }

    /**
     * A place that has an item which may still ask the same edges, and comes before this line's first; null when there
     * is none.
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
     * An item with a smaller ticket comes before. So does one with the same ticket that is further down, if those here
     * hold no buffers: one that does would wait for an item that may wait for its buffers.
     */
    private boolean isBefore(Place other, long ticket) {
        long least = other.least();
        return least < ticket || (first && least == ticket && other.depth > place.depth);
    }
}
